import AirframeCore
import AirframeTransport
import Synchronization
import Testing

@Suite("ServerTrustManager", .timeLimit(.minutes(1)))
struct ServerTrustManagerTests {
    private func origin(_ host: String) -> Origin { Origin(scheme: "https", host: host) }

    @Test("rejects a host without an evaluator, unless allHostsMustBeEvaluated is false")
    func unknownHosts() throws {
        let strict = ServerTrustManager(evaluators: ["api.test": Trusting()])
        #expect(strict.allHostsMustBeEvaluated)
        #expect(try strict.serverTrustEvaluator(forHost: "api.test") is Trusting)
        let error = #expect(throws: AFError.self) { try strict.serverTrustEvaluator(forHost: "other.test") }
        guard case .serverTrustEvaluationFailed(.noRequiredEvaluator("other.test")) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(throws: AFError.self) { try strict.trust(for: origin("other.test")) }
        let lenient = ServerTrustManager(allHostsMustBeEvaluated: false, evaluators: ["api.test": Trusting()])
        #expect(try lenient.serverTrustEvaluator(forHost: "other.test") == nil)
        #expect(try lenient.trust(for: origin("other.test")) == nil)
    }

    @Test(
        "matches hosts in any spelling",
        arguments: [
            ("api.test", "API.Test"), ("API.test", "api.test"), ("api.test.", "api.test"), ("api.test", "api.test."),
            ("::1", "[::1]"), ("[::1]", "::1"), ("bücher.test", "xn--bcher-kva.test"),
            ("xn--bcher-kva.test", "BÜCHER.test"), ("例え.test", "xn--r8jz45g.test"),
        ]
    )
    func spellings(key: String, host: String) throws {
        let manager = ServerTrustManager(evaluators: [key: Trusting()])
        #expect(try manager.serverTrustEvaluator(forHost: host) is Trusting)
    }

    @Test("applies the most specific pattern")
    func closest() throws {
        let names = ["*", "**.test", "**.api.test", "*.api.test", "a.api.test"]
        let evaluators = Dictionary(uniqueKeysWithValues: names.map { ($0, Named(name: $0)) })
        let manager = ServerTrustManager(evaluators: evaluators)
        for (host, name) in [
            ("a.api.test", "a.api.test"), ("b.api.test", "*.api.test"), ("a.b.api.test", "**.api.test"),
            ("api.test", "**.api.test"), ("test", "**.test"), ("elsewhere", "*"), ("127.0.0.1", "*"),
        ] {
            let found = try manager.serverTrustEvaluator(forHost: host) as? Named
            #expect(found?.name == name, "\(host)")
        }
    }

    @Test("shares connections only among the evaluations of one evaluator")
    func keys() throws {
        let object = Trusting()
        let manager = ServerTrustManager(
            evaluators: ["a.test": object, "b.test": object, "c.test": Trusting(), "d.test": Unhashable()]
        )
        func key(_ host: String) throws -> TrustKey? { try manager.trust(for: origin(host))?.key }
        #expect(try key("a.test") == key("a.test"))
        #expect(try key("a.test") == key("b.test"))
        #expect(try key("a.test") != key("c.test"))
        #expect(try key("d.test") == key("d.test"), "a value in the table keeps its key")
        #expect(EvaluatorTrust(Unhashable()).key != EvaluatorTrust(Unhashable()).key)
        #expect(EvaluatorTrust(Named(name: "a")).key == EvaluatorTrust(Named(name: "a")).key)
        #expect(EvaluatorTrust(Named(name: "a")).key != EvaluatorTrust(Named(name: "b")).key)
    }

    @Test("calls a subclass each time")
    func subclasses() throws {
        let manager = Alternating(evaluators: [:])
        let first = try manager.trust(for: origin("a.test"))
        let second = try manager.trust(for: origin("a.test"))
        #expect(first?.key != second?.key)
    }

    @Test("returns the identity for a host")
    func identities() {
        let identity = ClientIdentity(chain: [DER([1])], privateKey: DER([2]))
        let manager = ServerTrustManager(evaluators: [:], clientIdentities: ["*.api.test": identity])
        #expect(manager.identity(for: origin("a.api.test")) == identity)
        #expect(manager.identity(for: origin("api.test")) == nil)
    }
}

@Suite("EvaluatorTrust", .timeLimit(.minutes(1)))
struct EvaluatorTrustTests {
    private func failure(of evaluator: any ServerTrustEvaluating, limit: Duration = .seconds(60)) async -> AFError? {
        do {
            let trust = EvaluatorTrust(evaluator, limit: limit)
            try await trust.evaluate(chain: [DER([1])], host: "a.test", port: 443, stapledOCSPResponse: nil)
            return nil
        } catch {
            return error.asAFError
        }
    }

