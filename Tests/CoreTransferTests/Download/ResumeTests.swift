import Airframe
import AirframeTestSupport
import Foundation
import HTTPTypes
import Testing

@Suite("Resumed downloads", .timeLimit(.minutes(5)))
struct ResumeTests {
    private let bytes: Data = {
        var random = SeededGenerator(20)
        return random.data(10_000)
    }()
    private let url = "http://files.test/file.bin"

    private func session(_ server: FileServer) -> Session { Session(transport: server) }

    /// Downloads up to a cut, and returns the resume data of the failure.
    private func broken(
        after count: Int,
        of file: ServedFile,
        headers: HTTPHeaders = [],
        changing: @escaping @Sendable (inout FileServer.Answer) -> Void = { _ in }
    ) async -> Data? {
        let server = FileServer { request in
            var answer = file.answer(to: request)
            answer.cut = count
            changing(&answer)
            return answer
        }
        let session = session(server)
        let response = await session.download(url, headers: headers).serializingData().response
        #expect(response.error != nil)
        #expect(response.error?.downloadResumeData == response.resumeData)
        return response.resumeData
    }

    @Test("a broken download continues with the rest, and the file is correct to the byte")
    func resumes() async throws {
        let file = ServedFile(bytes: bytes)
        let data = try #require(await broken(after: 4_000, of: file))
        let server = FileServer { file.answer(to: $0) }
        let session = session(server)
        let request = session.download(resumingWith: data)
        let response = await request.serializingData().response
        #expect(try response.result.get() == bytes)
        #expect(response.response?.statusCode == 206)
        #expect(server.ranges == ["bytes=4000-"])
        let sent = try #require(server.requests.first?.headerFields)
        #expect(sent[.ifRange] == "\"v1\"")
        #expect(sent[.acceptEncoding] == "identity")
        #expect(request.resumeData == nil)
        #expect(request.downloadProgress.completedUnitCount == 10_000)
        #expect(request.downloadProgress.totalUnitCount == 10_000)
        #expect(!FileManager.default.fileExists(atPath: try partialFile(of: data).path))
    }

    @Test("the progress of a resumed download begins at its offset, before the next byte")
    func progress() async throws {
        let file = ServedFile(bytes: bytes)
        let data = try #require(await broken(after: 4_000, of: file))
        defer { try? FileManager.default.removeItem(at: partialFile(of: data)) }
        let server = FileServer { request in
            var answer = file.answer(to: request)
            answer.isHeld = true
            answer.cut = 0
            return answer
        }
        let session = session(server)
        let request = session.download(resumingWith: data)
        let response = Task { await request.serializingData(automaticallyCancelling: false).response }
        try await eventually("the offset is reported") { request.downloadProgress.completedUnitCount == 4_000 }
        #expect(request.downloadProgress.totalUnitCount == 10_000)
        request.cancel()
        _ = await response.value
    }

    @Test("cancelling the task of a download leaves no resume data")
    func cancelledTask() async throws {
        let folder = try ScratchFolder()
        let file = ServedFile(bytes: bytes)
        let server = FileServer { request in
            var answer = file.answer(to: request)
            answer.isHeld = true
            answer.cut = 5_000
            return answer
        }
        let session = session(server)
        let request = session.download(url, to: folder.destination())
        let response = Task { await request.serializingData(automaticallyCancelling: false).response }
        await received(5_000, by: request)
        request.task?.cancel()
        let ended = await response.value
        #expect((ended.error?.underlyingError as? URLError)?.code == .cancelled)
        #expect(ended.resumeData == nil && ended.error?.downloadResumeData == nil)
        #expect(!request.isCancelled)
    }

