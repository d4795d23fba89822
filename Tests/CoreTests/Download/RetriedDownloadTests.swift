import AirframeCore
import AirframeSerialization
import AirframeTransport
import Foundation
import Testing

@Suite("Retried downloads", .timeLimit(.minutes(1)))
struct RetriedDownloadTests {
    /// A synchronous monitor that records the files at their destinations.
    private final class PlacementMonitor: EventMonitor {
        let files = Log<URL>()
        let isCalledSynchronously = true
        let receivesTransportEvents = false

        func request(
            _ request: DownloadRequest,
            didFinishDownloadingUsing task: URLSessionTask,
            with result: Result<URL, AFError>
        ) {
            if case .success(let url) = result { files.append(url) }
        }
    }

    private let monitor = PlacementMonitor()

    /// A session whose first response has `status` and the text "first", and whose second one is "2".
    private func session(status: Int) -> Session {
        let attempts = Counter()
        let retrier = Retrier { request, _, _, completion in
            completion(request.retryCount == 0 ? .retry : .doNotRetry)
        }
        let transport = ClosureTransport { request in
            attempts.next() == 1 ? .text("first", status: status, to: request) : .text("2", to: request)
        }
        return Session(
            transport: transport, interceptor: Interceptor(retriers: [retrier]), eventMonitors: [monitor])
    }

    private func exists(_ file: URL) -> Bool { FileManager.default.fileExists(atPath: file.path) }

    @Test("remove the file of the failed attempt")
    func temporaryFile() async throws {
        let session = session(status: 503)
        let request = session.download("http://files.test/").validate()
        let file = try await request.serializingDownloadedFileURL().value
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(monitor.files.values.count == 2)
        #expect(monitor.files.values.filter(exists) == [file])
        #expect(try Data(contentsOf: file) == Data("2".utf8))
    }

    @Test("can move their file to the destination of the failed attempt")
    func destination() async throws {
        let session = session(status: 503)
        let target = FileManager.default.temporaryDirectory.appendingPathComponent("airframe-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: target) }
        let request = session.download("http://files.test/", to: { _, _ in (target, []) }).validate()
        #expect(try await request.serializingDownloadedFileURL().value == target)
        #expect(try Data(contentsOf: target) == Data("2".utf8))
    }

    @Test("keep a file that a handler has received")
    func deliveredFile() async throws {
        let session = session(status: 200)
        let request = session.download("http://files.test/")
        let first = try await request.serializingDownloadedFileURL().value
        defer { try? FileManager.default.removeItem(at: first) }
        // The serializer of a late handler fails, which causes a retry.
        #expect(try await request.serializingDecodable(Int.self).value == 2)
        #expect(request.retryCount == 1)
        #expect(exists(first))
        let second = try #require(request.fileURL)
        try FileManager.default.removeItem(at: second)
    }
}
