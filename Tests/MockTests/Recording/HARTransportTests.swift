import AirframeHAR
import AirframeLayers
import AirframeMock
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

/// An entry of an archive that a test writes.
func exchange(
    _ url: String,
    method: String = "GET",
    headers: [HAR.Header] = [],
    body: HAR.PostData? = nil,
    _ response: HAR.Response,
    timings: HAR.Timings = HAR.Timings()
) -> HAR.Entry {
    HAR.Entry(
        startedDateTime: Date(timeIntervalSince1970: 0),
        time: timings.total,
        request: HAR.Request(method: method, url: url, headers: headers, postData: body, bodySize: body == nil ? 0 : 1),
        response: response,
        timings: timings
    )
}

/// A response with text.
func answer(_ status: Int, _ text: String? = nil, headers: [HAR.Header] = []) -> HAR.Response {
    HAR.Response(status: status, headers: headers, content: HAR.Content(size: Int64(text?.utf8.count ?? 0), text: text))
}

extension HARTransport {
    convenience init(_ entries: [HAR.Entry], _ configuration: Configuration = Configuration()) throws {
        try self.init(HAR.Log(entries: entries), configuration: configuration)
    }

    func fetch(
        _ url: String,
        method: HTTPRequest.Method = .get,
        headers: HTTPFields = [:],
        body: RequestBody = .none
    ) async throws(TransportError) -> (response: TransportResponse, text: String) {
        var head = HTTPRequest(method: method, url: URL(string: url) ?? URL(filePath: "/"))
        head.headerFields = headers
        let response = try await send(TransportRequest(head, body: body))
        let data = try await response.body.collect(upTo: 1 << 20)
        return (response, String(decoding: data, as: UTF8.self))
    }
}

@Suite("Replaying an archive", .timeLimit(.minutes(1)))
struct HARTransportTests {
    @Test("lenient: entries of a URL in turn, then the last one again; the order of the query does not matter")
    func lenient() async throws {
        let transport = try HARTransport([
            exchange("http://a.test/x?a=1&b=2", answer(200, "first")),
            exchange("http://a.test/y", answer(200, "other")),
            exchange("http://A.test:80/x?b=2&a=1", answer(200, "second")),
        ])
        for expected in ["first", "second", "second"] {
            #expect(try await transport.fetch("http://a.test/x?b=2&a=1").text == expected)
        }
        #expect(transport.unusedEntries.map(\.request.url) == ["http://a.test/y"])
        #expect(transport.requests.map(\.hit) == [1, 1, 2])
        #expect(throws: MockVerificationError.self) { try transport.verify() }
        _ = try await transport.fetch("http://a.test/y")
        try transport.verify()
    }

