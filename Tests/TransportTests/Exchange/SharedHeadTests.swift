import HTTPTypes
import Testing

@testable import AirframeTransport

@Suite("a shared head", .timeLimit(.minutes(1)))
struct SharedHeadTests {
    private static let first = "HTTP/1.1 200 OK\r\nDate: a\r\nVary: b\r\nX-Request-Id: 1\r\n\r\n"

    private static func revised(_ head: SharedResponseHead, to text: String, at lines: [Int]) -> SharedResponseHead {
        let bytes = Array(text.utf8)
        let ends = bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }.map { $0 + 1 }
        return SharedResponseHead(revising: head, text: bytes, ends: ends, at: lines)
    }

    private static func made() -> SharedResponseHead {
        var fields = HTTPFields()
        for (name, value) in [("Date", "a"), ("Vary", "b"), ("X-Request-Id", "1")] {
            if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
        }
        return SharedResponseHead(HTTPResponse(status: .ok, headerFields: fields))
    }

    private static func values(_ head: SharedResponseHead) -> [String] { head.head.headerFields.map(\.value) }

    @Test("makes the fields that changed when it is read, those of unread heads before it included")
    func pendingFields() {
        let second = Self.revised(Self.made(), to: Self.first.replacing("Id: 1", with: "Id:  two \t"), at: [3])
        let third = Self.revised(
            second, to: Self.first.replacing("Id: 1", with: "Id: two").replacing("a", with: "c"), at: [1])
        #expect(Self.values(third) == ["c", "b", "two"])
        #expect(Self.values(second) == ["a", "b", "two"])
        let fourth = Self.revised(third, to: Self.first.replacing("a", with: "c"), at: [3])
        #expect(Self.values(fourth) == ["c", "b", "1"])
        #expect(Self.values(third) == ["c", "b", "two"])
        #expect(third.statusCode == 200)
    }

    @Test("compares with what its fields will be")
    func equality() {
        let same = Self.revised(Self.made(), to: Self.first, at: [1, 3])
        #expect(same == Self.made())
        #expect(Self.revised(same, to: Self.first.replacing("Vary: b", with: "Vary: d"), at: [2]) != Self.made())
    }

    @Test(
        "has its well-known fields, regardless of their case",
        arguments: [
            ("Content-Encoding", WellKnownField.contentEncoding), ("set-cookie", .setCookie), ("RANGE", .range),
            ("Strict-Transport-Security", .strictTransportSecurity), ("Accept-Encoding", .acceptEncoding),
            ("Authorization", .authorization),
        ]
    )
    func presence(_ text: String, _ field: WellKnownField) throws {
        let name = try #require(HTTPField.Name(text))
        let head = SharedResponseHead(HTTPResponse(status: .ok, headerFields: [name: "1", .eTag: "2"]))
        for known in WellKnownField.allCases { #expect(head.has(known) == (known == field)) }
        #expect(Self.revised(head, to: "HTTP/1.1 200 OK\r\n\(text): 3\r\nETag: 2\r\n\r\n", at: [1]).has(field))
    }

    @Test("of a request is asked again after a change")
    func changedRequest() {
        var request = TransportRequest(HTTPRequest(method: .get, scheme: "http", authority: "api.test", path: "/"))
        #expect(!request.sharedHead.has(.range))
        request.head.headerFields[.range] = "bytes=0-1"
        #expect(request.sharedHead.has(.range))
        request.head.headerFields[.range] = nil
        #expect(!request.sharedHead.has(.range))
        #expect(request.methodRole == .get)
        request.head.method = .delete
        #expect(request.methodRole == .change)
    }

    @Test("of a response is another after a change, and the timeline keeps the received one")
    func changedResponse() {
        let request = TransportRequest(HTTPRequest(method: .get, scheme: "http", authority: "api.test", path: "/"))
        let received = Self.made()
        var response = TransportResponse(
            head: received.head, body: ResponseBody(), connection: nil, answering: request)
        #expect(!response.sharedHead.has(.contentEncoding))
        response.head.headerFields[.contentEncoding] = "gzip"
        response.head.status = .notFound
        #expect(response.sharedHead.has(.contentEncoding))
        #expect(response.status == .notFound)
        #expect(response.sharedHead.statusCode == 404)
        #expect(Self.values(received) == ["a", "b", "1"])
    }

    @Test("reads its declared length once")
    func declaredLength() {
        let head = Self.made()
        #expect(head.declaredLength { _ in 5 } == 5)
        #expect(head.declaredLength { _ in 6 } == 5)
        #expect(Self.revised(head, to: Self.first, at: [3]).declaredLength { _ in 7 } == 5)
    }
}
