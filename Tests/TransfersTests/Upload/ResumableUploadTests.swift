import AirframeConformance
import AirframeCore
import AirframeSerialization
import AirframeTestSupport
import AirframeTransfers
import Foundation
import Synchronization
import Testing

/// Cases that hold for each protocol over each engine.
struct UploadCase: Sendable, CustomTestStringConvertible {
    let dialect: UploadServer.Dialect
    let engine: TestedEngine
    var testDescription: String { "\(dialect) over \(engine)" }
    var uploadProtocol: ResumableUploadProtocol { dialect == .tus ? .tus() : .ietf }

    static let all = [UploadServer.Dialect.draft(6), .draft(3), .tus].flatMap { dialect in
        TestedEngine.allCases.map { UploadCase(dialect: dialect, engine: $0) }
    }
}

@Suite("Resumable uploads", .timeLimit(.minutes(2)))
struct ResumableUploadTests {
    private let content = pseudorandom(2 << 20, seed: 5)

    @Test(
        "an upload without faults is one request with the draft, and a creation and a part with tus",
        arguments: UploadCase.all)
    func plain(_ test: UploadCase) async throws {
        let folder = try ScratchFolder()
        // A server of version 3 does not announce a resource to a client that begins with version 6.
        let server = try UploadServer(test.dialect)
        let file = try folder.file("f", content)
        let response = await test.engine.session().upload(file, to: server.url.absoluteString)
            .resumable(using: test.uploadProtocol).validate().serializingData(emptyResponseCodes: [200, 204]).response
        #expect(response.error == nil)
        #expect(server.contents == [content])
        #expect(server.methods == (test.dialect == .tus ? ["POST", "PATCH"] : ["POST"]))
        #expect(server.failures.isEmpty)
    }

    @Test(
        "an interrupted upload continues at the server's offset, and no stored byte is sent again",
        arguments: UploadCase.all.filter { $0.dialect != .draft(3) })
    func continued(_ test: UploadCase) async throws {
        let folder = try ScratchFolder()
        let server = try UploadServer(test.dialect, .init(cuts: [700_000, 1, 300_000]))
        let file = try folder.file("f", content)
        let response = await test.engine.session().upload(file, to: server.url.absoluteString)
            .resumable(using: test.uploadProtocol).validate().serializingData(emptyResponseCodes: [200, 204]).response
        #expect(response.error == nil)
        #expect(server.contents == [content])
        #expect(server.state.creations == 1)
        let offsets = server.requests.filter { $0.method == "PATCH" }.compactMap { $0.number("Upload-Offset") }
        #expect(offsets == (test.dialect == .tus ? [0, 700_000, 700_001, 1_000_001] : [700_000, 700_001, 1_000_001]))
    }

    @Test("data in memory is resumed like a file", arguments: UploadCase.all.filter { $0.dialect != .draft(3) })
    func data(_ test: UploadCase) async throws {
        let server = try UploadServer(test.dialect, .init(cuts: [700_000]))
        let response = await test.engine.session().upload(content, to: server.url.absoluteString)
            .resumable(using: test.uploadProtocol).serializingData(emptyResponseCodes: [200, 204]).response
        #expect(response.error == nil)
        #expect(server.contents == [content])
    }

    @Test(
        "the offset is wrong once: the server is asked again",
        arguments: UploadCase.all.filter { $0.dialect != .draft(3) })
    func wrongOffset(_ test: UploadCase) async throws {
        let server = try UploadServer(test.dialect, .init(cuts: [700_000], wrongOffsets: 1))
        let response = await test.engine.session().upload(content, to: server.url.absoluteString)
            .resumable(using: test.uploadProtocol).serializingData(emptyResponseCodes: [200, 204]).response
        #expect(response.error == nil)
        #expect(server.contents == [content])
        #expect(server.methods.count { $0 == "HEAD" } == 2)
    }

