import AirframeCompression
import AirframeCore
import AirframeHAR
import AirframeMock
import AirframeSerialization
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

@Suite("Bodies and secrets in an archive", .enabled(if: Reader.isExpected), .timeLimit(.minutes(2)))
struct RecordedBodiesTests {
    private static func post(_ body: String, _ type: String) throws -> URLRequest {
        var request = URLRequest(url: try #require(URL(string: "http://api.test/")))
        request.httpMethod = "POST"
        request.httpBody = Data(body.utf8)
        request.headers.update(.contentType(type))
        return request
    }

    @Test("the file has no secrets in fields, cookies, URLs, queries and forms")
    func redaction() async throws {
        let mock = MockTransport {
            Route("/**").reply(
                .json(["id": 1]).header(.setCookie, "session=s3cret; Path=/x; HttpOnly; Max-Age=60")
                    .header(.location, "http://u:s3cret@api.test/?code=s3cret"))
        }
        let recording = try Recording(mock)
        var request = try Self.post("user=pilot&password=s3cret", "application/x-www-form-urlencoded")
        request.url = URL(string: "http://pilot:s3cret@api.test/login?access_token=s3cret&page=2")
        request.headers.update(.authorization(bearerToken: "s3cret"))
        request.headers.update(name: "Cookie", value: "a=s3cret; b=s3cret")
        request.headers.update(name: "X-Api-Key", value: "s3cret")
        _ = await recording.session.request(request).serializingData().response
        let entry = try #require(try await recording.log().entries.first)
        let text = try String(contentsOf: recording.workplace.archive, encoding: .utf8)
        #expect(!text.contains("s3cret"))
        #expect(entry.request.queryString.map(\.value) == ["•••", "2"])
        #expect(entry.requestHeader("Authorization") == "Bearer •••")
        #expect(entry.request.cookies.map(\.value) == ["•••", "•••"])
        #expect(entry.request.postData?.params.map(\.value) == ["pilot", "•••"])
        let cookie = try #require(entry.response.cookies.first)
        #expect(cookie.value == "•••" && cookie.path == "/x" && cookie.httpOnly == true && cookie.secure == false)
        #expect(cookie.expires == Date(timeIntervalSince1970: 1_767_225_660))
    }

    @Test("parameters within the value of a parameter are hidden in the URL, the query and the form")
    func nestedParameters() async throws {
        let recording = try Recording(MockTransport { Route("/**").reply(.status(.noContent)) })
        let pairs =
            "state=user%3Dbob%26password%3Ds3cret&hint=token%3Ds3cret&next=%2Fa%3Fnext%3D%252Fb%253Ftoken%253Ds3cret"
            + "&to=%252Fb%253Ftoken%253Ds3cret&page=a%3Db&resource=acct%3Abob%40h&when=12:30+%40+Bob"
        var request = try Self.post(pairs, "application/x-www-form-urlencoded")
        request.url = URL(string: "http://api.test/?\(pairs)")
        _ = await recording.session.request(request).serializingData().response
        let entry = try #require(try await recording.log().entries.first)
        let text = try String(contentsOf: recording.workplace.archive, encoding: .utf8)
        #expect(!text.contains("s3cret"))
        let values = ["•••", "•••", "•••", "•••", "a=b", "acct:bob@h", "12:30 @ Bob"]
        #expect(entry.request.queryString.map(\.value) == values)
        #expect(entry.request.postData?.params.map(\.value) == values)
    }

    @Test("a secret is hidden if its name follows a mark at which the names of a URL begin")
    func marksInNames() async throws {
        let recording = try Recording(MockTransport { Route("/**").reply(.status(.noContent)) })
        let pairs = "?code=s3cret&x;code=s3cret&page=2"
        var request = try Self.post(pairs, "application/x-www-form-urlencoded")
        request.url = URL(string: "http://api.test/?\(pairs)")
        _ = await recording.session.request(request).serializingData().response
        let entry = try #require(try await recording.log().entries.first)
        let text = try String(contentsOf: recording.workplace.archive, encoding: .utf8)
        #expect(!text.contains("s3cret"))
        #expect(entry.request.queryString.map(\.value) == ["•••", "•••", "2"])
        #expect(entry.request.postData?.params.map(\.value) == ["•••", "•••", "2"])
    }

    @Test("the verbose level writes everything")
    func noRedaction() async throws {
        let mock = MockTransport {
            Route("/**").reply(
                Reply.status(.noContent).header(.setCookie, "a=b; Expires=Wed, 21 Oct 2026 07:28:00 GMT; Secure"))
        }
        let recording = try Recording(mock, options: HAR.RecordingOptions(redaction: .none))
        var request = try Self.post("password=open+sesame", "application/x-www-form-urlencoded")
        request.headers.update(name: "Cookie", value: "a=b; c=d=e")
        _ = await recording.session.request(request).serializingData().response
        let entry = try #require(try await recording.log().entries.first)
        #expect(entry.request.cookies == [HAR.Cookie(name: "a", value: "b"), HAR.Cookie(name: "c", value: "d=e")])
        #expect(entry.request.postData?.params == [HAR.Parameter(name: "password", value: "open sesame")])
        #expect(entry.response.cookies.first?.expires == Date(timeIntervalSince1970: 1_792_567_680))
        #expect(entry.response.cookies.first?.secure == true)
    }

    @Test("secrets in JSON are redacted by the names of members, unless that is disabled")
    func json() async throws {
        let mock = MockTransport { Route("/**").reply(.json(["token": "s3cret", "list": [["password": 7], "x"]])) }
        let body = #"{"user": "pilot", "password": "s3cret"}"#
        for isOn in [true, false] {
            let recording = try Recording(mock, options: HAR.RecordingOptions(redactsJSON: isOn))
            _ = await recording.session.request(try Self.post(body, "application/json")).serializingData().response
            let entry = try #require(try await recording.log().entries.first)
            if isOn {
                #expect(entry.request.postData?.text == #"{"user": "pilot", "password": "•••"}"#)
                #expect(entry.response.content.text == #"{"list":[{"password":"•••"},"x"],"token":"•••"}"#)
            } else {
                #expect(entry.request.postData?.text == body)
            }
        }
    }

    @Test("a body above the limit is recorded up to the limit, with its length", arguments: [0, 1, 6, 7, 8])
    func limits(limit: Int) async throws {
        // Five bytes, then a character of three.
        let text = "hello€"
        let recording = try Recording(
            MockTransport { Route("/**").reply(.text(text)) },
            options: HAR.RecordingOptions(requestBodyLimit: limit, responseBodyLimit: limit)
        )
        _ = await recording.session.request(try Self.post(text, "text/plain")).serializingData().response
        let entry = try #require(try await recording.log().entries.first)
        let kept: String? =
            switch limit {
            case 0: nil
            case 1: "h"
            case 8: text
            default: "hello"
            }
        #expect(entry.response.content.text == kept)
        #expect(entry.response.content.size == 8 && entry.response.bodySize == 8 && entry.request.bodySize == 8)
        #expect(entry.request.postData?.text ?? "" == kept ?? "")
        #expect((entry.response.content.comment == nil) == (limit == 8))
        #expect((entry.response.content.custom["_truncated"] == true) == (limit < 8))
    }

    @Test(
        "content that is not text is recorded in base64",
        arguments: [
            ([0, 1, 2], "base64"), ([0xFF, 0xFE], "base64"), (Array("plain\r\n\tü".utf8), nil),
            (Array("bell \u{7}".utf8), "base64"),
        ] as [([UInt8], String?)])
    func binary(bytes: [UInt8], encoding: String?) async throws {
        let recording = try Recording(MockTransport { Route("/**").reply(.data(Data(bytes))) })
        var request = try Self.post("", "application/octet-stream")
        request.httpBody = Data(bytes)
        _ = await recording.session.request(request).serializingData().response
        let entry = try #require(try await recording.log().entries.first)
        #expect(entry.response.content.encoding == encoding && entry.request.postData?.encoding == encoding)
        #expect(try entry.response.content.data() == Data(bytes))
        #expect(try entry.request.postData?.data() == Data(bytes))
    }

    @Test(
        "content with names that is not text is left out, because its secrets cannot be found",
        arguments: [
            (
                "multipart/form-data; boundary=b",
                "--b\r\nContent-Disposition: form-data; name=\"password\"\r\n\r\ns3cret\r\n"
                    + "--b\r\nContent-Disposition: form-data; name=\"file\"; filename=\"f\"\r\n\r\n\u{0}\r\n--b--"
            ),
            ("application/json; charset=utf-8", "{\"password\":\"s3cret\",\"name\":\"\u{0}\"}"),
            ("application/problem+json", "{\"token\":\"s3cret\u{0}\"}"),
            ("application/x-www-form-urlencoded", "password=s3cret&name=\u{0}"),
            ("image/svg+xml", "<svg><token>s3cret</token>\u{0}</svg>"), ("text/html", "<p token=s3cret>\u{0}</p>"),
        ] as [(String, String)])
    func binaryWithNames(type: String, body: String) async throws {
        let mock = MockTransport { Route("/**").reply(.data(Data(body.utf8), contentType: type)) }
        let hidden = try Recording(mock)
        _ = await hidden.session.request(try Self.post(body, type)).serializingData().response
        let entry = try #require(try await hidden.log().entries.first)
        #expect(entry.request.postData?.text == "" && entry.request.postData?.params.isEmpty == true)
        #expect(entry.request.postData?.comment?.hasSuffix("was left out") == true)
        #expect(entry.response.content.text == nil && entry.response.content.size == Int64(body.utf8.count))
        #expect(entry.response.content.comment?.hasSuffix("was left out") == true)
        let shown = try Recording(mock, options: HAR.RecordingOptions(redaction: .none))
        _ = await shown.session.request(try Self.post(body, type)).serializingData().response
        let whole = try #require(try await shown.log().entries.first)
        #expect(try whole.request.postData?.data() == Data(body.utf8))
        #expect(try whole.response.content.data() == Data(body.utf8))
    }

    @Test("content without a type, which is sent as a form, is searched for secrets as content without a type")
    func untyped() async throws {
        let form = "application/x-www-form-urlencoded"
        let recording = try Recording(MockTransport { Route("/**").reply(.status(.noContent)) })
        for body in [Data(#"{"password":"s3cret"}"#.utf8), Data("a text".utf8), Data([0, 1, 2])] {
            var request = URLRequest(url: try #require(URL(string: "http://api.test/")))
            request.httpMethod = "POST"
            request.httpBody = body
            _ = await recording.session.request(request).serializingData().response
        }
        let entries = try await recording.log().entries
        #expect(entries.map { $0.requestHeader("Content-Type") } == [form, form, form])
        #expect(entries.map(\.request.postData?.mimeType) == [form, form, form])
        #expect(entries.map(\.request.postData?.text) == [#"{"password":"•••"}"#, "a text", "AAEC"])
    }

    @Test("sizes on the wire are coded, and sizes in the archive decoded")
    func coding() async throws {
        let plain = Data(String(repeating: "wing ", count: 2000).utf8)
        let text = "H4sIAAAAAAACA+3EMQ0AAAgDMCu4Izy8s48OkvZoZrsiSZIkSZIkSZIkSZIkSdLvDn0M5WAQJwAA"
        let coded = try #require(Data(base64Encoded: text))
        let reply = Reply.data(coded, contentType: "text/plain").header(.contentEncoding, "gzip")
        let mock = MockTransport { Route("/**").reply(reply) }
        let recording = try Recording(ContentDecodingLayer(mock))
        let data = try await recording.session.request("http://api.test/").serializingData().value
        #expect(data == plain)
        let entry = try #require(try await recording.log().entries.first)
        #expect(entry.response.bodySize == Int64(coded.count))
        #expect(entry.response.content.size == Int64(plain.count))
        #expect(entry.response.content.compression == Int64(plain.count - coded.count))
        #expect(entry.responseHeader("Content-Encoding") == "gzip")
        #expect(try entry.response.content.data() == plain)
    }

    @Test("the body of a stream is recorded while it is read")
    func streams() async throws {
        let recording = try Recording(MockTransport { Route("/").reply(.chunks([Data("a".utf8), Data("b".utf8)])) })
        for await _ in recording.session.streamRequest("http://api.test/").streamTask().streamingData() {}
        let entry = try #require(try await recording.log().entries.first)
        #expect(entry.response.content.text == "ab" && entry.response.content.size == 2)
    }

    @Test("uploads from memory, files and bodies are recorded; downloads to a file are marked as missing")
    func transfers() async throws {
        let mock = MockTransport { Route("/**").reply(.text("received")) }
        let recording = try Recording(mock)
        let file = recording.workplace.folder.appendingPathComponent("upload")
        try Data("from a file".utf8).write(to: file)
        _ = try await recording.session.upload(Data("from memory".utf8), to: "http://api.test/1").serializingData()
            .value
        _ = try await recording.session.upload(file, to: "http://api.test/2").serializingData().value
        let part = RequestBody.file(FileRegion(path: file.path, offset: 5, length: 6))
        _ = try await recording.session.upload(part, to: "http://api.test/3").serializingData().value
        _ = try await recording.session.download("http://api.test/4").serializingData().value
        let entries = try await recording.log().entries
        #expect(entries.map { $0.request.postData?.text } == ["from memory", "from a file", "a file", nil])
        #expect(entries.map(\.response.content.text) == ["received", "received", "received", nil])
        #expect(entries[3].response.content.size == 8 && entries[3].response.content.comment != nil)
    }
}
