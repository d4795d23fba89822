import AirframeCompression
import Testing

@Suite("Stacked codings", .timeLimit(.minutes(5)))
struct StackedCodingTests {
    @Test("stacked codings are decoded in reverse order of application (RFC 9110 §8.4)")
    func order() throws {
        var random = SeededGenerator(6)
        let content = random.text(100_000)
        for first in ContentCoding.allCases {
            for second in ContentCoding.allCases {
                let coded = try encode(encode(content, as: first), as: second)
                let cuts = (0..<20).map { _ in Int.random(in: 0...coded.count, using: &random) }
                #expect(decode(coded, as: [first, second], cutAt: cuts).bytes == content)
            }
        }
    }

    @Test("as many as the limit decode, one more is refused")
    func depth() throws {
        let content = Array("deep".utf8)
        let codings: [ContentCoding] = [.gzip, .brotli, .zstd, .deflate, .gzip]
        let coded = try codings.reduce(content) { try encode($0, as: $1) }
        #expect(decode(coded, as: codings).bytes == content)
        #expect(decode([], as: codings + [.gzip]).reason == .tooManyCodings(limit: 5))
    }

    @Test("an inner stream that breaks off is an error though the outer one is whole")
    func innerTruncated() throws {
        let inner = try encode(Array("content".utf8), as: .brotli)
        #expect(decode(try encode(inner.dropLast(), as: .gzip), as: [.brotli, .gzip]).reason == .truncated)
    }

    @Test("an outer stream that breaks off is an error though the inner one is whole")
    func outerTruncated() throws {
        let inner = try encode(Array("content".utf8), as: .brotli)
        #expect(decode(try encode(inner, as: .gzip).dropLast(), as: [.brotli, .gzip]).reason == .truncated)
    }

    @Test("without a coding content stays as it is")
    func none() {
        #expect(decode([1, 2, 3], as: [], cutAt: [1]).bytes == [1, 2, 3])
    }
}

extension Array where Element == UInt8 {
    fileprivate func dropLast() -> [UInt8] { Array(self[..<(count - 1)]) }
}