    @Test("strict: each entry once, in the archive's order, with the same fields and content")
    func strict() async throws {
        let accept = HAR.Header(name: "Accept", value: "text/plain")
        let transport = try HARTransport(
            [
                exchange(
                    "http://a.test/1", headers: [accept, HAR.Header(name: "Host", value: "a.test")], answer(200, "1")),
                exchange(
                    "http://a.test/2", method: "POST", body: HAR.PostData(mimeType: "", text: "two"), answer(200, "2")),
            ],
            .init(matching: .strict)
        )
        let early = await #expect(throws: TransportError.self) { try await transport.fetch("http://a.test/2") }
        #expect(early?.code == .unmatchedRequest)
        let other = await #expect(throws: TransportError.self) { try await transport.fetch("http://a.test/1") }
        #expect(other?.message.contains("Accept: text/plain") == true)
        _ = try await transport.fetch("http://a.test/1", headers: [.accept: "text/plain"])
        let body = await #expect(throws: TransportError.self) {
            try await transport.fetch("http://a.test/2", method: .post, body: .bytes(Data("tow".utf8)))
        }
        #expect(body?.message.contains("body") == true)
        _ = try await transport.fetch("http://a.test/2", method: .post, body: .bytes(Data("two".utf8)))
        let late = await #expect(throws: TransportError.self) { try await transport.fetch("http://a.test/1") }
        #expect(late?.message.contains("all 2 entries have been served") == true)
    }

    @Test("a request that matches nothing fails with its difference from the nearest entry")
    func difference() async throws {
        let transport = try HARTransport([
            exchange("http://b.test/z", method: "DELETE", answer(200)),
            exchange("http://a.test/users?page=1", answer(200)),
        ])
        let error = await #expect(throws: TransportError.self) {
            try await transport.fetch("http://a.test/users?page=2")
        }
        let expected = """
            GET http://a.test/users?page=2 matches no entry of the HAR. \
            Nearest of 2: entry 1, GET http://a.test/users?page=1
              query     expected ?page=1                          got ?page=2
            """
        #expect(error?.message == expected)
        #expect(error?.processing == .notSent)
        #expect(transport.unmatchedReports == [expected])
        let empty = try HARTransport([])
        let none = await #expect(throws: TransportError.self) { try await empty.fetch("http://a.test/") }
        #expect(none?.message.contains("it has none") == true)
    }

    @Test("parameters and fields can be ignored, and redacted values match anything")
    func ignored() async throws {
        let authorization = HAR.Header(name: "Authorization", value: "Bearer •••")
        let form = HAR.PostData(
            mimeType: "application/x-www-form-urlencoded",
            params: [HAR.Parameter(name: "user", value: "pilot"), HAR.Parameter(name: "password", value: "•••")]
        )
        let json = HAR.PostData(mimeType: "application/json", text: #"{"token":"•••","n":1}"#)
        let leftOut = HAR.PostData(mimeType: "multipart/form-data; boundary=b", text: "", comment: "was left out")
        let date = HAR.Header(name: "Date", value: "then")
        let transport = try HARTransport(
            [
                exchange(
                    "http://u:•••@a.test/;jsessionid=•••/x?token=•••&t=1", headers: [authorization, date], answer(200)),
                exchange("http://a.test/", method: "POST", body: form, answer(200)),
                exchange("http://a.test/", method: "POST", body: json, answer(200)),
                exchange("http://a.test/", method: "POST", body: leftOut, answer(200)),
            ],
            .init(matching: .strict, ignoredHeaders: [.date], ignoredParameters: ["t"])
        )
        let basic = await #expect(throws: TransportError.self) {
            let fields: HTTPFields = [.authorization: "Basic s3cret"]
            return try await transport.fetch("http://u:p@a.test/;jsessionid=7/x?token=9&t=2", headers: fields)
        }
        #expect(basic?.message.contains("s3cret") == false)
        let fields: HTTPFields = [.authorization: "Bearer s3cret", .date: "now"]
        _ = try await transport.fetch("http://u:p@a.test/;jsessionid=7/x?t=2&token=9", headers: fields)
        _ = try await transport.fetch("http://a.test/", method: .post, body: .bytes(Data("user=pilot&password=x".utf8)))
        _ = try await transport.fetch(
            "http://a.test/", method: .post, body: .bytes(Data(#"{"n": 1, "token": [7]}"#.utf8)))
        _ = try await transport.fetch("http://a.test/", method: .post, body: .bytes(Data([0])))
        try transport.verifyEntries()
    }

    @Test("content is decoded from base64, and the head has no content coding")
    func content() async throws {
        let coded = [
            HAR.Header(name: "Content-Encoding", value: "gzip"), HAR.Header(name: "Content-Length", value: "23"),
            HAR.Header(name: "Set-Cookie", value: "a=b\nc=d"), HAR.Header(name: ":status", value: "200"),
        ]
        var binary = answer(200)
        binary.content = HAR.Content(size: 2, mimeType: "a/b", text: "AP8=", encoding: "base64")
        let transport = try HARTransport([
            exchange("http://a.test/gzip", answer(200, "plain", headers: coded)),
            exchange("http://a.test/binary", binary),
            exchange(
                "http://a.test/", method: "HEAD", answer(200, headers: [HAR.Header(name: "Content-Length", value: "9")])
            ),
        ])
        let (gzip, text) = try await transport.fetch("http://a.test/gzip")
        #expect(text == "plain")
        #expect(gzip.head.headerFields[.contentEncoding] == nil && gzip.head.headerFields[.contentLength] == nil)
        #expect(gzip.receivedHead?.headerFields[.contentEncoding] == "gzip")
        #expect(gzip.head.headerFields[values: .setCookie] == ["a=b", "c=d"])
        let response = try await transport.send(
            TransportRequest(HTTPRequest(url: URL(filePath: "/").absoluteHTTP("binary"))))
        #expect(try await response.body.collect(upTo: 10) == Data([0, 0xFF]))
        #expect(
            try await transport.fetch("http://a.test/", method: .head).response.head.headerFields[.contentLength] == "9"
        )
        binary.content.text = "???"
        let error = #expect(throws: HAR.ReadingError.self) { try HARTransport([exchange("http://a.test/", binary)]) }
        #expect(error?.path == "log.entries[0].response.content.text")
    }

    @Test("missing content fails with a description")
    func missing() async throws {
        var cut = answer(200, "hell")
        cut.content.size = 5
        cut.content.custom["_truncated"] = true
        var absent = answer(200)
        absent.content.size = 7
        let transport = try HARTransport([exchange("http://a.test/1", cut), exchange("http://a.test/2", absent)])
        let error = await #expect(throws: TransportError.self) { try await transport.fetch("http://a.test/1") }
        #expect(error?.message.contains("the first 4 of the 5 bytes") == true)
        let other = await #expect(throws: TransportError.self) { try await transport.fetch("http://a.test/2") }
        #expect(other?.message.contains("7 bytes") == true)
    }

    private struct Failure: Sendable, CustomTestStringConvertible {
        let custom: [String: HAR.Value]
        let code: TransportError.Code
        let phase: TransportPhase

        var testDescription: String { "\(code) in \(phase)" }

        static let ofAirframe = [
            Failure(
                custom: fields("nameResolutionFailed", "name resolution"), code: .nameResolutionFailed, phase: .resolve),
            Failure(custom: fields("timedOut", "connect"), code: .timedOut, phase: .connect),
            Failure(custom: fields("trustRefused", "TLS"), code: .trustRefused, phase: .tls),
            Failure(custom: fields("own", "layer"), code: .init(rawValue: "own"), phase: .responseHead),
        ]

        static let ofBrowsers = [
            Failure(custom: ["_error": "net::ERR_NAME_NOT_RESOLVED"], code: .nameResolutionFailed, phase: .resolve),
            Failure(custom: ["_error": "net::ERR_CONNECTION_REFUSED"], code: .connectFailed, phase: .connect),
            Failure(custom: ["_error": "NS_ERROR_UNKNOWN_HOST"], code: .nameResolutionFailed, phase: .resolve),
            Failure(custom: [:], code: .connectionLost, phase: .responseHead),
        ]

        private static func fields(_ code: String, _ phase: String) -> [String: HAR.Value] {
            ["_errorCode": .string(code), "_errorPhase": .string(phase), "_errorMessage": "no luck"]
        }
    }

    @Test(
        "failures are replayed from Airframe's members and from browsers' messages",
        arguments: Failure.ofAirframe + Failure.ofBrowsers
    )
    private func failures(_ failure: Failure) async throws {
        let (custom, code, phase) = (failure.custom, failure.code, failure.phase)
        let failed = HAR.Response(status: 0, custom: custom)
        let transport = try HARTransport([exchange("https://a.test/", failed)])
        let error = await #expect(throws: TransportError.self) { try await transport.fetch("https://a.test/") }
        #expect(error?.code == code && error?.phase == phase)
        if let message = custom["_errorMessage"]?.string { #expect(error?.message == message) }
    }

    @Test("a truncated body is replayed truncated after the same bytes")
    func brokenBody() async throws {
        var broken = answer(200, "hel", headers: [HAR.Header(name: "Content-Length", value: "5")])
        broken.custom = ["_errorCode": "connectionLost", "_errorPhase": "response body", "_errorMessage": "gone"]
        let transport = try HARTransport([exchange("http://a.test/", broken)])
        let response = try await transport.send(TransportRequest(HTTPRequest(url: URL(filePath: "/").absoluteHTTP(""))))
        #expect(try await response.body.next() == Data("hel".utf8))
        let error = await #expect(throws: TransportError.self) { try await response.body.next() }
        #expect(error?.code == .connectionLost && error?.message == "gone")
    }

    @Test("recorded durations can be replayed on the virtual clock, phase by phase")
    func timing() async throws {
        let timings = HAR.Timings(blocked: 1, dns: 2, connect: 30, send: 4, wait: 5000, receive: 600, ssl: 20)
        let log = [exchange("https://a.test/", answer(200, "x"), timings: timings)]
        let timed = try HARTransport(log, .init(timing: .original))
        _ = try await timed.fetch("https://a.test/")
        #expect(timed.virtualClock.elapsed == .milliseconds(5637))
        let instant = try HARTransport(log)
        _ = try await instant.fetch("https://a.test/")
        #expect(instant.virtualClock.elapsed == .zero)
    }

    @Test("replay performs no trust evaluation, because archives have no certificates")
    func trust() async throws {
        let transport = try HARTransport([exchange("https://a.test/", answer(200, "x"))])
        let head = HTTPRequest(method: .get, scheme: "https", authority: "a.test", path: "/")
        let response = try await transport.send(TransportRequest(head, trust: NobodyIsTrusted()))
        #expect(try await response.body.collect(upTo: 10) == Data("x".utf8))
    }

    @Test("a redirect with a partly redacted location leads to the next entry")
    func hiddenRedirect() async throws {
        let location = HAR.Header(name: "Location", value: "/next?token=•••&page=2")
        let transport = RedirectLayer(
            try HARTransport([
                exchange("http://a.test/", answer(302, headers: [location])),
                exchange("http://a.test/next?token=•••&page=2", answer(200, "there")),
            ]))
        let request = TransportRequest(HTTPRequest(url: URL(filePath: "/").absoluteHTTP("")))
        #expect(try await transport.send(request).body.collect(upTo: 10) == Data("there".utf8))
    }

    @Test(
        "the version of HTTP is the recorded one",
        arguments: [
            ("h2", HTTPVersion.http2), ("HTTP/2", .http2), ("http/2.0", .http2), ("HTTP/1.0", .http1_0), ("", .http1_1),
        ])
    func version(name: String, version: HTTPVersion) async throws {
        var recorded = answer(200, "x")
        recorded.httpVersion = name
        let transport = try HARTransport([exchange("http://a.test/", recorded)])
        #expect(try await transport.fetch("http://a.test/").response.connection?.httpVersion == version)
    }
}

private struct NobodyIsTrusted: TrustEvaluation {
    let key = TrustKey("nobody")

    func evaluate(chain: [DER], host: String, port: Int, stapledOCSPResponse: DER?) async throws {
        throw TransportError(.trustRefused, phase: .tls, processing: .notSent, message: "nobody is trusted")
    }
}

extension HARTransport {
    /// Checks that no entry is left.
    fileprivate func verifyEntries() throws {
        #expect(unusedEntries.isEmpty)
    }
}

extension URL {
    /// A URL of the host that the tests use.
    fileprivate func absoluteHTTP(_ path: String) -> URL { URL(string: "http://a.test/\(path)") ?? self }
}
