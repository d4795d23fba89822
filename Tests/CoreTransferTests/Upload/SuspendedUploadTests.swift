import Airframe
import AirframeMock
import AirframeTestSupport
import Foundation
import HTTPTypes
import Synchronization
import Testing

extension RealTransfers {
    @Suite("Uploads that are suspended", .timeLimit(.minutes(5)))
    struct SuspendedUploadTests {
        private static let size = 96 << 20
        /// The bytes that kernel and engine may buffer between the gate and the server.
        private static let underway = 32 << 20

        /// A body of 96 MiB.
        enum Content: CaseIterable, Sendable { case file, data, sequence }

        private func upload(_ content: Content, _ session: Session, _ url: String, _ folder: ScratchFolder) throws
            -> UploadRequest
        {
            switch content {
            case .file: return session.upload(try folder.file(size: Self.size), to: url)
            case .data: return session.upload(Data(count: Self.size), to: url)
            case .sequence:
                let count = Mutex(0)
                let pieces = AsyncStream<Data> {
                    let isOver = count.withLock { count in
                        count += 1
                        return count > Self.size >> 20
                    }
                    return isOver ? nil : Data(count: 1 << 20)
                }
                return session.upload(pieces, length: Int64(Self.size), to: url)
            }
        }

        @Test(
            "nothing is sent until they are resumed, and then everything", arguments: Content.allCases,
            TestedEngine.allCases)
        func held(content: Content, engine: TestedEngine) async throws {
            let folder = try ScratchFolder()
            let server = try CountingServer()
            let session = engine.session()
            let request = try upload(content, session, server.origin, folder)
            let suspendedAt = await withCheckedContinuation { continuation in
                let isWaiting = Mutex(true)
                request.uploadProgress(queue: .global()) { [weak request] progress in
                    let isFirst = isWaiting.withLock { waiting in
                        defer { waiting = false }
                        return waiting
                    }
                    guard isFirst else { return }
                    request?.suspend()
                    continuation.resume(returning: Int(request?.task?.countOfBytesSent ?? 0))
                }
                request.response { _ in }
            }
            server.proceed()
            // Long enough for all of it on a connection that is not held; what arrives stays within the buffers.
            try await Task.sleep(for: .seconds(2))
            #expect(server.received <= suspendedAt + Self.underway)
            #expect(server.received < Self.size)
            #expect(request.isSuspended)
            request.resume()
            let data = try await request.serializingData().value
            #expect(data == Data("ok".utf8))
            #expect(server.received == Self.size)
            #expect(request.uploadProgress.completedUnitCount == Int64(Self.size))
        }

        @Test("a suspended upload can be cancelled", arguments: TestedEngine.allCases)
        func cancelled(engine: TestedEngine) async throws {
            let folder = try ScratchFolder()
            let server = try CountingServer()
            let session = engine.session()
            let request = try upload(.file, session, server.origin, folder)
            request.uploadProgress(queue: .global()) { [weak request] _ in
                request?.suspend()
                request?.cancel()
                server.proceed()
            }
            let response = await request.serializingData(automaticallyCancelling: false).response
            #expect(response.error?.isExplicitlyCancelledError == true)
            #expect(server.received < Self.size)
        }

        @Test("the limit on idle writing does not run while an upload is suspended", arguments: TestedEngine.allCases)
        func limits(engine: TestedEngine) async throws {
            let server = try CountingServer()
            server.proceed()
            let session = engine.session()
            var urlRequest = try URLRequest(url: server.origin, method: .post)
            urlRequest.transportOptions.limits.writeIdle = .seconds(5)
            let held = SuspendingPieces(at: 10, of: 20)
            let request = session.upload(held.pieces, length: 20_000, with: urlRequest)
            await held.untilSuspended(request)
            try await Task.sleep(for: .seconds(7))
            request.resume()
            #expect(try await request.serializingString().value == "ok")
            #expect(server.received == 20_000)
        }

        @Test("the mock suspends them as well, at the exact piece")
        func mock() async throws {
            let mock = MockTransport { Route(.post, "/").reply(.text("ok")) }
            let session = Session(transport: mock)
            let held = SuspendingPieces(at: 10, of: 20)
            let request = session.upload(held.pieces, to: "http://api.test/")
            await held.untilSuspended(request)
            try await Task.sleep(for: .milliseconds(300))
            #expect(mock.lastRequest?.bodyByteCount == 9_000)
            request.resume()
            #expect(try await request.serializingString().value == "ok")
            #expect(mock.lastRequest?.bodyByteCount == 20_000)
        }
    }
}

/// A body in pieces of 1,000 bytes that suspends its own request while one of them is made.
private final class SuspendingPieces: Sendable {
    private struct PiecesState {
        var made = 0
        var suspend: (@Sendable () -> Void)?
    }

    private let number: Int
    private let count: Int
    private let state = Mutex(PiecesState())

    init(at number: Int, of count: Int) {
        self.number = number
        self.count = count
    }

    var pieces: AsyncStream<Data> {
        AsyncStream { [self] in
            let (made, suspend) = state.withLock { state in
                state.made += 1
                return (state.made, state.suspend)
            }
            if made == number { suspend?() }
            return made > count ? nil : Data(count: 1_000)
        }
    }

    /// Starts a request that has the pieces as its body, and returns when it has been suspended.
    func untilSuspended(_ request: UploadRequest) async {
        await withCheckedContinuation { continuation in
            state.withLock {
                $0.suspend = { [weak request] in
                    request?.suspend()
                    continuation.resume()
                }
            }
            request.response { _ in }
        }
    }
}