    @Test(
        "an upload that the server has lost is created again",
        arguments: UploadCase.all.filter { $0.dialect != .draft(3) })
    func gone(_ test: UploadCase) async throws {
        let server = try UploadServer(test.dialect, .init(cuts: [700_000], losesUploads: true))
        let response = await test.engine.session().upload(content, to: server.url.absoluteString)
            .resumable(using: test.uploadProtocol).serializingData(emptyResponseCodes: [200, 204]).response
        #expect(response.error == nil)
        #expect(server.contents == [content])
        #expect(server.state.creations == 2)
    }

    @Test(
        "a different length on the server fails the upload",
        arguments: UploadCase.all.filter { $0.dialect != .draft(3) })
    func disagreeingLength(_ test: UploadCase) async throws {
        let server = try UploadServer(test.dialect, .init(cuts: [700_000, 1, 1, 1, 1, 1, 1, 1], announcedLength: 17))
        let response = await test.engine.session().upload(content, to: server.url.absoluteString)
            .resumable(using: test.uploadProtocol, attempts: 2).serializingData(emptyResponseCodes: [200, 204]).response
        #expect(server.contents.isEmpty)
        #expect("\(response.error.map { "\($0.underlyingError ?? $0)" } ?? "")".contains("17"))
    }

    @Test(
        "a response that is lost after the end is not sent for again",
        arguments: UploadCase.all.filter { $0.dialect != .draft(3) && $0.dialect != .tus })
    func lostResponse(_ test: UploadCase) async throws {
        let server = try UploadServer(test.dialect, .init(losesFinalResponse: true))
        let response = await test.engine.session().upload(content, to: server.url.absoluteString)
            .resumable(using: test.uploadProtocol).serializingData(emptyResponseCodes: [200, 204]).response
        #expect(response.error == nil)
        #expect(server.contents == [content])
        #expect(server.methods == ["POST", "HEAD"])
    }

    @Test("without 104 a failed POST is not repeated and a failed PUT is", arguments: TestedEngine.allCases)
    func lostCreation(engine: TestedEngine) async throws {
        for method in [HTTPMethod.post, .put] {
            let server = try UploadServer(.draft(6), .init(cuts: [700_000], losesCreation: true))
            let response = await engine.session().upload(content, to: server.url.absoluteString, method: method)
                .resumable().serializingData(emptyResponseCodes: [200, 204]).response
            #expect((response.error == nil) == (method == .put))
            #expect(server.state.creations == (method == .put ? 2 : 1))
        }
    }

    @Test("version 3 is tried after no response to version 6", arguments: TestedEngine.allCases)
    func negotiation(engine: TestedEngine) async throws {
        let server = try UploadServer(.draft(3), .init(cuts: [700_000, 700_000]))
        let response = await engine.session().upload(content, to: server.url.absoluteString, method: .put)
            .resumable().serializingData(emptyResponseCodes: [200, 204]).response
        #expect(response.error == nil)
        #expect(server.contents == [content])
        #expect(server.requests.map { $0["Upload-Draft-Interop-Version"] } == ["6", "3", "3", "3"])
        #expect(server.methods == ["PUT", "PUT", "HEAD", "PATCH"])
        #expect(server.requests.last?["Upload-Incomplete"] == "?0")
    }

    @Test("a server without resumable uploads receives an ordinary upload", arguments: TestedEngine.allCases)
    func unknown(engine: TestedEngine) async throws {
        let server = try UploadServer(.none)
        let response = await engine.session().upload(content, to: server.url.absoluteString)
            .resumable().serializingData(emptyResponseCodes: [200]).response
        #expect(response.error == nil)
        #expect(server.contents == [content])
    }

