import Airframe
import Foundation
import Glibc
import HTTPTypes
import Synchronization
import Testing

@Suite("Destinations of downloads", .timeLimit(.minutes(5)))
struct DestinationTests {
    private let file = ServedFile(bytes: Data("a file".utf8))
    private let folder: ScratchFolder
    private let session: Session

    init() throws {
        folder = try ScratchFolder()
        let file = file
        session = Session(transport: FileServer { file.answer(to: $0) })
    }

    private func download(to destination: DownloadRequest.Destination?) async -> AFDownloadResponse<URL> {
        await session.download("http://files.test/name.txt", to: destination).serializingDownloadedFileURL().response
    }

    @Test("without a destination the file stays in the temporary directory under a unique name")
    func temporary() async throws {
        let url = try await download(to: nil).result.get()
        defer { try? FileManager.default.removeItem(at: url) }
        #expect(url.deletingLastPathComponent().path == FileManager.default.temporaryDirectory.path)
        #expect(try Data(contentsOf: url) == file.bytes)
    }

    @Test("the destination gets the temporary file and the response")
    func arguments() async throws {
        let target = folder.url.appendingPathComponent("here")
        let seen = Mutex<(Bool, Int)>((false, 0))
        let response = await download { temporary, response in
            seen.withLock { $0 = (FileManager.default.fileExists(atPath: temporary.path), response.statusCode) }
            return (target, [])
        }
        #expect(response.fileURL == target)
        #expect(seen.withLock { $0 } == (true, 200))
        #expect(try Data(contentsOf: target) == file.bytes)
    }

    @Test("a missing directory is an error that names source and destination, unless the option creates it")
    func directories() async throws {
        let failed = await download(to: folder.destination("a/b/file"))
        #expect(failed.error?.isDownloadedFileMoveError == true)
        #expect(failed.error?.destinationURL == folder.url.appendingPathComponent("a/b/file"))
        let source = try #require(failed.error?.sourceURL)
        #expect(!FileManager.default.fileExists(atPath: source.path))
        let made = await download(to: folder.destination("a/b/file", .createIntermediateDirectories))
        #expect(try Data(contentsOf: made.result.get()) == file.bytes)
    }

    @Test("an existing file is an error and stays, unless the option removes it")
    func previousFile() async throws {
        let target = folder.url.appendingPathComponent("file")
        try Data("old".utf8).write(to: target)
        let failed = await download(to: folder.destination())
        #expect(failed.error?.isDownloadedFileMoveError == true)
        #expect(try Data(contentsOf: target) == Data("old".utf8))
        let replaced = await download(to: folder.destination("file", .removePreviousFile))
        #expect(try Data(contentsOf: replaced.result.get()) == file.bytes)
    }

    @Test("an existing directory is removed by the option as well")
    func previousDirectory() async throws {
        let target = folder.url.appendingPathComponent("file/inside")
        try FileManager.default.createDirectory(at: target, withIntermediateDirectories: true)
        let replaced = await download(to: folder.destination("file", [.removePreviousFile]))
        #expect(try Data(contentsOf: replaced.result.get()) == file.bytes)
    }

    @Test("an existing pipe, device or socket is an error and stays")
    func previousPipe() async throws {
        let target = folder.url.appendingPathComponent("file")
        try #require(mkfifo(target.path, 0o600) == 0)
        let failed = await download(to: folder.destination("file", .removePreviousFile))
        #expect(failed.error?.isDownloadedFileMoveError == true)
        #expect(FileManager.default.fileExists(atPath: target.path))
    }

