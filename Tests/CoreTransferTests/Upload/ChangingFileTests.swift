import Airframe
import AirframeTestSupport
import Foundation
import Synchronization
import Testing

extension RealTransfers {
    @Suite("Files that change under an upload", .timeLimit(.minutes(5)))
    struct ChangingFileTests {
        private static let size = 64 << 20

        /// The change of the file.
        enum Change: CaseIterable, Sendable { case rewritten, cut }

        @Test(
            "a file that changes while it is sent fails the upload before its end",
            arguments: Change.allCases, TestedEngine.allCases)
        func changed(change: Change, engine: TestedEngine) async throws {
            let folder = try ScratchFolder()
            let file = try folder.file(size: Self.size)
            let server = try CountingServer()
            let session = engine.session()
            let hasChanged = Mutex(false)
            let request = session.upload(file, to: server.origin)
            request.uploadProgress(queue: .global()) { _ in
                guard !hasChanged.withLock({ $0 }) else { return }
                let isFirst = hasChanged.withLock { changed in
                    defer { changed = true }
                    return !changed
                }
                guard isFirst, let handle = try? FileHandle(forWritingTo: file) else { return }
                switch change {
                case .rewritten: try? handle.write(contentsOf: Data("new".utf8))
                case .cut: try? handle.truncate(atOffset: 1 << 20)
                }
                try? handle.close()
                server.proceed()
            }
            let response = await request.serializingData().response
            let code = response.error?.transportError?.code
            #expect(code == (change == .cut ? .bodyLengthMismatch : .bodyFailed))
            #expect("\(response.error as Any)".contains(file.path))
            #expect(server.received < Self.size)
        }

        @Test(
            "a missing file fails any attempt with an error that names it",
            arguments: TestedEngine.allCases)
        func gone(engine: TestedEngine) async throws {
            let folder = try ScratchFolder()
            let session = engine.session()
            let missing = folder.url.appendingPathComponent("missing")
            let response = await session.upload(missing, to: "http://127.0.0.1:1/").serializingData().response
            #expect(response.error?.transportError?.code == .bodyFailed)
            #expect("\(response.error as Any)".contains(missing.path))

            let file = try folder.file(size: 10)
            let retrier = Retrier { request, _, _, completion in
                try? FileManager.default.removeItem(at: file)
                completion(request.retryCount == 0 ? .retry : .doNotRetry)
            }
            let retried = await session.upload(
                file, to: "http://127.0.0.1:1/", interceptor: Interceptor(retriers: [retrier])
            )
            .serializingData().response
            #expect("\(retried.error as Any)".contains(file.path))
        }
    }
}
