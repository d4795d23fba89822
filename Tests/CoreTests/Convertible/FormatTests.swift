import Airframe
import AirframeTransport
import Foundation
import Testing

@Suite("Query formats and percent-encoding", .timeLimit(.minutes(1)))
struct FormatTests {
    private struct Search: Encodable, Sendable {
        var text = "a b+c/d~e*f;g=h"
        var tags = ["x", "y"]
        var user = ["name": "é"]
    }

    static let formats: [(name: String, format: QueryFormat, text: String)] = [
        (
            "standard", .standard,
            "tags%5B%5D=x&tags%5B%5D=y&text=a%20b%2Bc/d~e%2Af%3Bg%3Dh&user%5Bname%5D=%C3%A9"
        ),
        ("form", .form, "tags=x&tags=y&text=a+b%2Bc%2Fd%7Ee*f%3Bg%3Dh&user%5Bname%5D=%C3%A9"),
        ("rfc3986", .rfc3986, "tags=x&tags=y&text=a%20b%2Bc/d~e*f%3Bg%3Dh&user%5Bname%5D=%C3%A9"),
        ("aws", .aws, "tags=x&tags=y&text=a%20b%2Bc%2Fd~e%2Af%3Bg%3Dh&user%5Bname%5D=%C3%A9"),
        (
            "indexed", QueryFormat(escaping: .aws, keys: .indexed),
            "tags%5B0%5D=x&tags%5B1%5D=y&text=a%20b%2Bc%2Fd~e%2Af%3Bg%3Dh&user%5Bname%5D=%C3%A9"
        ),
        (
            "dotted", QueryFormat(escaping: .aws, keys: .dotted),
            "tags=x&tags=y&text=a%20b%2Bc%2Fd~e%2Af%3Bg%3Dh&user.name=%C3%A9"
        ),
        (
            "closure", QueryFormat(escaping: .custom { $0.uppercased() }, keys: .dotted),
            "TAGS=X&TAGS=Y&TEXT=A B+C/D~E*F;G=H&USER.NAME=É"
        ),
        (
            "characters",
            QueryFormat(escaping: .leaving(CharacterSet(charactersIn: "abcdefgh"), spaces: .plusReplaced)),
            "%74ag%73%5B%5D=%78&%74ag%73%5B%5D=%79&%74e%78%74=a+b%2Bc%2Fd%7Ee%2Af%3Bg%3Dh"
                + "&%75%73e%72%5B%6Ea%6De%5D=%C3%A9"
        ),
    ]

    @Test("each format has its escaping and key spelling", arguments: formats.indices)
    func encoding(index: Int) throws {
        let expected = Self.formats[index]
        let text: String = try URLEncodedFormEncoder(format: expected.format).encode(Search())
        #expect(text == expected.text, "\(expected.name)")
    }

    @Test("invalid characters in a closure's result are encoded in the URL")
    func closure() async throws {
        let format = QueryFormat(escaping: .custom { $0 })
        let line = try await echoSession().get("https://api.test/", query: ["a": "b c"], format: format).line
        #expect(line == "GET https://api.test/?a=b%20c")
    }

    @Test("decoding reverses encoding, and keeps incomplete escapes")
    func decoding() {
        let bytes = Array(UInt8.min...UInt8.max)
        for encoding in [PercentEncoding.unreserved, .form] {
            #expect(PercentEncoding.decode(encoding.encode(bytes: bytes)) == bytes)
        }
        let spaced = PercentEncoding.form.encode(bytes: bytes, replacesSpaces: true)
        #expect(PercentEncoding.decode(spaced, replacesPluses: true) == bytes)
        #expect(PercentEncoding.decode("%4%zz%é%2") == Array("%4%zz%é%2".utf8))
        #expect(PercentEncoding.decode("a+b") == Array("a+b".utf8))
        #expect(PercentEncoding.reserved.encode(bytes: "a%20b%zz/é".utf8, keepsTriplets: true) == "a%20b%25zz/%C3%A9")
        #expect(PercentEncoding.unreserved.encode("%20") == "%2520")
    }
}