    @Test(
        "a limit beyond the range of the clock means no limit",
        arguments: [Duration.seconds(Int64.max), .seconds(1e20)])
    func hugeLimit(_ limit: Duration) async throws {
        try await EvaluatorTrust(Trusting(), limit: limit)
            .evaluate(chain: [], host: "api.test", port: 443, stapledOCSPResponse: nil)
    }

    @Test("passes on the chain")
    func passes() async throws {
        let seen = Mutex<ServerTrust?>(nil)
        let trust = EvaluatorTrust(
            Closure { trust, host in
                #expect(host == "a.test")
                seen.withLock { $0 = trust }
            })
        try await trust.evaluate(chain: [DER([1])], host: "a.test", port: 8443, stapledOCSPResponse: DER([7]))
        let shown = try #require(seen.withLock { $0 })
        #expect(shown.chain == [DER([1])])
        #expect(shown.port == 8443)
        #expect(shown.stapledOCSPResponse == DER([7]))
        #expect(shown.policies == [.hostname("a.test")])
    }

    @Test("passes on an AFError, and wraps any other error as customEvaluationFailed")
    func errors() async {
        let own = await failure(
            of: Closure { _, _ in
                throw AFError.serverTrustEvaluationFailed(reason: .noCertificatesFound)
            })
        guard case .serverTrustEvaluationFailed(.noCertificatesFound) = own else {
            Issue.record("\(String(describing: own))")
            return
        }
        let bare = await failure(of: Closure { _, _ in throw AFError.ServerTrustFailureReason.noPublicKeysFound })
        guard case .serverTrustEvaluationFailed(.noPublicKeysFound) = bare else {
            Issue.record("\(String(describing: bare))")
            return
        }
        let foreign = await failure(of: Closure { _, _ in throw Broken() })
        guard case .serverTrustEvaluationFailed(.customEvaluationFailed(let error)) = foreign else {
            Issue.record("\(String(describing: foreign))")
            return
        }
        #expect(error is Broken)
    }

    @Test("awaits an asynchronous evaluator")
    func waits() async {
        #expect(await failure(of: Waiting { await Task.yield() }) == nil)
        #expect(await failure(of: Waiting { throw Broken() })?.isServerTrustEvaluationError == true)
        #expect(throws: AFError.self) {
            try Waiting {}.evaluate(ServerTrust(chain: [], host: "a.test"), forHost: "a.test")
        }
    }

    @Test("rejects the server after the time limit, even if the evaluator ignores its cancellation")
    func timeouts() async {
        let gate = AsyncStream<Never>.makeStream()
        let error = await failure(
            of: Waiting {
                // Ends only with the test: cancellation does not reach the task within.
                await Task { for await _ in gate.stream {} }.value
            },
            limit: .milliseconds(20)
        )
        gate.continuation.finish()
        guard case .serverTrustEvaluationFailed(.customEvaluationFailed(let reason)) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason is EvaluationTimedOut)
        #expect("\(reason)".contains("a.test"))
    }
}

private final class Trusting: ServerTrustEvaluating {
    func evaluate(_ trust: ServerTrust, forHost host: String) throws {}
}

private struct Named: ServerTrustEvaluating, Hashable {
    let name: String

    func evaluate(_ trust: ServerTrust, forHost host: String) throws {}
}

private struct Unhashable: ServerTrustEvaluating {
    let closure: @Sendable () -> Void = {}

    func evaluate(_ trust: ServerTrust, forHost host: String) throws {}
}

// `@unchecked Sendable` as its class is: what it adds is immutable.
private final class Alternating: ServerTrustManager, @unchecked Sendable {
    override func serverTrustEvaluator(forHost host: String) throws -> (any ServerTrustEvaluating)? { Trusting() }
}

private struct Closure: ServerTrustEvaluating {
    let closure: @Sendable (ServerTrust, String) throws -> Void

    init(_ closure: @escaping @Sendable (ServerTrust, String) throws -> Void) { self.closure = closure }

    func evaluate(_ trust: ServerTrust, forHost host: String) throws { try closure(trust, host) }
}

private struct Waiting: AsyncServerTrustEvaluating {
    let closure: @Sendable () async throws -> Void

    init(_ closure: @escaping @Sendable () async throws -> Void) { self.closure = closure }

    func evaluateAsync(_ trust: ServerTrust, forHost host: String) async throws { try await closure() }
}

private struct Broken: Error {}
