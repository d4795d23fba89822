import AirframeCore
import Foundation
import HTTPTypes
import Testing

@Suite("Reports of responses", .timeLimit(.minutes(1)))
struct ResponseReportTests {
    private func response(
        to request: URLRequest?,
        _ fields: HTTPFields? = [:],
        _ data: Data? = nil,
        metrics: URLSessionTaskMetrics? = nil
    ) -> AFDataResponse<Int> {
        AFDataResponse<Int>(
            request: request,
            response: fields.map { HTTPURLResponse(url: nil, head: HTTPResponse(status: .ok, headerFields: $0)) },
            data: data,
            metrics: metrics,
            serializationDuration: 0.5,
            result: .success(1)
        )
    }

    @Test("have Alamofire's format, with the fields sorted by name and all secrets redacted")
    func alamofireForm() throws {
        var request = try URLRequest(
            url: "http://u:s3cret@h.test/?token=s3cret",
            method: .post,
            headers: [
                .contentType("application/json"), .authorization(bearerToken: "s3cret"), .accept("*/*"),
                HTTPHeader(name: "cookie", value: "id=s3cret"),
            ]
        )
        request.httpBody = Data(#"{"user":"ada","password":"s3cret"}"#.utf8)
        let fields: HTTPFields = [.setCookie: "id=s3cret", .contentType: "application/json"]
        let response = response(to: request, fields, Data("\n{\n  \"id\": 1,\r\n  \"token\": \"s3cret\"\n}\n".utf8))
        #expect(
            response.debugDescription == """
                [Request]: POST http://u:•••@h.test/?token=•••
                    [Headers]:
                        Accept: */*
                        Authorization: Bearer •••
                        Content-Type: application/json
                        cookie: •••
                    [Body]:
                        {"user":"ada","password":"•••"}
                [Response]:
                    [Status Code]: 200
                    [Headers]:
                        Content-Type: application/json
                        Set-Cookie: •••
                    [Body]:
                        {
                          "id": 1,
                          "token": "•••"
                        }
                [Network Duration]: None
                [Serialization Duration]: 0.5s
                [Result]: success(1)
                """)
    }

    @Test("name the parts that a response does not have")
    func missingParts() throws {
        #expect(response(to: nil, [:]).debugDescription == "[Request]: None\n[Result]: success(1)")
        let request = try URLRequest(url: "http://h.test/", method: .get)
        #expect(
            response(to: request, nil, metrics: URLSessionTaskMetrics()).debugDescription == """
                [Request]: GET http://h.test/
                    [Headers]: None
                    [Body]: None
                [Response]: None
                [Network Duration]: 0.0s
                [Serialization Duration]: 0.5s
                [Result]: success(1)
                """)
        #expect(
            response(to: request).debugDescription.contains(
                "[Response]:\n    [Status Code]: 200\n    [Headers]: None\n    [Body]: None\n"))
    }

    /// A body, its media type and its text in a report.
    struct Body: CustomTestStringConvertible {
        let type: String?
        let data: Data
        let shown: String

        init(_ type: String?, _ data: Data, _ shown: String) {
            self.type = type
            self.data = data
            self.shown = shown
        }

        var testDescription: String { "\(type ?? "no type"), \(data.count) bytes" }
    }

    @Test(
        "have the bodies of printable types up to 100,000 bytes, and the sizes of others",
        arguments: [
            Body("application/json", Data("[1]".utf8), "[Body]:\n        [1]"),
            Body("application/problem+json; charset=utf-8", Data("[1]".utf8), "[Body]:\n        [1]"),
            Body("text/xml", Data("<a>1</a>".utf8), "[Body]:\n        <a>1</a>"),
            Body("text/plain", Data("s3cret text".utf8), "[Body]:\n        ••• (11 bytes)"),
            Body("application/json", Data("[\(String(repeating: "1", count: 99_998))]".utf8), "[Body]:\n        [11"),
            Body("application/json", Data("[\(String(repeating: "1", count: 99_999))]".utf8), "[Body]: 100001 bytes"),
            Body("text/xml", Data([0x3C, 0, 0x61, 0, 0x3E, 0]), "[Body]: 6 bytes"),
            Body("application/x-www-form-urlencoded", Data("password=s3cret".utf8), "[Body]: 15 bytes"),
            Body("image/png", Data([0xFF, 0xFE]), "[Body]: 2 bytes"),
            Body(nil, Data("[1]".utf8), "[Body]: 3 bytes"),
            Body("text/plain", Data(), "[Body]: None"),
        ])
    func bodies(body: Body) throws {
        var fields = HTTPFields()
        fields[.contentType] = body.type
        let request = try URLRequest(url: "http://h.test/", method: .get)
        let report = response(to: request, fields, body.data).debugDescription
        let section = try #require(report.components(separatedBy: "[Response]:").last)
        #expect(section.contains("    \(body.shown)"))
        #expect(!report.contains("s3cret"))
    }

    @Test("of downloads have the file and the size of the resume data")
    func downloads() throws {
        func report(_ fileURL: URL?, _ resumeData: Data?, _ request: URLRequest?) -> String {
            AFDownloadResponse<Int>(
                request: request,
                response: HTTPURLResponse(url: nil, head: HTTPResponse(status: .ok)),
                fileURL: fileURL,
                resumeData: resumeData,
                metrics: nil,
                serializationDuration: 0,
                result: .success(1)
            ).debugDescription
        }
        let request = try URLRequest(url: "http://h.test/x", method: .get)
        #expect(
            report(URL(filePath: "/tmp/x"), Data([1, 2]), request) == """
                [Request]: GET http://h.test/x
                    [Headers]: None
                    [Body]: None
                [Response]:
                    [Status Code]: 200
                    [Headers]: None
                [File URL]: /tmp/x
                [Resume Data]: 2 bytes
                [Network Duration]: None
                [Serialization Duration]: 0.0s
                [Result]: success(1)
                """)
        #expect(report(nil, nil, request).contains("\n[File URL]: None\n[Resume Data]: None\n[Network Duration]"))
        #expect(report(nil, nil, nil) == "[Request]: None\n[Result]: success(1)")
    }
}
