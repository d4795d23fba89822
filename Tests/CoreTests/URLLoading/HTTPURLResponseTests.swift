import AirframeCore
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

@Suite("HTTPURLResponse", .timeLimit(.minutes(1)))
struct HTTPURLResponseTests {
    private func response(_ headers: HTTPHeaders, url: String = "http://host.test/") -> HTTPURLResponse {
        HTTPURLResponse(url: URL(string: url), head: HTTPResponse(status: .ok, headerFields: headers.fields))
    }

    @Test("is created from a status and fields, unless they are invalid")
    func making() throws {
        let url = try #require(URL(string: "http://host.test/"))
        let made = HTTPURLResponse(
            url: url,
            statusCode: 404,
            httpVersion: "HTTP/1.1",
            headerFields: ["X-Note": "v"]
        )
        #expect(made?.statusCode == 404)
        #expect(made?.httpVersion == .http1_1)
        #expect(made?.value(forHTTPHeaderField: "x-note") == "v")
        #expect(HTTPURLResponse(url: url, statusCode: 1000, httpVersion: nil, headerFields: nil) == nil)
        #expect(HTTPURLResponse(url: url, statusCode: -1, httpVersion: nil, headerFields: nil) == nil)
        #expect(HTTPURLResponse(url: url, statusCode: 200, httpVersion: nil, headerFields: ["A": "b\r\nc"]) == nil)
    }

