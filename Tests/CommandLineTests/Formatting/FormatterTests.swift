import AirframeCommandLine
import Foundation
import Testing

@Suite("Bodies for a person", .timeLimit(.minutes(1)))
struct FormatterTests {
    private func text(_ body: String, _ mediaType: String?, _ mode: BodyFormatter.Mode = .format) -> String {
        BodyFormatter(mode, style: TextStyle(usesColours: true, usesUnicode: true))
            .text(Data(body.utf8), mediaType: mediaType)
    }

    @Test("JSON is indented; members keep their order and numbers their digits")
    func json() {
        let body = #"{"b":1.50,"a":[1,{"c":null}],"e":{},"f":[],"s":"\u00e9\u001b"}"#
        #expect(
            text(body, "application/problem+json; charset=utf-8") == """
                {
                    "b": 1.50,
                    "a": [
                        1,
                        {
                            "c": null
                        }
                    ],
                    "e": {},
                    "f": [],
                    "s": "é\\u001b"
                }

                """)
    }

    @Test("names and values of JSON have their own colours")
    func colours() {
        #expect(
            text(#"{"a":true}"#, "application/json", .colors)
                == "{\u{1B}[34m\"a\"\u{1B}[0m:\u{1B}[35mtrue\u{1B}[0m}\n")
    }

    @Test(
        "content that is not JSON is shown unchanged, without control sequences",
        arguments: ["{\"a\":", "[1,]", "{a:1}", "[1] 2"])
    func brokenJSON(body: String) {
        #expect(text(body, "application/json") == body + "\n")
        #expect(text(body + "\u{1B}[2J", "application/json") == body + "\\u{1b}[2J\n")
    }

    @Test("XML is indented where text has no meaning")
    func xml() {
        let body = "<?xml version=\"1.0\"?><a x=\"1>2\"><b>text <i>in</i> it</b>  <c/><d></d><!-- e --></a>"
        #expect(
            text(body, "application/rss+xml") == """
                <?xml version="1.0"?>
                <a x="1>2">
                  <b>text <i>in</i> it</b>
                  <c/>
                  <d></d>
                  <!-- e -->
                </a>

                """)
    }

    @Test("HTML keeps its spaces, whatever is in its scripts")
    func html() {
        let body = "<p>a  <b>b</b></p><script>if (a < b) { '<p>' }</script>\n"
        #expect(text(body, "text/html") == body)
        let painted = text(body, "text/html", .all)
        #expect(painted.contains("\u{1B}[34m<b>\u{1B}[0m"))
        #expect(painted.contains("if (a < b) { '<p>' }"))
    }

    @Test(
        "markup in pieces is the whole text, however broken",
        arguments: ["<", "<a", "a>b", "<!-- x", "<a b='", "</", "<script>x", "<a><"])
    func brokenMarkup(body: String) { #expect(text(body, "text/html") == body + "\n") }

    @Test("a form is a line for each field")
    func form() {
        #expect(text("name=Ada+B&x=%1B", "application/x-www-form-urlencoded") == "name: Ada B\nx: \\u{1b}\n")
    }

    @Test("bytes that are not text are summarised")
    func binary() {
        let formatter = BodyFormatter(.all, style: .plain)
        let words = formatter.text(Data([1, 0, 2]), mediaType: "application/zip")
        #expect(words == "[3 B of application/zip, not shown: write them to a file with -o]\n")
    }

    @Test(
        "images are summarised by format and size",
        arguments: [
            ("iVBORw0KGgoAAAANSUhEUgAAAAMAAAACCAYAAAA=", "PNG image, 3 × 2 pixels, 29 B"),
            ("R0lGODlhAwACAIAAAA==", "GIF image, 3 × 2 pixels, 13 B"),
            ("/9j/4AAEAAD/wAARCAACAAMDAQ==", "JPEG image, 3 × 2 pixels, 19 B"),
            ("UklGRgAAAABXRUJQVlA4WAoAAAAAAAAAAgAAAQAAAAA=", "WebP image, 3 × 2 pixels, 32 B"),
        ]
    )
    func images(base64: String, summary: String) throws {
        let data = try #require(Data(base64Encoded: base64))
        #expect(ImageSummary(data)?.text(byteCount: data.count) == summary)
    }

    @Test("an image that is cut off is none, and does not trap")
    func cutImages() throws {
        let whole = try #require(Data(base64Encoded: "/9j/4AAEAAD/wAARCAACAAMDAQ=="))
        for count in 0..<12 { #expect(ImageSummary(whole.prefix(count)) == nil) }
    }

    private static func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

    static let deepBodies: [(body: String, mediaType: String)] = [
        (repeated("<a>", 20_000), "application/xml"),
        ("\(repeated("<a>", 20_000))\(repeated("</a>", 20_000))", "application/xml"),
        ("\(repeated("[", 511))\(repeated("0,", 100_000))0\(repeated("]", 511))", "application/json"),
    ]

    @Test("deep nesting is not indented beyond a width", arguments: deepBodies)
    func indentation(body: String, mediaType: String) {
        let lines = text(body, mediaType).utf8.split(separator: UInt8(ascii: "\n"))
        #expect(lines.count >= 20_000)
        #expect(lines.allSatisfy { $0.count <= 100 })
    }

    @Test("deep nesting is refused, not followed")
    func depth() {
        let body = String(repeating: "[", count: 100_000)
        #expect(throws: JSONReadingError.self) { try JSONReader.read(body.utf8) }
    }
}
