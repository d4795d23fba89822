import AirframeHAR
import AirframeMock
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

@Suite("Archives with impossible messages", .timeLimit(.minutes(1)))
struct LargeMessageTests {
    fileprivate static func headers(_ count: Int) -> [HAR.Header] {
        (0..<count).map { HAR.Header(name: "X-\($0)", value: "a") }
    }

    fileprivate static func pairs(_ count: Int) -> HAR.Value {
        .array((0..<count).map { ["name": .string("X-\($0)"), "value": "a"] })
    }

    /// The places where an archive holds fields.
    enum Place: CaseIterable {
        case request, response, lines, trailers, informational

        func entry(_ count: Int) -> HAR.Entry {
            var response = answer(200, "a")
            switch self {
            case .request: return exchange("http://api.test/", headers: LargeMessageTests.headers(count), response)
            case .response: response.headers = LargeMessageTests.headers(count)
            case .lines:
                let value = String(repeating: "a\n", count: count - 1)
                response.headers = [HAR.Header(name: "Set-Cookie", value: value)]
            case .trailers: response.custom["_trailers"] = LargeMessageTests.pairs(count)
            case .informational:
                response.custom["_informational"] = .array([["status": 103, "headers": LargeMessageTests.pairs(count)]])
            }
            return exchange("http://api.test/", response)
        }
    }

    @Test("too many fields are an error with the path", arguments: Place.allCases)
    func tooMany(place: Place) throws {
        let error = try #require(throws: HAR.ReadingError.self) { try HARTransport([place.entry(65_536)]) }
        #expect(error.path.hasPrefix("log.entries[0].\(place == .request ? "request" : "response")."))
        #expect(error.message.contains("65000"))
    }

    @Test("the maximum number of fields is replayed", arguments: [Place.lines, .trailers])
    func many(place: Place) async throws {
        let transport = try HARTransport([place.entry(65_000)])
        let request = TransportRequest(HTTPRequest(method: .get, scheme: "http", authority: "api.test", path: "/"))
        let response = try await transport.send(request)
        if place == .lines { #expect(response.head.headerFields.count == 65_000) }
        #expect(try await response.body.collect(upTo: 10) == Data("a".utf8))
    }

    @Test("an invalid status is an error, also in an archive created in memory", arguments: [1000, .max])
    func status(status: Int) throws {
        let error = try #require(throws: HAR.ReadingError.self) {
            try HARTransport([exchange("http://api.test/", answer(status))])
        }
        #expect(error.path == "log.entries[0].response.status")
    }

    @Test(
        "timings beyond a clock's range are replayed without a trap",
        arguments: [Double.infinity, .nan, 1e300, -1e300, 9.3e12]
    )
    func timings(milliseconds: Double) async throws {
        let timings = HAR.Timings(
            blocked: milliseconds,
            dns: milliseconds,
            connect: milliseconds,
            send: milliseconds,
            wait: milliseconds,
            receive: milliseconds,
            ssl: milliseconds
        )
        _ = try HARTransport([exchange("http://api.test/", answer(200, "a"), timings: timings)])
    }

    @Test("numbers in an archive may be any JSON numbers")
    func numbers() throws {
        for number in ["1e308", "-1e308", "9223372036854775808", "1e-400", "-0", "0.5"] {
            let text = """
                {"log":{"version":"1.2","creator":{"name":"a","version":"1"},"entries":[{
                "startedDateTime":"2026-01-01T00:00:00Z","time":\(number),
                "request":{"method":"GET","url":"http://a.test/","headersSize":\(number),"bodySize":\(number)},
                "response":{"status":200,"content":{"size":\(number),"compression":\(number)},"bodySize":\(number),
                "_informational":[{"status":\(number)}]},
                "timings":{"wait":\(number),"send":\(number),"receive":\(number)}}]}}
                """
            if let log = try? HAR.Log(Data(text.utf8)) { _ = try? HARTransport(log) }
        }
    }
}
