import AirframeCore
import AirframeSecurity
import AirframeTestSupport
import AirframeTransport
import Foundation
import Synchronization
import Testing

/// Evaluators that block their thread, as Alamofire's may.
@Suite("Evaluators that block", .serialized, .timeLimit(.minutes(2)))
struct BlockingEvaluatorTests {
    /// Blocks the thread that it is called on, until it is released.
    ///
    /// `@unchecked Sendable`: the semaphore is immutable, and may be used from any thread.
    private final class Blocking: ServerTrustEvaluating, @unchecked Sendable {
        private let gate = DispatchSemaphore(value: 0)
        private let entered = Mutex(0)

        var count: Int { entered.withLock(\.self) }

        func evaluate(_ trust: ServerTrust, forHost host: String) throws {
            entered.withLock { $0 += 1 }
            gate.wait()
        }

        func release() { for _ in 0..<count { gate.signal() } }
    }

    /// Waits in the way of callers that know no other: for a task, on a thread.
    private struct Bridging: ServerTrustEvaluating {
        func evaluate(_ trust: ServerTrust, forHost host: String) throws {
            let done = Signal()
            Task {
                try? await Task.sleep(for: .milliseconds(20))
                done.semaphore.signal()
            }
            done.semaphore.wait()
        }
    }

    /// `@unchecked Sendable`: the semaphore is immutable, and may be used from any thread.
    private final class Signal: @unchecked Sendable {
        let semaphore = DispatchSemaphore(value: 0)
    }

    /// More than there are threads of Swift's.
    private static let many = 2 * ProcessInfo.processInfo.activeProcessorCount + 2

    @Test(
        "the limit of the evaluation ends the handshake, and other requests continue", arguments: TestedEngine.allCases)
    func limit(engine: TestedEngine) async throws {
        let pki = try PKI.made()
        let port = try LiveServers.running().port("valid")
        let transport = engine.transport
        let blocking = Blocking()
        // At the end of the test: until then each of the evaluations blocks.
        defer { blocking.release() }
        let policy = try pki.policy
        try await withThrowingTaskGroup(of: TransportError?.self) { group in
            for _ in 0..<Self.many {
                group.addTask {
                    do {
                        _ = try await LiveRequest.fetch(transport, nil, port: port) {
                            $0.trust = EvaluatorTrust(blocking, limit: .seconds(1))
                        }
                        return nil
                    } catch {
                        return error as? TransportError
                    }
                }
            }
            try await eventually("all evaluations") { blocking.count >= Self.many }
            // All of them block by now.
            let other = await LiveRequest.verdict(transport, DefaultTrustEvaluator(policy: policy), port: port)
            #expect(other == .trusted)
            for try await error in group {
                #expect(error?.code == .trustRefused, "\(String(describing: error))")
                #expect(error?.message.contains("took longer than") == true, "\(String(describing: error))")
            }
        }
    }

    @Test("a limit of the transport ends it too", arguments: TestedEngine.allCases)
    func transportLimit(engine: TestedEngine) async throws {
        let port = try LiveServers.running().port("valid")
        let blocking = Blocking()
        let error = await #expect(throws: TransportError.self) {
            try await LiveRequest.fetch(engine.transport, blocking, port: port) {
                $0.options.deadline = .seconds(1)
            }
        }
        #expect(error?.code == .timedOut)
        blocking.release()
    }

    @Test("an evaluator that waits for a task does not block other requests", arguments: TestedEngine.allCases)
    func bridging(engine: TestedEngine) async throws {
        let port = try LiveServers.running().port("valid")
        let verdicts = await withTaskGroup(of: Verdict.self) { group in
            for _ in 0..<Self.many {
                group.addTask { await LiveRequest.verdict(engine.transport, Bridging(), port: port) }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(verdicts == Array(repeating: .trusted, count: Self.many))
    }

    @Test("an evaluator within a composite does not block other requests")
    func composite() async throws {
        let blocking = Blocking()
        let trust = EvaluatorTrust(
            CompositeTrustEvaluator(evaluators: [blocking]), limit: .milliseconds(200))
        await #expect(throws: AFError.self) {
            try await trust.evaluate(chain: [], host: "localhost", port: 443, stapledOCSPResponse: nil)
        }
        blocking.release()
    }
}
