import AirframeTestSupport
import Testing

@testable import AirframeCurl

@Suite("The chunk decoder")
struct ChunkDecoderTests {
    /// The decoder's output for pieces: content, trailer lines, and how many bytes were left.
    private func decode(_ pieces: [[UInt8]]) throws(HeadParser.Failure) -> (content: String, lines: [String], left: Int)
    {
        var decoder = ChunkDecoder()
        var content: [UInt8] = []
        var lines: [String] = []
        var left = 0
        for piece in pieces {
            var position = 0
            try piece.withUnsafeBufferPointer { bytes throws(HeadParser.Failure) in
                while let part = try decoder.next(in: bytes, from: &position) {
                    switch part {
                    case .content(let bytes): content += bytes
                    case .trailerLine(let line): lines.append(String(decoding: line, as: UTF8.self))
                    case .end: lines.append("end")
                    }
                }
            }
            left += piece.count - position
        }
        return (String(decoding: content, as: UTF8.self), lines, left)
    }

    private static let text = "3;a=\"b;c\"\r\nabc\r\n00a\r\n0123456789\r\n0\r\nX: 1\r\n folded\r\n\r\nrest"

    @Test("content, trailers and surplus are recognized however the bytes are split")
    func cuts() throws {
        let bytes = Array(Self.text.utf8)
        for cut in 0...bytes.count {
            let result = try decode([Array(bytes[..<cut]), Array(bytes[cut...])])
            #expect(result.content == "abc0123456789")
            #expect(result.lines == ["X: 1\r\n", " folded\r\n", "end"])
            #expect(result.left == 4)
        }
        #expect(try decode(bytes.map { [$0] }).content == "abc0123456789")
    }

    @Test(
        "the length of lines is limited",
        arguments: ["2;" + String(repeating: "a", count: 5000), "0\r\nX: " + String(repeating: "a", count: 200_000)])
    func bounds(text: String) {
        #expect(throws: HeadParser.Failure.self) { try decode([Array(text.utf8)]) }
        #expect(throws: HeadParser.Failure.self) { try decode(text.utf8.map { [$0] }) }
    }
}