    @Test("cancelling returns resume data, even without a waiter")
    func cancelling() async throws {
        let file = ServedFile(bytes: bytes)
        let server = FileServer { request in
            var answer = file.answer(to: request)
            answer.isHeld = request.headerFields[.range] == nil
            answer.cut = answer.isHeld ? 5_000 : nil
            return answer
        }
        let session = session(server)
        for way in 0..<2 {
            let request = session.download(url)
            let response = Task { await request.serializingData(automaticallyCancelling: false).response }
            await received(5_000, by: request)
            let data: Data?
            if way == 0 {
                data = await withCheckedContinuation { answer in request.cancel { answer.resume(returning: $0) } }
            } else {
                request.cancel(producingResumeData: true)
                data = await response.value.resumeData
            }
            let ended = await response.value
            #expect(ended.error?.isExplicitlyCancelledError == true)
            #expect(ended.resumeData == data)
            #expect(request.resumeData == data)
            let resumed = session.download(resumingWith: try #require(data))
            #expect(try await resumed.serializingData().value == bytes)
        }
    }

    @Test("cancelling without resume data leaves nothing behind")
    func plainCancel() async throws {
        let folder = try ScratchFolder()
        let file = ServedFile(bytes: bytes)
        let server = FileServer { request in
            var answer = file.answer(to: request)
            answer.isHeld = true
            answer.cut = 5_000
            return answer
        }
        let session = session(server)
        let request = session.download(url, to: folder.destination())
        let response = Task { await request.serializingData(automaticallyCancelling: false).response }
        await received(5_000, by: request)
        request.cancel(producingResumeData: false)
        #expect(await response.value.resumeData == nil)
        #expect(request.resumeData == nil)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
    }

    @Test("cancelling before the first byte or after the end returns no resume data, in one call")
    func nothingToResume() async throws {
        let file = ServedFile(bytes: bytes)
        let session = session(FileServer { file.answer(to: $0) })
        let unstarted = session.download(url)
        #expect(await withCheckedContinuation { answer in unstarted.cancel { answer.resume(returning: $0) } } == nil)
        let finished = session.download(url)
        _ = await finished.serializingData().response
        #expect(await withCheckedContinuation { answer in finished.cancel { answer.resume(returning: $0) } } == nil)
        #expect(finished.isFinished)
    }

    @Test("a changed file is downloaded from the start (RFC 9110 §13.1.5)")
    func changed() async throws {
        let data = try #require(await broken(after: 4_000, of: ServedFile(bytes: bytes)))
        let new = ServedFile(bytes: Data(bytes.reversed()), tag: "\"v2\"")
        let session = session(FileServer { new.answer(to: $0) })
        let response = await session.download(resumingWith: data).serializingData().response
        #expect(try response.result.get() == new.bytes)
        #expect(response.response?.statusCode == 200)
        #expect(!FileManager.default.fileExists(atPath: try partialFile(of: data).path))
    }

    /// A wrong answer to a request for the rest.
    struct Lie: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let apply: @Sendable (inout FileServer.Answer) -> Void
    }

    static let lies = [
        Lie(testDescription: "another start") { $0.fields[.contentRange] = "bytes 3999-9999/10000" },
        Lie(testDescription: "another length") { $0.fields[.contentRange] = "bytes 4000-9999/10001" },
        Lie(testDescription: "no range") { $0.fields[.contentRange] = nil },
        Lie(testDescription: "a range that is none") { $0.fields[.contentRange] = "bytes 4000-3000/10000" },
        Lie(testDescription: "an overflowing range") { $0.fields[.contentRange] = "bytes 4000-99999999999999999999/*" },
        Lie(testDescription: "several ranges") {
            $0.fields[.contentRange] = nil
            $0.fields[.contentType] = "multipart/byteranges; boundary=x"
        },
        Lie(testDescription: "another entity tag") { $0.fields[.eTag] = "\"v2\"" },
        Lie(testDescription: "a weak entity tag") { $0.fields[.eTag] = "W/\"v1\"" },
        Lie(testDescription: "a coding") { $0.fields[.contentEncoding] = "gzip" },
        Lie(testDescription: "status 416") { $0.status = 416 },
    ]

