import AirframeHAR
import Foundation
import Testing

@Suite("Reading archives", .timeLimit(.minutes(1)))
struct ReadingTests {
    private static func document(_ entries: String) -> Data {
        Data(#"{"log": {"version": "1.2", "creator": {"name": "x", "version": "1"}, "entries": [\#(entries)]}}"#.utf8)
    }

    private static let smallest = """
        {"startedDateTime": "2026-11-22T07:00:00Z", "request": {"method": "GET", "url": "http://a.test/"},
         "response": {"status": 200}}
        """

    @Test("missing and null members are accepted; only date, method, URL and status are required")
    func smallestEntry() throws {
        let entry = try #require(try HAR.Log(Self.document(Self.smallest)).entries.first)
        #expect(entry.request.url == "http://a.test/")
        #expect(entry.response.status == 200)
        #expect(entry.response.bodySize == nil && entry.timings.dns == nil && entry.timings.wait == 0)
        let nulls = Self.smallest.replacing("200}", with: #"200, "content": null, "headers": null}"#)
        #expect(try HAR.Log(Self.document(nulls)).entries == [entry])
    }

    @Test(
        "an error names the entry and the field",
        arguments: [
            (#""status": 200"#, #""status": "fine""#, "log.entries[1].response.status"),
            (#""status": 200"#, #""status": 1200"#, "log.entries[1].response.status"),
            (#""method": "GET", "#, "", "log.entries[1].request.method"),
            ("2026-11-22T07:00:00Z", "yesterday", "log.entries[1].startedDateTime"),
            (
                #""status": 200"#, #""status": 200, "headers": [{"name": "a"}, {"value": "b"}]"#,
                "log.entries[1].response.headers[1].name"
            ),
            (#""status": 200"#, #""status": 200, "content": {"size": []}"#, "log.entries[1].response.content.size"),
        ])
    func errors(part: String, replacement: String, path: String) throws {
        let broken = Self.smallest.replacing(part, with: replacement)
        let error = #expect(throws: HAR.ReadingError.self) {
            try HAR.Log(Self.document("\(Self.smallest), \(broken)"))
        }
        #expect(error?.path == path)
        #expect(error?.description.contains(path) == true)
    }

    @Test(
        "malformed JSON is rejected with the position of the fault",
        arguments: [
            ("", "ends in the middle"), ("{", "ends in the middle"), ("[1,]", "byte 3"), (#"{"a" 1}"#, "byte 5"),
            ("{} x", "byte 3"), ("nul", "ends in the middle"), ("tree", "byte 2"), (#""\x""#, "byte 2"),
            ("--1", "byte 0"),
            (String(repeating: "[", count: 5000), "too deep"),
        ])
    func malformed(text: String, complaint: String) throws {
        let error = #expect(throws: HAR.ReadingError.self) { try HAR.Log(Data(text.utf8)) }
        #expect(error?.message.contains(complaint) == true, "\(String(describing: error))")
    }

    @Test(
        "escapes of JSON are decoded, and an unpaired surrogate becomes U+FFFD (RFC 8259 §7)",
        arguments: [
            (#"\u00e9\n\t\"\\\/"#, "é\n\t\"\\/"), (#"\ud83d\ude00"#, "😀"), (#"\ud83d"#, "\u{FFFD}"),
            (#"\ud83dx"#, "\u{FFFD}x"), (#"\ude00"#, "\u{FFFD}"), (#"\ud83d\u0041"#, "\u{FFFD}A"), ("é😀", "é😀"),
        ])
    func escapes(written: String, read: String) throws {
        let text = Self.smallest.replacing("http://a.test/", with: written)
        #expect(try HAR.Log(Self.document(text)).entries.first?.request.url == read)
    }

    @Test(
        "dates are ISO 8601 with any fraction and offset",
        arguments: [
            ("2009-04-16T12:07:23.596Z", 1_239_883_643.596), ("2009-04-16T12:07:23Z", 1_239_883_643),
            ("2009-04-16T14:07:23.5960000+02:00", 1_239_883_643.596),
            ("2009-04-16T10:37:23.596-0130", 1_239_883_643.596),
            ("2009-04-16T13:07:23+01", 1_239_883_643), ("2009-04-16", 1_239_840_000),
            ("2009-04-16 12:07Z", 1_239_883_620),
            ("1969-12-31T23:59:59.5Z", -0.5), ("2024-02-29T00:00:00Z", 1_709_164_800),
        ])
    func dates(text: String, seconds: Double) throws {
        let entry = Self.smallest.replacing("2026-11-22T07:00:00Z", with: text)
        let date = try #require(try HAR.Log(Self.document(entry)).entries.first).startedDateTime
        #expect(abs(date.timeIntervalSince1970 - seconds) < 1e-6)
        // And back.
        let log = HAR.Log(entries: try HAR.Log(Self.document(entry)).entries)
        let again = try #require(try HAR.Log(log.data).entries.first).startedDateTime
        #expect(abs(again.timeIntervalSince1970 - seconds) < 2e-6)
    }

    @Test("members outside the format are kept and written back")
    func custom() throws {
        let text =
            #"{"startedDateTime": "2026-11-22T07:00:00Z", "_priority": "High", "x": {"a": [1, 2.5, null, true]},"#
            + #" "request": {"method": "GET", "url": "http://a.test/", "_n": -7}, "response": {"status": 200}}"#
        let log = try HAR.Log(Self.document(text))
        let entry = try #require(log.entries.first)
        #expect(entry.custom == ["_priority": "High", "x": ["a": [1, 2.5, .null, true]]])
        #expect(entry.request.custom == ["_n": -7])
        #expect(try HAR.Log(log.data) == log)
    }

    @Test("an archive that is written and read is the same, by its own text and by Codable")
    func roundTrip() throws {
        let started = Date(timeIntervalSince1970: 1_763_795_200.25)
        var entry = HAR.Entry(
            pageref: "p",
            startedDateTime: started,
            time: 12.345,
            request: HAR.Request(
                method: "POST",
                url: "https://a.test/ü?q=1",
                cookies: [HAR.Cookie(name: "a", value: "b", path: "/", expires: started, httpOnly: true)],
                headers: [HAR.Header(name: "A", value: "\u{1}\"\\\u{7F}é")],
                queryString: [HAR.Header(name: "q", value: "1")],
                postData: HAR.PostData(mimeType: "a/b", text: "AAE=", encoding: "base64"),
                headersSize: 10,
                bodySize: 2
            ),
            response: HAR.Response(
                status: 418,
                statusText: "I'm a teapot",
                content: HAR.Content(size: 3, compression: -2, mimeType: "text/plain", text: "tea"),
                redirectURL: "/x"
            ),
            cache: HAR.Cache(beforeRequest: HAR.CacheState(lastAccess: started, eTag: "e", hitCount: 2)),
            timings: HAR.Timings(blocked: 1, dns: 2, connect: 3, send: 1, wait: 2, receive: 3.345, ssl: 1),
            serverIPAddress: "::1",
            connection: "7",
            comment: "c"
        )
        entry.request.postData?.params = []
        let page = HAR.Page(startedDateTime: started, id: "p", title: "t", pageTimings: HAR.PageTimings(onLoad: 5))
        let log = HAR.Log(browser: HAR.Creator(name: "b", version: "2"), pages: [page], entries: [entry])
        #expect(try HAR.Log(log.data) == log)
        #expect(try JSONDecoder().decode(HAR.Log.self, from: JSONEncoder().encode(log)) == log)
        #expect(try entry.request.postData?.data() == Data([0, 1]))
        #expect(throws: HAR.ReadingError.self) { try HAR.Content(text: "?", encoding: "base64").data() }
        #expect(throws: HAR.ReadingError.self) { try HAR.Content(text: "x", encoding: "rot13").data() }
    }

    @Test("the complete entries of a truncated archive can be recovered", arguments: 1...40)
    func recovering(cut: Int) throws {
        let whole = Self.document("\(Self.smallest), \(Self.smallest)")
        let text = whole.dropLast(cut)
        #expect(throws: HAR.ReadingError.self) { try HAR.Log(text) }
        let log = try HAR.Log(text, recovering: true)
        // The closing brackets of the archive are three bytes; more takes away from the last entry.
        #expect(log.entries.count == (cut <= 3 ? 2 : 1))
        #expect(try HAR.Log([0xEF, 0xBB, 0xBF] + whole).entries.count == 2)
    }

    @Test("the archives of browsers are read")
    func browsers() throws {
        let chrome = """
            {"log": {"version": "1.2", "creator": {"name": "WebInspector", "version": "537.36"}, "pages": [], "entries": [{
              "_connectionId": "283", "_initiator": {"type": "other"}, "_priority": "VeryHigh", "_resourceType": "document",
              "cache": {}, "connection": "443", "pageref": "page_2", "request": {"method": "GET",
              "url": "https://a.test/", "httpVersion": "http/2.0", "headers": [{"name": ":authority", "value": "a.test"}],
              "queryString": [], "cookies": [{"name": "a", "value": "b", "path": "/", "domain": "a.test",
              "expires": "Session", "httpOnly": false, "secure": true, "sameSite": "Lax"}], "headersSize": -1,
              "bodySize": 0}, "response": {"status": 200, "statusText": "", "httpVersion": "http/2.0", "headers": [],
              "cookies": [], "content": {"size": 3, "mimeType": "text/html", "text": "abc"}, "redirectURL": "",
              "headersSize": -1, "bodySize": -1, "_transferSize": 120, "_error": null, "_fetchedViaServiceWorker": false},
              "serverIPAddress": "[2606:2800::1]", "startedDateTime": "2024-05-01T10:00:00.123Z", "time": 81.5,
              "timings": {"blocked": 2.5, "dns": -1, "ssl": -1, "connect": -1, "send": 0.25, "wait": 70, "receive": 8.75,
              "_blocked_queueing": 1.9}}]}}
            """
        let entry = try #require(try HAR.Log(Data(chrome.utf8)).entries.first)
        #expect(entry.request.headersSize == nil && entry.request.bodySize == 0)
        #expect(entry.request.cookies.first?.expires == nil)
        #expect(entry.timings.dns == nil && entry.timings.total == 81.5)
        let firefox = """
            {"log": {"version": "1.2", "creator": {"name": "Firefox", "version": "120"}, "browser": {"name": "Firefox",
              "version": "120"}, "pages": [{"id": "page_1", "pageTimings": {"onContentLoad": -3, "onLoad": -5},
              "startedDateTime": "2024-05-01T12:00:00.000+02:00", "title": "t"}], "entries": [{
              "startedDateTime": "2024-05-01T12:00:00.123+02:00", "request": {"bodySize": 7, "method": "POST",
              "url": "http://a.test/", "httpVersion": "HTTP/1.1", "headers": [], "cookies": [], "queryString": [],
              "headersSize": 300, "postData": {"mimeType": "application/json", "params": [], "text": "{\\"a\\":1}"}},
              "response": {"status": 0, "statusText": "", "httpVersion": "", "headers": [], "cookies": [], "content":
              {"mimeType": "application/octet-stream", "size": 0}, "redirectURL": "", "headersSize": -1, "bodySize": -1},
              "cache": {}, "timings": {"blocked": 0, "dns": 0, "connect": 0, "ssl": 0, "send": 0, "wait": 0, "receive":
              0}, "time": 0, "_securityState": "insecure", "connection": 80}]}}
            """
        let log = try HAR.Log(Data(firefox.utf8))
        #expect(log.pages.first?.pageTimings.onLoad == nil)
        #expect(try log.entries.first?.request.postData?.data() == Data(#"{"a":1}"#.utf8))
        #expect(log.entries.first?.connection == "80")
    }
}
