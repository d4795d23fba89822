import AirframeCompression
import Testing

@Suite("Decompression bombs", .timeLimit(.minutes(5)))
struct BombTests {
    /// A GiB of zeros in pieces of a MiB.
    private static func bomb(_ coding: ContentCoding) throws -> [UInt8] {
        var encoder = try ContentEncoder(coding, level: 1)
        let zeros = [UInt8](repeating: 0, count: 1 << 20)
        var coded: [UInt8] = []
        if coding == .gzip || coding == .deflate {
            // After the first flush every MiB is encoded as the same bytes.
            coded = try encoder.encode(zeros) + encoder.flush()
            let block = try encoder.encode(zeros) + encoder.flush()
            for _ in 1..<1024 { coded += block }
            return coded
        }
        for _ in 0..<1024 { coded += try encoder.encode(zeros) }
        return try coded + encoder.finish()
    }

    @Test("a GiB of zeros is rejected with the ratio", arguments: ContentCoding.allCases)
    func gibibyte(coding: ContentCoding) throws {
        let bomb = try Self.bomb(coding)
        var decoder = try ContentDecoder(coding)
        var total = 0
        var failure: ContentCodingError?
        decoder.push(bomb)
        do throws(ContentCodingError) {
            while let piece = try decoder.next() { total += piece.count }
        } catch {
            failure = error
        }
        #expect(failure?.reason == .ratioTooHigh(limit: 200))
        #expect(failure?.description.contains("maximumRatio") == true)
        #expect(total <= 17 << 20)
    }

    @Test("a bomb within another coding is rejected by its own stage")
    func stacked() throws {
        let bomb = try encode(Self.bomb(.brotli), as: .gzip)
        #expect(decode(bomb, as: [.brotli, .gzip]).reason == .ratioTooHigh(limit: 200))
        // Bytes of the outer coding after the end of the inner stream count for the limit.
        let hidden = try encode(encode([1], as: .brotli) + [UInt8](repeating: 0, count: 64 << 20), as: .gzip)
        #expect(decode(hidden, as: [.brotli, .gzip]).reason == .ratioTooHigh(limit: 200))
    }

    @Test(
        "a size above the limit is rejected with the limit, a size at the limit is not",
        arguments: ContentCoding.allCases)
    func size(coding: ContentCoding) throws {
        let coded = try encode([UInt8](repeating: 1, count: 100_000), as: coding)
        #expect(decode(coded, as: coding, limits: DecodingLimits(maximumSize: 100_000)).bytes?.count == 100_000)
        let refused = decode(coded, as: coding, limits: DecodingLimits(maximumSize: 99_999))
        #expect(refused.reason == .tooLarge(limit: 99_999))
        if case .failure(let error) = refused { #expect("\(error)".contains("99999 bytes")) }
    }

    @Test("small content may have any ratio, and without limits large content too")
    func allowance() throws {
        let zeros = [UInt8](repeating: 0, count: 20 << 20)
        #expect(decode(try encode(Array(zeros[..<(16 << 20)]), as: .gzip), as: .gzip).bytes?.count == 16 << 20)
        #expect(decode(try encode(zeros, as: .gzip), as: .gzip, limits: .none).bytes?.count == 20 << 20)
        #expect(decode(try encode(zeros, as: .gzip), as: .gzip).reason == .ratioTooHigh(limit: 200))
    }
}