    @Test("a wrong range is discarded, and the whole file is requested", arguments: lies)
    func lie(lie: Lie) async throws {
        let file = ServedFile(bytes: bytes)
        let data = try #require(await broken(after: 4_000, of: file))
        let server = FileServer { request in
            var answer = file.answer(to: request)
            if request.headerFields[.range] != nil { lie.apply(&answer) }
            return answer
        }
        let session = session(server)
        let response = await session.download(resumingWith: data).serializingData().response
        #expect(try response.result.get() == bytes)
        #expect(response.response?.statusCode == 200)
        #expect(server.requests.count == 2)
        #expect(server.requests.last?.headerFields[.range] == nil)
        #expect(server.requests.last?.headerFields[.ifRange] == nil)
    }

    @Test("a range that is too short is kept, and the next request asks for the rest")
    func shortPart() async throws {
        let file = ServedFile(bytes: bytes)
        let data = try #require(await broken(after: 4_000, of: file))
        let server = FileServer { request in
            guard request.headerFields[.range] == "bytes=4000-" else { return file.answer(to: request) }
            var answer = file.answer(to: request)
            answer.body = answer.body.prefix(1_000)
            answer.fields[.contentRange] = "bytes 4000-4999/10000"
            return answer
        }
        let session = session(server)
        let first = await session.download(resumingWith: data).serializingData().response
        #expect(first.error?.transportError?.code == .bodyTruncated)
        #expect(first.error?.transportError?.origin?.host == "files.test")
        let second = await session.download(resumingWith: try #require(first.resumeData)).serializingData().response
        #expect(try second.result.get() == bytes)
        #expect(server.ranges == ["bytes=4000-", "bytes=5000-"])
    }

    @Test("an error page does not become part of the file")
    func errorPage() async throws {
        let file = ServedFile(bytes: bytes)
        let data = try #require(await broken(after: 4_000, of: file))
        let refusing = session(FileServer { _ in FileServer.Answer(status: 503, body: Data("later".utf8)) })
        let refused = refusing.download(resumingWith: data).validate()
        let response = await refused.serializingData().response
        #expect(response.error?.responseCode == 503)
        #expect(refused.resumeData == data)
        let session = session(FileServer { file.answer(to: $0) })
        #expect(try await session.download(resumingWith: data).serializingData().value == bytes)
    }

    @Test("resume data stays valid if the resumed download fails before its head")
    func failsBeforeHead() async throws {
        let file = ServedFile(bytes: bytes)
        let data = try #require(await broken(after: 4_000, of: file))
        let unreachable = session(FileServer { _ in FileServer.Answer(cut: 0) })
        _ = await unreachable.download(resumingWith: data).cancel().serializingData().response
        let session = session(FileServer { file.answer(to: $0) })
        let response = await session.download(resumingWith: data).serializingData().response
        #expect(try response.result.get() == bytes)
        #expect(response.response?.statusCode == 206)
    }

    @Test("a cancelled resumed download leaves the file unchanged")
    func resumedThenCancelled() async throws {
        let file = ServedFile(bytes: bytes)
        let data = try #require(await broken(after: 4_000, of: file))
        let server = FileServer { request in
            var answer = file.answer(to: request)
            answer.isHeld = true
            answer.cut = 2_000
            return answer
        }
        let holding = session(server)
        let request = holding.download(resumingWith: data)
        let response = Task { await request.serializingData(automaticallyCancelling: false).response }
        await received(6_000, by: request)
        request.cancel()
        _ = await response.value
        let session = session(FileServer { file.answer(to: $0) })
        let resumed = await session.download(resumingWith: data).serializingData().response
        #expect(try resumed.result.get() == bytes)
        #expect(resumed.response?.statusCode == 206)
    }

    /// A server that sends 2,000 bytes of the rest and then holds it, until the signal is raised.
    private func holding(_ file: ServedFile, until isReleased: Signal) -> FileServer {
        FileServer { request in
            var answer = file.answer(to: request)
            answer.isHeld = !isReleased.isUp
            answer.cut = answer.isHeld ? 2_000 : nil
            return answer
        }
    }

    @Test("the cancelled task of a resumed download leaves no resume data, and the file unchanged")
    func cancelledResumedTask() async throws {
        let file = ServedFile(bytes: bytes)
        let data = try #require(await broken(after: 4_000, of: file))
        let isReleased = Signal()
        let session = session(holding(file, until: isReleased))
        let request = session.download(resumingWith: data)
        let response = Task { await request.serializingData(automaticallyCancelling: false).response }
        await received(6_000, by: request)
        request.task?.cancel()
        let ended = await response.value
        #expect((ended.error?.underlyingError as? URLError)?.code == .cancelled)
        #expect(ended.resumeData == nil && ended.error?.downloadResumeData == nil)
        #expect(request.resumeData == nil && !request.isCancelled)
        isReleased.raise()
        let resumed = await session.download(resumingWith: data).serializingData().response
        #expect(try resumed.result.get() == bytes)
        #expect(resumed.response?.statusCode == 206)
    }

    @Test("a retry after the cancelled task of a resumed download continues with the given resume data")
    func retriedResumedTask() async throws {
        let file = ServedFile(bytes: bytes)
        let data = try #require(await broken(after: 4_000, of: file))
        let isReleased = Signal()
        let server = holding(file, until: isReleased)
        let retrier = Retrier { request, _, _, completion in
            completion(request.retryCount == 0 ? .retry : .doNotRetry)
        }
        let session = Session(transport: server, interceptor: Interceptor(retriers: [retrier]))
        let request = session.download(resumingWith: data)
        let response = Task { await request.serializingData(automaticallyCancelling: false).response }
        await received(6_000, by: request)
        isReleased.raise()
        request.task?.cancel()
        #expect(try await response.value.result.get() == bytes)
        #expect(server.ranges == ["bytes=4000-", "bytes=4000-"])
        #expect(request.resumeData == nil)
    }

    @Test("two downloads with the same resume data do not write to the same file")
    func sharedResumeData() async throws {
        let file = ServedFile(bytes: bytes)
        let data = try #require(await broken(after: 4_000, of: file))
        let session = session(FileServer { file.answer(to: $0) })
        try await withThrowingTaskGroup(of: Data.self) { group in
            for _ in 0..<4 {
                group.addTask { try await session.download(resumingWith: data).serializingData().value }
            }
            for try await result in group { #expect(result == bytes) }
        }
    }

    /// A change to the temporary file that a download left.
    enum Tampering: CaseIterable, Sendable { case gone, shorter, longer, rewritten, directory, symbolicLink, hardLink }

    @Test(
        "a changed temporary file is not trusted, and the download starts over",
        arguments: Tampering.allCases)
    func tampered(tampering: Tampering) async throws {
        let file = ServedFile(bytes: bytes)
        let data = try #require(await broken(after: 4_000, of: file))
        let partial = try partialFile(of: data)
        let manager = FileManager.default
        let other = partial.appendingPathExtension("other")
        defer { try? manager.removeItem(at: other) }
        switch tampering {
        case .gone: try manager.removeItem(at: partial)
        case .shorter: try Data(bytes.prefix(3_999)).write(to: partial)
        case .longer: try Data(bytes.prefix(4_001)).write(to: partial)
        case .rewritten: try Data(count: 4_000).write(to: partial)
        case .directory:
            try manager.removeItem(at: partial)
            try manager.createDirectory(at: partial, withIntermediateDirectories: false)
        case .symbolicLink:
            try manager.moveItem(at: partial, to: other)
            try manager.createSymbolicLink(at: partial, withDestinationURL: other)
        case .hardLink: try manager.linkItem(at: partial, to: other)
        }
        defer { try? manager.removeItem(at: partial) }
        let server = FileServer { file.answer(to: $0) }
        let session = session(server)
        #expect(try await session.download(resumingWith: data).serializingData().value == bytes)
        #expect(server.ranges == [])
    }

    /// Waits until a download has received as many bytes.
    private func received(_ count: Int64, by request: DownloadRequest) async {
        // The bytes may have arrived before a handler could be added.
        while request.downloadProgress.completedUnitCount < count, !Task.isCancelled {
            try? await Task.sleep(for: .milliseconds(2))
        }
    }
}