    @Test("is equal to another with the same class, URL, status and fields, regardless of the HTTP version")
    func equality() throws {
        let url = try #require(URL(string: "http://host.test/"))
        func made(_ status: Int = 200, _ field: String = "v", _ version: String = "HTTP/1.1") -> HTTPURLResponse? {
            HTTPURLResponse(url: url, statusCode: status, httpVersion: version, headerFields: ["X-Note": field])
        }
        #expect(made() == made())
        #expect(made()?.hashValue == made()?.hashValue)
        #expect(made() == made(200, "v", "HTTP/2.0"))
        #expect(made() != made(201))
        #expect(made() != made(200, "w"))
        #expect(response(["X-Note": "v"], url: "http://other.test/") != response(["X-Note": "v"]))
        let plain = URLResponse(url: url, mimeType: nil, expectedContentLength: -1, textEncodingName: nil)
        let overHTTP: URLResponse = try #require(made())
        #expect(plain != overHTTP)
        #expect(plain == URLResponse(url: url, mimeType: nil, expectedContentLength: -1, textEncodingName: nil))
        #expect(plain != URLResponse(url: url, mimeType: "text/css", expectedContentLength: -1, textEncodingName: nil))
        #expect(
            CachedURLResponse(response: overHTTP, data: Data()) == CachedURLResponse(response: overHTTP, data: Data()))
        #expect(CachedURLResponse(response: overHTTP, data: Data()) != CachedURLResponse(response: plain, data: Data()))
    }

    @Test("keeps repeated fields, and joins them where one value is requested")
    func repeatedFields() throws {
        var fields = HTTPFields()
        fields.append(HTTPField(name: .setCookie, value: "a=1"))
        fields.append(HTTPField(name: try #require(.init("set-cookie")), value: "b=2"))
        let response = HTTPURLResponse(url: nil, head: HTTPResponse(status: .ok, headerFields: fields))
        #expect(response.headerFields[values: .setCookie] == ["a=1", "b=2"])
        #expect(response.value(forHTTPHeaderField: "SET-COOKIE") == "a=1, b=2")
        #expect(response.allHeaderFields["Set-Cookie"] as? String == "a=1, b=2")
        #expect(response.headers.count == 1)
    }

    @Test("well-known names have their usual spelling, except in the raw fields")
    func spelling() {
        let response = response(["content-type": "text/plain", "etag": "\"1\"", "x-own": "v"])
        #expect(response.allHeaderFields["Content-Type"] as? String == "text/plain")
        #expect(response.allHeaderFields["ETag"] as? String == "\"1\"")
        #expect(response.allHeaderFields["x-own"] as? String == "v")
        #expect(response.headers.dictionary["Content-Type"] == "text/plain")
        #expect(response.receivedHeaders.map(\.name) == ["Content-Type", "ETag", "x-own"])
        #expect(response.headerFields.map(\.name.rawName) == ["content-type", "etag", "x-own"])
        #expect(response.value(forHTTPHeaderField: "CONTENT-TYPE") == "text/plain")
    }

    @Test(
        "parses the content type (RFC 9110 §8.3)",
        arguments: [
            ("text/html", "text/html", nil),
            ("Text/HTML; Charset=UTF-8", "text/html", "utf-8"),
            ("text/html;charset=\"utf-8\"", "text/html", "utf-8"),
            ("text/html ; a=b ; charset=iso-8859-1 ", "text/html", "iso-8859-1"),
            ("text/html; charset = iso-8859-1", "text/html", nil),
            ("text/plain; title=\"a; charset=fake\"; charset=ascii", "text/plain", "ascii"),
            ("text/plain; charset=\"a\\\"b\"", "text/plain", "a\"b"),
            ("text/plain; charset", "text/plain", nil),
            ("text/plain; charset=\"unterminated", "text/plain", "unterminated"),
            ("", nil, nil),
            (";", nil, nil),
        ] as [(String, String?, String?)]
    )
    func contentType(value: String, mimeType: String?, charset: String?) {
        let response = response(["Content-Type": value])
        #expect(response.mimeType == mimeType)
        #expect(response.textEncodingName == charset)
    }

    @Test(
        "parses the content length, and ignores an invalid one (RFC 9110 §8.6)",
        arguments: [
            ("0", 0), ("42", 42), ("42, 42", 42), ("42, 43", -1), ("-1", -1), ("+1", -1), ("1e3", -1), ("", -1),
            ("9223372036854775807", .max), ("9223372036854775808", -1), ("0x10", -1),
        ] as [(String, Int64)]
    )
    func contentLength(value: String, length: Int64) {
        #expect(response(["Content-Length": value]).expectedContentLength == length)
        #expect(response([]).expectedContentLength == -1)
    }

    @Test(
        "suggests the file name of Content-Disposition, which cannot leave its directory (RFC 6266 §4.3)",
        arguments: [
            ("attachment; filename=a.txt", "a.txt"),
            ("attachment; filename=\"a b.txt\"", "a b.txt"),
            ("attachment; FILENAME=\"a.txt\"", "a.txt"),
            ("attachment; filename=\"e.txt\"; filename*=UTF-8''%e2%82%ac.txt", "€.txt"),
            ("attachment; filename*=iso-8859-1'en'%A3.txt", "£.txt"),
            ("attachment; filename*=unknown''x; filename=b.txt", "b.txt"),
            ("attachment; filename=\"../../etc/passwd\"", "passwd"),
            ("attachment; filename=\"..\\\\..\\\\boot.ini\"", "boot.ini"),
            ("attachment; filename*=UTF-8''..%2F..%2Fevil", "evil"),
            ("attachment; filename=\"..\"", "last.bin"),
            ("attachment; filename=\"\"", "last.bin"),
            ("attachment; filename=\"/\"", "last.bin"),
            ("inline", "last.bin"),
        ]
    )
    func filename(value: String, name: String) {
        let url = "http://host.test/dir/last.bin?q"
        #expect(response(["Content-Disposition": value], url: url).suggestedFilename == name)
    }

    @Test(
        "suggests the URL's last component, its host, or unknown, if the server names no file",
        arguments: [
            ("http://host.test/dir/file.txt", "file.txt"), ("http://host.test/a%20b", "a b"),
            ("http://host.test/", "host.test"), ("http://host.test", "host.test"),
            ("http://host.test/%2E%2E%2Fx", "x"),
        ]
    )
    func fallbackFilename(url: String, name: String) {
        #expect(response([], url: url).suggestedFilename == name)
        #expect(HTTPURLResponse(url: nil, head: HTTPResponse(status: .ok)).suggestedFilename == "Unknown")
    }

    @Test(
        "a suggested name without an extension gets that of the media type",
        arguments: [
            ("http://host.test/export", "application/json", "export.json"),
            ("http://host.test/export", "Application/JSON; charset=utf-8", "export.json"),
            ("http://host.test/export.", "application/json", "export.json"),
            ("http://host.test/St.%20Mary", "text/plain", "St. Mary.txt"),
            ("http://host.test/page.php", "text/html", "page.php"),
            ("http://host.test/a.tar.gz", "application/gzip", "a.tar.gz"),
            ("http://host/", "text/html", "host.html"), ("http://host.test/", "text/html", "host.test.html"),
            ("http://host.test/%2E%2E%2Fx", "image/jpeg", "x.jpg"), ("http://host.test/.x", "text/csv", "_x.csv"),
            ("http://host.test/feed", "text/xml", "feed.xml"),
            ("http://host.test/list", "application/vnd.ms-excel.sheet.macroEnabled.12", "list.xlsm"),
            ("http://host.test/data", "application/octet-stream", "data"), ("http://host.test/data", "a/b", "data"),
        ]
    )
    func filenameExtension(url: String, type: String, name: String) throws {
        #expect(response(["Content-Type": type], url: url).suggestedFilename == name)
        let plain = URLResponse(
            url: try #require(URL(string: url)),
            mimeType: type.split(separator: ";").first.map(String.init),
            expectedContentLength: -1,
            textEncodingName: nil
        )
        #expect(plain.suggestedFilename == name)
    }

    @Test(
        "a name from Content-Disposition gets an extension if it has none, within the length limit",
        arguments: [
            ("report", "report.csv"), ("report.txt", "report.txt"), ("../../etc/passwd", "passwd.csv"),
            (String(repeating: "x", count: 300), String(repeating: "x", count: 251) + ".csv"),
        ]
    )
    func dispositionExtension(filename: String, name: String) {
        let headers: HTTPHeaders = [
            "Content-Type": "text/csv", "Content-Disposition": "attachment; filename=\"\(filename)\"",
        ]
        #expect(response(headers).suggestedFilename == name)
        let unnamed = HTTPResponse(status: .ok, headerFields: [.contentType: "text/html"])
        #expect(HTTPURLResponse(url: nil, head: unnamed).suggestedFilename == "Unknown.html")
    }

    @Test("is a URLResponse, the type that monitors receive")
    func hierarchy() {
        let response: URLResponse = response(["Content-Type": "a/b", "Content-Length": "7"])
        #expect(response.mimeType == "a/b")
        #expect(response.expectedContentLength == 7)
        #expect((response as? HTTPURLResponse)?.statusCode == 200)
    }

    @Test("redacts secrets in its description")
    func description() {
        let response = response(["Set-Cookie": "id=s3cret", "A": "1"], url: "http://u:s3cret@host.test/")
        #expect(response.description == "200 http://u:•••@host.test/")
        #expect(!response.debugDescription.contains("s3cret"))
        #expect(response.debugDescription.contains("A: 1"))
    }

    @Test("has a name for any status", arguments: [100, 200, 299, 301, 404, 499, 503, 599, 999, 0, -5])
    func words(status: Int) {
        #expect(!HTTPURLResponse.localizedString(forStatusCode: status).isEmpty)
        #expect(HTTPURLResponse.localizedString(forStatusCode: 404) == "not found")
        #expect(HTTPURLResponse.localizedString(forStatusCode: 499) == "client error")
    }
}
