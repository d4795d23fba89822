import AirframeCommandLine
import AirframeHAR
import AirframeTransport
import Foundation
import Testing

@Suite("Exchanges of archives", .timeLimit(.minutes(1)))
struct ArchiveTests {
    private let entry = HAR.Entry(
        startedDateTime: Date(timeIntervalSince1970: 0), time: 10,
        request: HAR.Request(
            method: "POST", url: "https://api.test/a", headers: [HAR.Header(name: "A", value: "b")],
            postData: HAR.PostData(mimeType: "application/json", text: #"{"q":1}"#)),
        response: HAR.Response(
            status: 201, statusText: "Created", httpVersion: "HTTP/2",
            content: HAR.Content(size: 2, mimeType: "text/plain", text: "ok"), bodySize: 2),
        timings: HAR.Timings(dns: 1, connect: 4, send: 1, wait: 3, receive: 1, ssl: 2))

    @Test("a line has number, status, method, duration, size and URL")
    func line() {
        let line = ArchiveListing(style: .plain).line(7, entry)
        #expect(line == "   7  201  POST       10.0 ms        2 B  https://api.test/a")
    }

    @Test("a line fits into a terminal", arguments: [60, 80])
    func width(columns: Int) {
        var long = entry
        long.request.url += String(repeating: "x", count: 200)
        #expect(ArchiveListing(style: .plain).line(7, long, width: columns).count <= columns)
    }

    @Test("texts of an archive add no lines, commands or changes of direction to a list")
    func forgedLine() {
        var forged = entry
        forged.request.method = "GET\n"
        forged.request.url = "http://a.test/\n   8  200\t\u{9B}2J\u{202E}"
        forged.request.headers = [HAR.Header(name: "A", value: "b\nC: d")]
        let listing = ArchiveListing(style: .plain)
        let url = #"http://a.test/\n   8  200\t\u{9b}2J\u{202e}"#
        let line = listing.line(7, forged)
        #expect(line.hasSuffix(url) && !line.contains("\n"), "\(line)")
        let details = listing.details(forged).split(separator: "\n").prefix(2).map(String.init)
        #expect(details == [#"GET\n \#(url)"#, #"A: b\nC: d"#], "\(details)")
    }

    @Test("details have both heads and bodies, and the phases on one scale")
    func details() {
        let text = ArchiveListing(style: .plain).details(entry)
        #expect(
            text.hasPrefix("POST https://api.test/a\nA: b\n\n{\n    \"q\": 1\n}\n\nHTTP/2 201 Created\n\nok\n"),
            "\(text)")
        #expect(text.contains("TLS      "))
        #expect(text.contains("total"))
    }

    @Test("phases whose sum is beyond the range of numbers have no bars")
    func hugePhases() {
        var huge = entry
        huge.timings = HAR.Timings(send: 1e308, wait: 1e308, receive: 1)
        #expect(ArchiveListing(style: .plain).phases(huge).isEmpty)
    }

    @Test("a line of JSON is one line, and JSON")
    func json() throws {
        var failed = entry
        failed.response = HAR.Response(status: 0, custom: ["_errorMessage": "no\nroute"])
        for entry in [entry, failed] {
            let line = ExchangeLine.text(entry)
            #expect(!line.contains("\n"))
            let object = try #require(JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            #expect(object["url"] as? String == "https://api.test/a")
            #expect(object["status"] as? Int == entry.response.status)
        }
        #expect(ExchangeLine.text(failed).contains(#""error":"no\nroute""#))
        #expect(ExchangeLine.text(entry).contains(#""body":"ok""#))
    }

    @Test("every status of a failure is its own", arguments: AirframeCommandLine.ExitStatus.allCases)
    func statuses(status: AirframeCommandLine.ExitStatus) { #expect((0...141).contains(status.rawValue)) }

    @Test(
        "failures have curl's exit status and a hint",
        arguments: [
            (TransportError.Code.nameResolutionFailed, 6), (.connectFailed, 7), (.timedOut, 28), (.tlsFailed, 35),
            (.trustRefused, 60), (.proxyFailed, 5), (.tooManyRedirects, 47), (.contentDecodingFailed, 61),
            (.malformedResponse, 56),
        ]
    )
    func failures(code: TransportError.Code, status: Int) {
        #expect(AirframeCommandLine.ExitStatus(code).rawValue == Int32(status))
        let error = TransportError(code, phase: .connect, processing: .notSent, message: "m")
        #expect(Hint.text(for: error) != nil)
    }
}
