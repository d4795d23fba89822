import AirframeCompression
import Testing

@Suite("Encoding and decoding", .timeLimit(.minutes(5)))
struct RoundTripTests {
    static let contents: [[UInt8]] = {
        var random = SeededGenerator(1)
        return [
            [], [0], Array("a".utf8), Array(repeating: 7, count: 300_000), random.bytes(200_000), random.text(500_000),
        ]
    }()

    @Test("encoded content decodes to the original", arguments: ContentCoding.allCases)
    func roundTrip(coding: ContentCoding) throws {
        for content in Self.contents {
            #expect(decode(try encode(content, as: coding), as: coding).bytes == content)
        }
    }

    @Test("every level can be used", arguments: ContentCoding.allCases)
    func levels(coding: ContentCoding) throws {
        var random = SeededGenerator(2)
        let content = random.text(20_000)
        for level in coding.levels {
            #expect(decode(try encode(content, as: coding, level: level), as: coding).bytes == content)
        }
    }

    @Test("a level outside a coding's range is rejected with the range", arguments: ContentCoding.allCases)
    func levelOutOfRange(coding: ContentCoding) {
        for level in [coding.levels.lowerBound - 1, coding.levels.upperBound + 1] {
            #expect {
                _ = try encode([], as: coding, level: level)
            } throws: { error in
                (error as? ContentCodingError)?.reason == .levelOutOfRange(coding.levels)
            }
        }
    }

    @Test("content encoded in pieces with flushes decodes as a whole", arguments: ContentCoding.allCases)
    func pieces(coding: ContentCoding) throws {
        var random = SeededGenerator(3)
        let content = random.text(200_000)
        var encoder = try ContentEncoder(coding)
        var coded: [UInt8] = []
        var position = 0
        while position < content.count {
            let end = min(content.count, position + Int.random(in: 1...9_000, using: &random))
            coded += try encoder.encode(Array(content[position..<end]))
            if Bool.random(using: &random) { coded += try encoder.flush() }
            position = end
        }
        coded += try encoder.finish()
        #expect(decode(coded, as: coding).bytes == content)
    }

    @Test("after a flush all input can be decoded", arguments: ContentCoding.allCases)
    func flush(coding: ContentCoding) throws {
        var encoder = try ContentEncoder(coding)
        var decoder = try ContentDecoder(coding)
        for word in ["wing", "rudder", "flap"].map({ Array($0.utf8) }) {
            let coded = try encoder.encode(word) + encoder.flush()
            let decoded = try decoder.decode(coded)
            #expect(decoded == word)
        }
    }

    @Test("a finished encoder rejects input", arguments: ContentCoding.allCases)
    func finished(coding: ContentCoding) throws {
        var encoder = try ContentEncoder(coding)
        _ = try encoder.finish()
        var reason: ContentCodingError.Reason?
        do throws(ContentCodingError) { _ = try encoder.encode([1]) } catch { reason = error.reason }
        #expect(reason == .finished)
    }

    @Test("the input may be divided at any position", arguments: ContentCoding.allCases)
    func splits(coding: ContentCoding) throws {
        var random = SeededGenerator(4)
        let content = random.text(3_000)
        let coded = try encode(content, as: coding)
        for cut in 0...coded.count {
            #expect(decode(coded, as: [coding], cutAt: [cut]).bytes == content)
        }
        #expect(decode(coded, as: [coding], cutAt: Array(0...coded.count)).bytes == content)
    }

    @Test("content truncated at any position is an error", arguments: ContentCoding.allCases)
    func truncated(coding: ContentCoding) throws {
        var random = SeededGenerator(5)
        let coded = try encode(random.text(3_000), as: coding)
        for count in 1..<coded.count {
            #expect(decode(Array(coded[..<count]), as: coding).reason == .truncated, "after \(count) bytes")
        }
    }

    @Test("empty input decodes to empty content", arguments: ContentCoding.allCases)
    func empty(coding: ContentCoding) {
        #expect(decode([], as: coding).bytes == [])
        #expect(decode([], as: [coding, .gzip]).bytes == [])
    }

    @Test("bytes after the content are ignored", arguments: ContentCoding.allCases)
    func garbage(coding: ContentCoding) throws {
        let content = Array("content".utf8)
        let coded = try encode(content, as: coding)
        for garbage in [[0], [0, 0, 0, 0, 0, 0], Array("<!-- served in 3 ms -->".utf8)] as [[UInt8]] {
            #expect(decode(coded + garbage, as: coding).bytes == content)
            #expect(decode(coded + garbage, as: [coding], cutAt: Array(0...coded.count)).bytes == content)
        }
    }

    @Test("a piece is never longer than 64 KiB", arguments: ContentCoding.allCases)
    func pieceSize(coding: ContentCoding) throws {
        var decoder = try ContentDecoder(coding)
        decoder.push(try encode([UInt8](repeating: 0, count: 1 << 20), as: coding))
        var total = 0
        while let piece = try decoder.next() {
            #expect((1...65_536).contains(piece.count))
            total += piece.count
        }
        #expect(total == 1 << 20)
    }
}
