import AirframeOpenSSL
import AirframeTestSupport
import AirframeTransport
import Testing

@Suite("Verdicts on the chains of TLS sessions (decision 112)", .timeLimit(.minutes(1)))
struct SessionVerdictTests {
    private static let second: Int64 = 1_000_000_000

    @Test("a verdict holds for the verified chain alone, and for a minute")
    func minute() throws {
        let pki = try PKI.made()
        let chain = [try pki.certificate("valid").der, try pki.certificate("intermediate").der]
        let verdict = try #require(SessionVerdict(trusting: chain, at: 5 * Self.second))
        #expect(verdict.holds(for: chain, at: 5 * Self.second))
        #expect(verdict.holds(for: chain, at: 64 * Self.second))
        #expect(!verdict.holds(for: chain, at: 65 * Self.second))
        #expect(!verdict.holds(for: Array(chain.prefix(1)), at: 5 * Self.second))
        #expect(!verdict.holds(for: [], at: 5 * Self.second))
    }

    @Test("a verdict ends before the first certificate of the chain expires")
    func expiry() throws {
        let pki = try PKI.made()
        let expiring = try pki.certificate(try pki.makeExpiring("verdict", after: 20)).der
        let chain = [expiring, try pki.certificate("intermediate").der]
        let verdict = try #require(SessionVerdict(trusting: chain, at: 0))
        #expect(verdict.holds(for: chain, at: 5 * Self.second))
        #expect(!verdict.holds(for: chain, at: 20 * Self.second))
    }

    @Test("there is no verdict on an expired, unreadable or missing chain")
    func none() throws {
        let expired = try PKI.made().certificate("expired").der
        #expect(SessionVerdict(trusting: [expired], at: 0) == nil)
        #expect(SessionVerdict(trusting: [DER([1, 2, 3])], at: 0) == nil)
        #expect(SessionVerdict(trusting: [], at: 0) == nil)
    }
}
