import AirframeCore
import AirframeSerialization
import Foundation
import Testing

@Suite("Text of responses", .timeLimit(.minutes(1)))
struct CharsetTests {
    @Test(
        "a declared charset takes precedence over a byte order mark, and UTF-32 is not decoded as UTF-16",
        arguments: [
            ("text/plain; charset=iso-8859-1", [0xEF, 0xBB, 0xBF, 0x61], "ï»¿a"),
            ("text/plain; charset=utf-8", [0xEF, 0xBB, 0xBF, 0x61], "a"),
            ("text/plain; charset=utf-16le", [0x61, 0, 0x62, 0], "ab"),
            ("text/plain", [0xFF, 0xFE, 0x61, 0], "a"),
            ("text/plain", [0xFF, 0xFE, 0, 0, 0x61, 0, 0, 0], "a"),
            ("text/plain", [0, 0, 0xFE, 0xFF, 0, 0, 0, 0x61], "a"),
            ("text/plain; charset=utf-32", [0xFF, 0xFE, 0, 0, 0x61, 0, 0, 0], "a"),
            ("text/plain; charset=utf-16", [0xFE, 0xFF, 0, 0x61], "a"),
        ] as [(String, [UInt8], String)]
    )
    func text(contentType: String, bytes: [UInt8], expected: String) throws {
        let url = try #require(URL(string: "https://api.test/"))
        let response = HTTPURLResponse(
            url: url,
            statusCode: 200,
            httpVersion: nil,
            headerFields: ["Content-Type": contentType]
        )
        let text = try StringResponseSerializer().serialize(
            request: nil,
            response: response,
            data: Data(bytes),
            error: nil
        )
        #expect(text == expected)
    }
}
