import Airframe
import Foundation
import Testing

@Suite("File names that servers suggest (RFC 6266)", .timeLimit(.minutes(5)))
struct ContentDispositionTests {
    /// A value of `Content-Disposition`, and the name that it suggests; `nil` where it suggests none.
    struct Row: Sendable, CustomTestStringConvertible {
        let value: String
        let name: String?

        init(_ value: String, _ name: String?) {
            self.value = value
            self.name = name
        }

        var testDescription: String { value }
    }

    private static func suggested(_ value: String?, url: String = "http://api.test/from-url") throws -> String? {
        let url = try #require(URL(string: url))
        let fields = value.map { ["Content-Disposition": $0] }
        let response = HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: fields)
        return response?.suggestedFilename
    }

    static let rows = [
        Row("attachment", nil),
        Row("ATTACHMENT; FILENAME=\"foo.html\"", "foo.html"),
        Row("inline; filename=\"foo.html\"", "foo.html"),
        Row("attachment; filename=\"f\\oo.html\"", "foo.html"),
        Row("attachment; filename=\"\\\"quoting\\\" tested.html\"", "\"quoting\" tested.html"),
        Row("attachment; filename=\"Here's a semicolon;.html\"", "Here's a semicolon;.html"),
        Row("attachment; foo=\"bar\"; filename=\"foo.html\"", "foo.html"),
        Row("attachment; foo=\"\\\"\\\\\";filename=\"foo.html\"", "foo.html"),
        Row("attachment; filename=foo.html", "foo.html"),
        Row("attachment; filename=foo.html ;", "foo.html"),
        Row("attachment; filename='foo.html'", "'foo.html'"),
        Row("attachment; filename=[foo](1).html", "[foo](1).html"),
        Row("attachment; filename=\"foo-ä.html\"", "foo-ä.html"),
        Row("attachment; filename=foo-ä.html", "foo-ä.html"),
        Row("attachment; filename=\"foo-%41.html\"", "foo-%41.html"),
        Row("attachment; filename=\"50%.html\"", "50%.html"),
        Row("attachment; filename =\"foo.html\"", "foo.html"),
        Row("attachment; xfilename=foo.html", nil),
        Row("attachment; example=\"filename=example.txt\"", nil),
    ]

    static let extended = [
        Row("attachment; filename*=UTF-8''foo-%c3%a4-%e2%82%ac.html", "foo-ä-€.html"),
        Row("attachment; filename*= utf-8'en'foo-%C3%A4.html", "foo-ä.html"),
        Row("attachment; filename* =UTF-8''foo-%c3%a4.html", "foo-ä.html"),
        Row("attachment; filename*=\"UTF-8''foo-%c3%a4.html\"", "foo-ä.html"),
        Row("attachment; filename*=iso-8859-1''foo-%E4.html", "foo-ä.html"),
        Row("attachment; filename*=UTF-8''A-%2541.html", "A-%41.html"),
        Row("attachment; filename=\"foo-ae.html\"; filename*=UTF-8''foo-%c3%a4.html", "foo-ä.html"),
        Row("attachment; filename*=UTF-8''foo-%c3%a4.html; filename=\"foo-ae.html\"", "foo-ä.html"),
        Row("attachment; filename*=''foo.html", nil),
        Row("attachment; filename*=UTF-8'foo.html", nil),
        Row("attachment; filename*=\"foo%20bar.html\"", nil),
        Row("attachment; filename*=UTF-8''foo%", nil),
        Row("attachment; filename*=UTF-8''f%oo.html", nil),
        Row("attachment; filename*=UTF-8''%ff%fe; filename=plain.html", "plain.html"),
        Row("attachment; filename*=klingon''x; filename=plain.html", "plain.html"),
    ]

    static let pieces = [
        Row("attachment; filename*0=\"foo.\"; filename*1=\"html\"", "foo.html"),
        Row("attachment; filename*1=\"bar\"; filename*0=\"foo\"", "foobar"),
        Row("attachment; filename*0*=UTF-8''foo-%c3%a4; filename*1=\".html\"", "foo-ä.html"),
        Row("attachment; filename*0=\"foo\"; filename*01=\"bar\"", "foo"),
        Row("attachment; filename*0=\"foo\"; filename*2=\"bar\"", "foo"),
        Row("attachment; filename*1=\"foo.\"; filename*2=\"html\"", nil),
        Row("attachment; filename*0*=ISO-8859-15''a%a4; filename*=ISO-8859-1''b%a4", nil),
    ]

    static let broken = [
        Row("filename=foo.html", nil), Row("x=y; filename=foo.html", nil), Row("; filename=foo.html", nil),
        Row("\"foo; filename=bar;baz\"; filename=qux", nil), Row("filename=foo.html, filename=bar.html", nil),
        Row("inline; attachment; filename=foo.html", nil), Row("attachment; filename=\"foo.html\".txt", nil),
        Row("attachment; filename=\"bar", nil), Row("attachment; filename=foo\"bar;baz\"qux", nil),
        Row("attachment; filename=foo.html, attachment; filename=bar.html", nil),
        Row("attachment; foo=foo filename=bar", nil), Row("attachment filename=bar", nil),
        Row("filename=foo.html; attachment", nil), Row("attachment; filename=", nil),
        Row("attachment; filename=\"", nil), Row("attachment; filename=a; filename=b", nil), Row("", nil),
    ]

    static let unsafe = [
        Row("attachment; filename=\"../../etc/passwd\"", "passwd"),
        Row("attachment; filename=\"/etc/passwd\"", "passwd"),
        Row("attachment; filename=\"C:\\dev\\go\\robots.txt\"", "robots.txt"),
        Row("attachment; filename=\"\\\\\\\\server\\\\share\\\\file.txt\"", "file.txt"),
        Row("attachment; filename*=UTF-8''..%2F..%2Fetc%2Fpasswd", "passwd"),
        Row("attachment; filename*=UTF-8''a%00b.txt", "ab.txt"),
        Row("attachment; filename*=UTF-8''a%0Ab.txt", "ab.txt"),
        Row("attachment; filename=\"..\"", nil), Row("attachment; filename=\".\"", nil),
        Row("attachment; filename=\". .\"", nil), Row("attachment; filename=\"...\"", nil),
        Row("attachment; filename=\"/\"", nil), Row("attachment; filename=\"a/..\"", nil),
        Row("attachment; filename=\".bashrc\"", "_bashrc"), Row("attachment; filename=\"..x\"", "_.x"),
        Row("attachment; filename*=UTF-8''%E2%80%AEtxt.exe", "txt.exe"),
        Row("attachment; filename=\"  spaced.txt  \"", "spaced.txt"),
    ]

    @Test(
        "names are read: plain, extended, in parts, malformed, dangerous",
        arguments: rows + extended + pieces + broken + unsafe)
    func names(row: Row) throws {
        #expect(try Self.suggested(row.value) == row.name ?? "from-url")
    }

    @Test("a name is cut to 255 bytes before its extension, at a whole character")
    func long() throws {
        let name = try #require(
            try Self.suggested("attachment; filename=\"\(String(repeating: "ä", count: 200)).tar\""))
        #expect(name == String(repeating: "ä", count: 125) + ".tar")
        let plain = try #require(try Self.suggested("attachment; filename=\"\(String(repeating: "x", count: 300))\""))
        #expect(plain.utf8.count == 255)
        let dotted = try #require(
            try Self.suggested("attachment; filename=\"a.\(String(repeating: "x", count: 300))\""))
        #expect(dotted.utf8.count == 255)
    }

    @Test(
        "without a name in the response, the URL's is used with the same checks",
        arguments: [
            ("http://api.test/a/b.txt?x=y", "b.txt"), ("http://api.test/a%2Fb.txt", "b.txt"),
            ("http://api.test/..%2F..%2Fpasswd", "passwd"), ("http://api.test/%2E%2E", "api.test"),
            ("http://api.test/", "api.test"), ("http://api.test/.profile", "_profile"),
        ]
    )
    func fromURL(url: String, name: String) throws {
        #expect(try Self.suggested(nil, url: url) == name)
    }
}
