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

    @Test("an instant of expiry before the range of nanoseconds is no fault")
    func ancient() throws {
        let ancient = try Self.expiring("00010101000000Z", try PKI.made().certificate("valid").der)
        #expect(SessionVerdict(trusting: [ancient], at: 0) == nil)
    }

    /// Returns a certificate with another instant of expiry, whose text is two bytes longer. The signature is wrong.
    private static func expiring(_ instant: String, _ certificate: DER) throws -> DER {
        var bytes = Array(certificate.bytes)
        let utcTime: [UInt8] = [0x17, 13]
        let times = bytes.indices.dropLast(2).filter { Array(bytes[$0..<$0 + 2]) == utcTime && bytes[$0 + 14] == 0x5A }
        let expiry = try #require(times.dropFirst().first)
        bytes.replaceSubrange(expiry..<expiry + 15, with: [0x18, 15] + Array(instant.utf8))
        // The lengths of the validity, of the certificate and of the part to be signed.
        bytes[expiry - 16] += 2
        for length in [2, 6] {
            let value = (Int(bytes[length]) << 8 | Int(bytes[length + 1])) + 2
            (bytes[length], bytes[length + 1]) = (UInt8(value >> 8), UInt8(value & 0xFF))
        }
        return DER(bytes)
    }

    @Test("there is no verdict on an expired, unreadable or missing chain")
    func none() throws {
        let expired = try PKI.made().certificate("expired").der
        #expect(SessionVerdict(trusting: [expired], at: 0) == nil)
        #expect(SessionVerdict(trusting: [DER([1, 2, 3])], at: 0) == nil)
        #expect(SessionVerdict(trusting: [], at: 0) == nil)
    }
}
