import AirframeConformance
import AirframeSocket
import HTTPTypes
import Testing

/// Random sequences of field sections. A session, which remembers the last head by its bytes, must report what
/// libnghttp2's inflater alone decodes from the same bytes (RFC 7541).
@Suite("remembered compressed heads compared with plain decoding", .timeLimit(.minutes(2)))
struct BlocksBesidePlainDecoding {
    /// The number of responses of each seed.
    private static let responseCount = 2_000

    @Test("a session reports what plain decoding reports", arguments: 1...20)
    func random(_ seed: Int) throws {
        var numbers = SeededNumbers(seed)
        var (count, lastCount) = (0, 0)
        while count < Self.responseCount {
            let server = try BlockServer(numbers.next())
            while !server.hasFailed, count + server.responseCount < Self.responseCount { try server.step() }
            (lastCount, count) = (server.responseCount, count + server.responseCount)
        }
        // A malformed section ends a connection. They are rare, so that most connections see long sequences.
        #expect(lastCount > 0)
    }
}