    @Test("a destination on another file system gets the whole file", .enabled(if: DestinationTests.hasOtherFileSystem))
    func otherFileSystem() async throws {
        let target = URL(fileURLWithPath: "/dev/shm/airframe-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: target) }
        let response = await download { _, _ in (target, []) }
        #expect(try Data(contentsOf: response.result.get()) == file.bytes)
    }

    private static let hasOtherFileSystem = FileManager.default.isWritableFile(atPath: "/dev/shm")

    @Test("the destination may be the temporary file itself")
    func itself() async throws {
        let url = try await download { temporary, _ in (temporary, []) }.result.get()
        defer { try? FileManager.default.removeItem(at: url) }
        #expect(try Data(contentsOf: url) == file.bytes)
    }

    @Test("the suggested destination is in the user's directory, under the response's name")
    func suggested() throws {
        let url = try #require(URL(string: "http://files.test/from-url"))
        let fields = ["Content-Disposition": "attachment; filename=\"../report.pdf\""]
        let response = try #require(
            HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: fields)
        )
        let destination = DownloadRequest.suggestedDownloadDestination(
            for: .cachesDirectory,
            options: [.removePreviousFile]
        )
        let (target, options) = destination(url, response)
        let directory = try #require(FileManager.default.urls(for: .cachesDirectory, in: .userDomainMask).first)
        #expect(target == directory.appendingPathComponent("report.pdf"))
        #expect(options == [.removePreviousFile])
    }

    /// A synchronous monitor that records the events of complete files.
    private final class FileMonitor: EventMonitor {
        private let recorded = Mutex<[String]>([])
        let isCalledSynchronously = true
        let receivesTransportEvents = false

        var events: [String] { recorded.withLock { $0 } }

        private func record(_ event: String) { recorded.withLock { $0.append(event) } }

        func urlSession(
            _ session: URLSession,
            downloadTask: URLSessionDownloadTask,
            didFinishDownloadingTo location: URL
        ) { record("arrived") }

        func request(
            _ request: DownloadRequest,
            didFinishDownloadingUsing task: URLSessionTask,
            with result: Result<URL, AFError>
        ) {
            switch result {
            case .success: record("moved")
            case .failure(let error): record(error.isDownloadedFileMoveError ? "not moved" : "\(error)")
            }
        }
    }

    /// The end of a download, and the events of its file.
    enum End: CaseIterable, Sendable {
        case success, failedMove, lostConnection, cancellation

        var events: [String] {
            switch self {
            case .success: ["arrived", "moved"]
            case .failedMove: ["arrived", "not moved"]
            case .lostConnection, .cancellation: []
            }
        }
    }

    @Test(
        "monitors receive the result of a complete file's move, and none of a failed transfer", arguments: End.allCases)
    func monitors(end: End) async throws {
        let monitor = FileMonitor()
        let file = file
        let server = FileServer { request in
            var answer = file.answer(to: request)
            if end == .lostConnection || end == .cancellation { answer.cut = 3 }
            answer.isHeld = end == .cancellation
            return answer
        }
        let session = Session(transport: server, eventMonitors: [monitor])
        let destination = folder.destination(end == .failedMove ? "a/b/file" : "file")
        let request = session.download("http://files.test/name.txt", to: destination)
        let response = Task { await request.serializingData(automaticallyCancelling: false).response }
        if end == .cancellation {
            while request.downloadProgress.completedUnitCount < 3 { try await Task.sleep(for: .milliseconds(2)) }
            request.cancel()
        }
        let ended = await response.value
        #expect((ended.error == nil) == (end == .success))
        #expect(monitor.events == end.events)
        if let data = request.resumeData { try FileManager.default.removeItem(at: partialFile(of: data)) }
    }

    @Test("a response that fails its validation is downloaded")
    func invalid() async throws {
        let session = Session(transport: FileServer { _ in FileServer.Answer(status: 404, body: Data("gone".utf8)) })
        let request = session.download("http://files.test/", to: folder.destination()).validate()
        let response = await request.serializingDownloadedFileURL().response
        #expect(response.error?.responseCode == 404)
        #expect(try Data(contentsOf: try #require(response.fileURL)) == Data("gone".utf8))
    }
}