    @Test("parts respect the server's limit, and only the last one completes the upload")
    func limits() async throws {
        let server = try UploadServer(.draft(6), .init(cuts: [1 << 20], maximumAppend: 300_000))
        let response = await TestedEngine.sockets.session().upload(content, to: server.url.absoluteString)
            .resumable().serializingData(emptyResponseCodes: [200, 204]).response
        #expect(response.error == nil)
        #expect(server.contents == [content])
        let parts = server.requests.filter { $0.method == "PATCH" }
        #expect(parts.map(\.contentLength) == [300_000, 300_000, 300_000, 148_576])
        #expect(parts.map { $0["Upload-Complete"] } == ["?0", "?0", "?0", "?1"])
        #expect(parts.allSatisfy { $0["Content-Type"] == "application/partial-upload" })
    }

    @Test("every part has the fields of the request except those of its content")
    func fields() async throws {
        let server = try UploadServer(.draft(6), .init(cuts: [1 << 20]))
        let headers: HTTPHeaders = ["Authorization": "Bearer t", "Content-Type": "video/mp4", "X-Id": "1"]
        let response = await TestedEngine.sockets.session().upload(
            content, to: server.url.absoluteString, headers: headers
        )
        .resumable().serializingData(emptyResponseCodes: [200, 204]).response
        #expect(response.error == nil)
        #expect(server.requests.map { $0["Authorization"] } == ["Bearer t", "Bearer t", "Bearer t"])
        #expect(server.requests.map { $0["X-Id"] } == ["1", "1", "1"])
        #expect(server.requests.map { $0["Content-Type"] } == ["video/mp4", nil, "application/partial-upload"])
    }

    @Test("a server that never completes the upload fails it", arguments: [0, 2 << 20])
    func endless(offset: Int) async throws {
        let methods = Mutex<[String]>([])
        let server = try ScriptedServer { connection in
            while true {
                let head = HTTPHead(try connection.readHead())
                methods.withLock { $0.append(head.method) }
                try connection.read(head.contentLength)
                try connection.respond(
                    head.method == "HEAD" ? 204 : 201,
                    [
                        "Location": "/u", "Upload-Draft-Interop-Version": "6", "Upload-Complete": "?0",
                        "Upload-Offset": "\(offset)",
                    ])
            }
        }
        defer { server.stop() }
        let response = await TestedEngine.sockets.session().upload(content, to: server.origin)
            .resumable(attempts: 2).serializingData(emptyResponseCodes: [200, 201, 204]).response
        let message = response.error.map { "\($0.underlyingError ?? $0)" } ?? ""
        #expect(message.contains("\(offset) bytes after a part"), "\(message)")
        let sent = methods.withLock { $0 }
        #expect(sent == ["POST", "HEAD", "PATCH", "HEAD", "PATCH"])
    }

    @Test("a server that loses each creation fails the upload")
    func lostCreations() async throws {
        let creations = Mutex(0)
        let server = try ScriptedServer { connection in
            while true {
                let head = HTTPHead(try connection.readHead())
                creations.withLock { $0 += 1 }
                try connection.respond(104, ["Location": "/u", "Upload-Draft-Interop-Version": "6"])
                try connection.read(head.contentLength)
                try connection.respond(404)
            }
        }
        defer { server.stop() }
        let response = await TestedEngine.sockets.session().upload(content, to: server.origin)
            .resumable(attempts: 1).serializingData().response
        #expect(response.error != nil)
        let count = creations.withLock { $0 }
        #expect(count == 3)
    }

    @Test("an upload resource of another origin receives no credentials")
    func foreignLocation() async throws {
        let other = try UploadServer(.draft(6))
        let location = other.url.appendingPathComponent("x").absoluteString
        let server = try ScriptedServer { connection in
            _ = try connection.readHead()
            try connection.respond(104, ["Location": location, "Upload-Draft-Interop-Version": "6"])
            try connection.read(100_000)
            connection.reset()
        }
        let headers: HTTPHeaders = ["Authorization": "Bearer t", "X-Id": "1"]
        let response = await TestedEngine.sockets.session().upload(content, to: server.origin, headers: headers)
            .resumable(attempts: 2).serializingData().response
        #expect(response.error != nil)
        #expect(other.methods == ["HEAD"])
        #expect(other.requests.first?["Authorization"] == nil)
        #expect(other.requests.first?["X-Id"] == "1")
    }

