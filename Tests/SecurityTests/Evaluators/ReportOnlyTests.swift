import AirframeCore
import AirframeSecurity
import AirframeTestSupport
import AirframeTransport
import Synchronization
import Testing

@Suite("Failed pins that are only reported", .timeLimit(.minutes(5)))
struct ReportOnlyTests {
    /// Pins of a user's evaluator: they never match, and nothing else is validated.
    private struct OwnPins: ServerTrustEvaluating {
        func evaluate(_ trust: ServerTrust, forHost host: String) throws {
            throw AFError.serverTrustEvaluationFailed(
                reason: .certificatePinningFailed(
                    host: host, trust: trust, pinnedCertificates: [], serverCertificates: []))
        }
    }

    /// Pins that never match, without any other validation.
    private func barePins(_ pki: PKI) throws -> PinSetTrustEvaluator {
        PinSetTrustEvaluator(
            try PinSet([try pki.certificate("client").publicKey.pin]),
            performDefaultValidation: false,
            validateHost: false
        )
    }

    /// The verdicts of both forms of a trial, and how often it reported.
    private func outcome(
        _ evaluator: any ServerTrustEvaluating,
        _ trust: ServerTrust,
        policy: ChainPolicy = ChainPolicy()
    ) async -> (verdicts: [Verdict], reports: Int) {
        let reports = Mutex(0)
        let trial = ReportOnlyTrustEvaluator(evaluator, policy: policy) { _, _ in reports.withLock { $0 += 1 } }
        var verdicts = [Verdict.of(trial, trust)]
        do {
            try await trial.evaluateAsync(trust, forHost: trust.host)
            verdicts.append(.trusted)
        } catch {
            verdicts.append(Verdict(error))
        }
        return (verdicts, reports.withLock { $0 })
    }

    private func expect(
        _ outcome: (verdicts: [Verdict], reports: Int),
        _ verdict: Verdict,
        _ comment: Comment
    ) {
        #expect(outcome.verdicts == [verdict, verdict], comment)
        #expect(outcome.reports == (verdict == .trusted ? 2 : 0), comment)
    }

    @Test("a failed pin does not keep the next evaluators from refusing", arguments: Kind.all)
    func composites(kind: Kind) async throws {
        let pki = try PKI.made()
        let trust = try pki.trust(kind.name, host: kind.host)
        let pins = try barePins(pki)
        let whole = DefaultTrustEvaluator(policy: try pki.policy)
        let composite = CompositeTrustEvaluator(evaluators: [pins, whole])
        let evaluators: [(any ServerTrustEvaluating, Comment)] = [
            (composite, "a composite"),
            (
                CompositeTrustEvaluator(evaluators: [CompositeTrustEvaluator(evaluators: [pins]), whole]),
                "a composite of a composite of pins"
            ),
            (
                CompositeTrustEvaluator(evaluators: [OwnPins(), composite, DisabledTrustEvaluator()]),
                "a composite of all in a composite"
            ),
            (
                IssuerFetchingTrustEvaluator(composite, transport: ScriptedTransport.responder(pki, fault: .broken)),
                "a composite that issuers are fetched for"
            ),
            (
                CompositeTrustEvaluator(evaluators: [ReportOnlyTrustEvaluator(whole) { _, _ in }, pins]),
                "a trial in a composite"
            ),
        ]
        for (evaluator, comment) in evaluators { expect(await outcome(evaluator, trust), kind.verdict, comment) }
    }

    @Test("the trial validates the chain and the host if no evaluator does", arguments: Kind.all)
    func ownEvaluators(kind: Kind) async throws {
        let pki = try PKI.made()
        let policy = try pki.policy
        let trust = try pki.trust(kind.name, host: kind.host)
        let pins = try barePins(pki)
        let hostless = PinSetTrustEvaluator(
            try PinSet([try pki.certificate("client").publicKey.pin]), validateHost: false, policy: policy)
        let evaluators: [(any ServerTrustEvaluating, Comment)] = [
            (OwnPins(), "an evaluator of the user"), (pins, "pins alone"), (hostless, "pins with the chain"),
            (CompositeTrustEvaluator(evaluators: [OwnPins(), pins]), "a composite of both"),
        ]
        for (evaluator, comment) in evaluators {
            expect(await outcome(evaluator, trust, policy: policy), kind.verdict, comment)
        }
        let unknown = await outcome(OwnPins(), trust)
        #expect(unknown.verdicts == [.chain, .chain] && unknown.reports == 0, "the system knows none of these")
    }

    @Test("a wrapped evaluator that validates the host does so by its own policy")
    func policies() async throws {
        let pki = try PKI.made()
        let trust = try pki.trust("valid")
        let pins = PinSetTrustEvaluator(
            try PinSet([try pki.certificate("client").publicKey.pin]), policy: try pki.policy)
        expect(await outcome(pins, trust), .trusted, "pins")
        let composite = CompositeTrustEvaluator(evaluators: [OwnPins(), pins])
        expect(await outcome(composite, trust), .trusted, "the first of two failures is reported")
    }

    @Test("a server that is refused leaves no key of first use")
    func firstUse() async throws {
        let pki = try PKI.made()
        let store = MemoryFirstUseStore()
        let composite = CompositeTrustEvaluator(evaluators: [
            try barePins(pki), TrustOnFirstUseEvaluator(store: store),
        ])
        #expect(Verdict.of(composite, try pki.trust("valid")) == .pin, "without a trial the composite stops")
        let trial = await outcome(composite, try pki.trust("untrusted"), policy: try pki.policy)
        expect(trial, .chain, "the trial validates the chain before the next evaluator is called")
        #expect(store.remember("none", forHost: "localhost", port: 443) == "none")
    }
}
