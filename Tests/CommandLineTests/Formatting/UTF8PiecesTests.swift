import AirframeCommandLine
import Foundation
import Testing

@Suite("UTF-8 in pieces", .timeLimit(.minutes(1)))
struct UTF8PiecesTests {
    @Test("text is the same wherever it is cut", arguments: ["aé€😀z", "é", "", "ab\u{1B}é"])
    func cuts(text: String) {
        let bytes = Data(text.utf8)
        for length in 1...5 {
            var pieces = UTF8Pieces()
            var result = ""
            for start in stride(from: 0, to: bytes.count, by: length) {
                result += pieces.text(bytes[start..<min(start + length, bytes.count)])
            }
            result += pieces.finish()
            #expect(result == text, "pieces of \(length) bytes")
        }
    }

    @Test("bytes that are not UTF-8 become replacement characters, and none is kept for long")
    func malformed() {
        var pieces = UTF8Pieces()
        let bytes: [[UInt8]] = [[0x61, 0xFF], [0x80, 0x80, 0x80, 0x80], [0xE2, 0x82]]
        let texts = bytes.map { pieces.text(Data($0)) }
        #expect(texts == ["a\u{FFFD}", String(repeating: "\u{FFFD}", count: 4), ""])
        let ends = [pieces.finish(), pieces.finish()]
        #expect(ends == ["\u{FFFD}", ""])
    }
}
