import AirframeCore
import AirframeSerialization
import AirframeTestSupport
import Foundation
import Testing

@Suite("Text by its charset", .timeLimit(.minutes(1)))
struct CharsetTests {
    private func text(_ bytes: [UInt8], _ contentType: String?) throws -> String {
        let response = try SerializerTests.response(contentType: contentType)
        return try StringResponseSerializer().serialize(request: nil, response: response, data: Data(bytes), error: nil)
    }

    @Test("every label of the WHATWG Encoding Standard decodes as Python's codecs do")
    func labels() async throws {
        struct Case: Decodable {
            let label: String
            let bytes: [UInt8]
            let text: String
            let invalid: [UInt8]
        }
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Peers/encodings.py")
        let outcome = try await Command(["python3", script.standardizedFileURL.path]).run()
        try #require(outcome.status == 0, "\(outcome.output)")
        let cases = try JSONDecoder().decode([Case].self, from: Data(outcome.output.utf8))
        #expect(cases.count == 221)
        for example in cases {
            let type = "text/plain; charset=\"\(example.label)\""
            let found = try text(example.bytes, type)
            let differences = zip(found.unicodeScalars, example.text.unicodeScalars).filter { $0 != $1 }
            #expect(differences.isEmpty, "\(example.label): \(differences.prefix(8))")
            #expect(found.unicodeScalars.count == example.text.unicodeScalars.count, "\(example.label)")
            for byte in example.invalid {
                #expect(throws: AFError.self, "\(example.label) \(byte)") { try text([byte], type) }
            }
        }
    }

    @Test(
        "labels match in any case and with surrounding whitespace",
        arguments: ["UTF-8", "Utf8", "\" utf-8 \"", "unicode-1-1-utf-8"])
    func spelling(label: String) throws {
        #expect(try text([0xC3, 0xA9], "text/plain; charset=\(label)") == "é")
    }

    @Test(
        "without a known charset every byte is a character of ISO 8859-1",
        arguments: [nil, "text/plain", "text/plain; charset=unheard-of", "text/plain; charset=\"\"", "bogus"])
    func fallback(contentType: String?) throws {
        #expect(try text([0x41, 0x80, 0xE9, 0xFF], contentType) == "A\u{80}éÿ")
    }

    @Test(
        "without a charset, a byte order mark determines the encoding and is removed (WHATWG Encoding §6)",
        arguments: [
            ([0xEF, 0xBB, 0xBF, 0xC3, 0xA9], "é"), ([0xFE, 0xFF, 0x20, 0xAC], "€"), ([0xFF, 0xFE, 0xAC, 0x20], "€"),
        ] as [([UInt8], String)])
    func marks(bytes: [UInt8], expected: String) throws {
        for type in [nil, "text/plain", "text/plain; charset=unheard-of"] {
            #expect(try text(bytes, type) == expected)
        }
    }

    @Test(
        "bytes that are invalid in the charset are an error that names the encoding",
        arguments: [
            ("utf-8", [0xFF], String.Encoding.utf8), ("utf-16le", [0x41], .utf16LittleEndian),
            ("utf-16be", [0xD8, 0x00], .utf16BigEndian), ("euc-jp", [0xA4], .japaneseEUC),
            ("hz-gb-2312", [0x41], .utf8), ("euc-jp", [0x8E, 0x41], .japaneseEUC),
        ] as [(String, [UInt8], String.Encoding)])
    func invalid(label: String, bytes: [UInt8], encoding: String.Encoding) throws {
        let error = #expect(throws: AFError.self) { try text(bytes, "text/plain; charset=\(label)") }
        #expect(error?.failedStringEncoding == encoding)
    }

    @Test("EUC-JP has JIS X 0212 and half-width Katakana; x-user-defined keeps every byte")
    func rarities() throws {
        #expect(try text([0x8F, 0xB0, 0xA1, 0x41, 0x8E, 0xB1, 0xA4, 0xA2], "a/b; charset=euc-jp") == "丂Aｱあ")
        #expect(try text([0x41, 0x80, 0xFF], "a/b; charset=x-user-defined") == "A\u{F780}\u{F7FF}")
        let given = StringResponseSerializer(encoding: .japaneseEUC)
        #expect(try given.serialize(request: nil, response: nil, data: Data([0xA4, 0xA2]), error: nil) == "あ")
    }
}
