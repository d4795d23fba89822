import AirframeTransport
import Testing

private final class Judge: Sendable {}

@Suite("A trust key", .timeLimit(.minutes(1)))
struct TrustKeyTests {
    @Test("of a string equals those of the same string")
    func texts() {
        #expect(TrustKey("pins a") == TrustKey("pins a"))
        #expect(TrustKey("pins a") != TrustKey("pins b"))
        #expect(Set([TrustKey("a"), TrustKey("a"), TrustKey("b"), TrustKey("")]).count == 3)
    }

    @Test("of an object equals those of the same object and no other")
    func objects() {
        let (first, second) = (Judge(), Judge())
        #expect(TrustKey(first) == TrustKey(first))
        #expect(TrustKey(first) != TrustKey(second))
        #expect(Set([TrustKey(first), TrustKey(first), TrustKey(second)]).count == 2)
    }

    @Test("of an object never equals that of a string that looks like it")
    func kinds() {
        let judge = Judge()
        #expect(TrustKey(judge) != TrustKey("\(ObjectIdentifier(judge))"))
    }

    @Test("keeps its object alive, so that no later object gets its identity")
    func lifetime() {
        weak var remembered: Judge?
        var key: TrustKey?
        do {
            let judge = Judge()
            remembered = judge
            key = TrustKey(judge)
        }
        #expect(remembered != nil)
        #expect(key != nil)
        key = nil
        #expect(remembered == nil)
    }

    @Test("A closure's evaluation has a unique key, and calls the closure")
    func closures() async throws {
        let evaluation = ClosureTrustEvaluation { chain, host, port, staple in
            guard chain == [DER([1])], host == "api.test", port == 443, staple == DER([2]) else { throw lost }
        }
        let other = ClosureTrustEvaluation { _, _, _, _ in throw ForeignError(number: 3) }
        #expect(evaluation.key == evaluation.key)
        #expect(evaluation.key != other.key)
        try await evaluation.evaluate(
            chain: [DER([1])],
            host: "api.test",
            port: 443,
            stapledOCSPResponse: DER([2])
        )
        await #expect(throws: ForeignError(number: 3)) {
            try await other.evaluate(chain: [], host: "api.test", port: 443, stapledOCSPResponse: nil)
        }
    }
}