    @Test("progress counts each byte once", arguments: TestedEngine.allCases)
    func progress(engine: TestedEngine) async throws {
        let server = try UploadServer(.draft(6), .init(cuts: [1 << 20]))
        let request = engine.session().upload(content, to: server.url.absoluteString).resumable()
        _ = await request.serializingData(emptyResponseCodes: [200, 204]).response
        #expect(request.uploadProgress.completedUnitCount == Int64(content.count))
    }

    @Test(
        "a file that changes during its upload is noticed", arguments: UploadCase.all.filter { $0.dialect != .draft(3) }
    )
    func changed(_ test: UploadCase) async throws {
        let folder = try ScratchFolder()
        let file = try folder.file("f", content)
        let server = try UploadServer(test.dialect, .init(cuts: [700_000]))
        server.change { state in state.changeFile = { try? Data("other".utf8).write(to: file) } }
        let response = await test.engine.session().upload(file, to: server.url.absoluteString)
            .resumable(using: test.uploadProtocol).serializingData(emptyResponseCodes: [200, 204]).response
        #expect(response.error.map { "\($0.underlyingError ?? $0)" }?.contains("changed") == true)
        #expect(server.contents.isEmpty)
    }
}

@Suite("Uploads by tus 1.0", .timeLimit(.minutes(1)))
struct TusUploadTests {
    private let content = pseudorandom(1 << 20, seed: 6)

    private func upload(_ server: UploadServer, _ options: TusOptions) async -> DataResponse<Data, AFError> {
        await TestedEngine.sockets.session().upload(content, to: server.url.absoluteString)
            .resumable(using: .tus(options)).validate().serializingData(emptyResponseCodes: [200, 201, 204]).response
    }

    @Test("every request names the version, and metadata is in Base64")
    func metadata() async throws {
        let server = try UploadServer(.tus)
        let response = await upload(server, TusOptions(metadata: ["filename": "a b.bin", "x": ""]))
        #expect(response.error == nil)
        #expect(server.requests.allSatisfy { $0["Tus-Resumable"] == "1.0.0" })
        #expect(server.requests.first?["Upload-Metadata"] == "filename YSBiLmJpbg==,x")
        #expect(server.requests.last?["Content-Type"] == "application/offset+octet-stream")
        #expect(response.response?.headers["Location"]?.hasPrefix(server.url.absoluteString) == true)
    }

    @Test("pieces have checksums, and a damaged piece is sent again")
    func checksums() async throws {
        let server = try UploadServer(.tus, .init(checksumMismatches: 1))
        let response = await upload(server, TusOptions(pieceLength: 400_000, sendsChecksums: true))
        #expect(response.error == nil)
        #expect(server.contents == [content])
        #expect(server.state.checksums.count == 4)
        #expect(server.state.checksums.allSatisfy { $0.hasPrefix("sha256 ") })
        #expect(server.state.checksums[0] == server.state.checksums[1])
    }

    @Test("parts are uploaded concurrently, resumed separately and concatenated")
    func concatenation() async throws {
        let server = try UploadServer(.tus, .init(cuts: [100_000, 5000]))
        let response = await upload(server, TusOptions(parallelParts: 3))
        #expect(response.error == nil)
        #expect(server.contents == [content])
        #expect(server.state.creations == 3)
        #expect(response.response?.statusCode == 201)
    }

    @Test("empty content needs no part")
    func empty() async throws {
        let server = try UploadServer(.tus)
        let response = await TestedEngine.sockets.session().upload(Data(), to: server.url.absoluteString)
            .resumable(using: .tus()).validate().serializingData(emptyResponseCodes: [201]).response
        #expect(response.error == nil)
        #expect(server.methods == ["POST"])
        #expect(server.contents == [Data()])
    }
}
