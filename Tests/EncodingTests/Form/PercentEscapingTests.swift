import AirframeEncoding
import Foundation
import Testing

@Suite("Percent-encoding", .timeLimit(.minutes(1)))
struct PercentEscapingTests {
    @Test("letters, digits and -._~/? stay unencoded, every other ASCII character is encoded (RFC 3986 §2.2, §3.4)")
    func ascii() throws {
        let kept = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/?".utf8)
        for byte: UInt8 in 0..<128 {
            let character = String(UnicodeScalar(byte))
            let hex = String(byte, radix: 16, uppercase: true)
            let expected = kept.contains(byte) ? character : "%" + (hex.count < 2 ? "0" : "") + hex
            #expect(try Form().encode(["k": character]) == "k=\(expected)")
            #expect(URLEncoding.default.escape(character) == expected)
            #expect(CharacterSet.afURLQueryAllowed.contains(UnicodeScalar(byte)) == kept.contains(byte))
        }
    }

    @Test(
        "text beyond ASCII is encoded as its UTF-8",
        arguments: [
            ("é", "%C3%A9"), ("e\u{301}", "e%CC%81"), ("漢", "%E6%BC%A2"), ("😀", "%F0%9F%98%80"),
            ("\u{0}", "%00"), ("a\r\nb", "a%0D%0Ab"), ("100%", "100%25"), ("%41", "%2541"),
        ]
    )
    func unicode(text: String, expected: String) throws {
        #expect(try Form().encode([text: text]) == "\(expected)=\(expected)")
        #expect(URLEncoding.default.escape(text) == expected)
    }

    @Test("the allowed characters are configurable and mutable")
    func allowedCharacters() throws {
        let encoder = Form(allowedCharacters: .alphanumerics)
        #expect(try encoder.encode(["a.b": "c-dé"]) == "a%2Eb=c%2Dd%C3%A9")
        encoder.allowedCharacters = CharacterSet(charactersIn: "abc[]")
        #expect(encoder.allowedCharacters == CharacterSet(charactersIn: "abc[]"))
        #expect(try encoder.encode(["a": ["b": "cd"]]) == "a[b]=c%64")
    }

    @Test("a space is written by its own option, even if it is an allowed character")
    func allowedSpace() throws {
        let allowed = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: " "))
        #expect(try Form(allowedCharacters: allowed).encode(["a": "b c"]) == "a=b%20c")
        #expect(try Form(spaceEncoding: .plusReplaced, allowedCharacters: allowed).encode(["a": "b c"]) == "a=b+c")
    }

    @Test(
        "a form parser restores the encoded text (WHATWG URL §5.1)",
        arguments: [Form.SpaceEncoding.percentEscaped, .plusReplaced]
    )
    func roundTrip(spaces: Form.SpaceEncoding) throws {
        var generator = SystemRandomNumberGenerator()
        let alphabet = Array("ab +&=%;[]#?/\\\"'<>é漢😀\n\u{0}~*-._!")
        for _ in 0..<300 {
            let text = {
                String((0..<Int.random(in: 1...12, using: &generator)).compactMap { _ in alphabet.randomElement() })
            }
            let form = Dictionary((0..<5).map { _ in (text(), text()) }) { $1 }
            let encoded: String = try Form(spaceEncoding: spaces).encode(form)
            #expect(FormParser.pairs(of: encoded) == form, "\(encoded)")
        }
    }
}

/// A parser of forms by WHATWG URL §5.1, as a reference for the encoder.
enum FormParser {
    static func pairs(of text: String) -> [String: String] {
        let pairs = text.split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (decode(parts[0]), parts.count > 1 ? decode(parts[1]) : "")
        }
        return Dictionary(pairs) { $1 }
    }

    private static func decode(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            if byte == UInt8(ascii: "+") {
                bytes.append(UInt8(ascii: " "))
            } else if byte == UInt8(ascii: "%"), digits.count == 2, let value = UInt8(digits, radix: 16) {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
