import Airframe
import AirframeCurl
import AirframeHAR
import AirframeLogging
import AirframeMock
import AirframeSocket
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

/// The parts of a response that a user sees.
private struct Seen: Equatable, CustomStringConvertible {
    var url: String
    var status: Int?
    var headers: [String]
    var received: [String]
    var body: Data?
    var error: String?
    var redirectCount: Int

    init(_ response: AFDataResponse<Data>) {
        url = response.response?.url?.absoluteString ?? ""
        status = response.response?.statusCode
        headers = Self.lines(response.response?.headers)
        received = Self.lines(response.response?.receivedHeaders)
        body = response.data
        let failure = response.error
        error = failure?.transportError.map { "\($0.code) in \($0.phase): \($0.message)" } ?? failure.map { "\($0)" }
        redirectCount = response.metrics?.redirectCount ?? 0
    }

    private static func lines(_ headers: HTTPHeaders?) -> [String] {
        (headers ?? []).map { "\($0.name.lowercased()): \($0.value)" }.sorted()
    }

    var description: String { "\(url) \(status ?? 0) \(headers) \(body?.count ?? -1) \(error ?? "")" }
}

@Suite("Record once, replay without a network", .enabled(if: Peers.areExpected), .timeLimit(.minutes(3)))
struct HTTPBinTests {
    private static let paths = [
        "/get?a=1&b=x%20y", "/status/404", "/status/500", "/redirect/2", "/gzip", "/deflate", "/brotli",
        "/bytes/100?seed=7",
        "/image/png", "/encoding/utf8", "/response-headers?X-A=1&X-A=2", "/cookies/set/a/b", "/stream/3",
        "/basic-auth/u/p",
        "/absolute-redirect/1", "/redirect-to?url=http%3A%2F%2F127.0.0.1%3A1%2Fclosed",
    ]

    private static func configuration() -> URLSessionConfiguration {
        let configuration = URLSessionConfiguration.af.default
        configuration.transportOptions.proxy = ProxyPolicy.none
        return configuration
    }

    /// Asks all that there is to ask, one after the other.
    private static func visit(_ session: Session, _ origin: String) async -> [Seen] {
        var seen: [Seen] = []
        for path in paths { seen.append(Seen(await session.request(origin + path).serializingData().response)) }
        let form = session.request(origin + "/post", method: .post, parameters: ["a": "ä b", "token": "s3cret"])
        seen.append(Seen(await form.serializingData().response))
        let json = session.request(origin + "/put", method: .put, parameters: ["n": 1], encoder: .json)
        seen.append(Seen(await json.serializingData().response))
        seen.append(Seen(await session.request(origin + "/get", method: .head).serializingData().response))
        let moved = session.request(
            origin + "/redirect-to?url=/anything&status_code=307", method: .post, parameters: ["b": "2"])
        seen.append(Seen(await moved.serializingData().response))
        return seen
    }

    /// httpbin repeats what it is sent, secrets included: masked, the bodies would differ from the live ones.
    private static let faithful = HAR.RecordingOptions(redactsJSON: false)

    private static func engine(_ name: String) -> any Transport { name == "curl" ? CurlTransport() : SocketTransport() }

    @Test(
        "a monitor's archive brings back status, fields, bodies, redirects and failures", arguments: ["curl", "socket"])
    func recorder(engine: String) async throws {
        let origin = try Peers.required().http("httpbin")
        let workplace = try ArchiveFolder()
        let recorder = try HARRecorder(file: workplace.archive, options: Self.faithful)
        let live = Session(
            transport: Self.engine(engine),
            configuration: Self.configuration(),
            eventMonitors: [recorder]
        )
        let seen = await Self.visit(live, origin)
        try await recorder.close()
        #expect(try await Reader.faults(of: workplace.archive).isEmpty)
        let log = try HAR.Log(contentsOf: workplace.archive)
        #expect(!(try String(contentsOf: workplace.archive, encoding: .utf8)).contains("\"value\":\"s3cret\""))

        let replay = try HARTransport(log)
        let offline = Session(
            transport: replay,
            configuration: Self.configuration()
        )
        let again = await Self.visit(offline, origin)
        #expect(again.count == seen.count)
        for (first, second) in zip(seen, again) { #expect(second == first) }
        try replay.verify()
    }

    @Test("a recording engine's archive replays strictly", arguments: ["curl", "socket"])
    func recordingEngine(engine: String) async throws {
        let origin = try Peers.required().http("httpbin")
        let workplace = try ArchiveFolder()
        var all: [[Seen]] = []
        for _ in 0..<2 {
            let fixture = try RecordingTransport(
                Self.engine(engine),
                file: workplace.archive,
                mode: .recordIfMissing,
                options: Self.faithful,
                replay: HARTransport.Configuration(matching: .strict)
            )
            let session = Session(
                transport: fixture,
                configuration: Self.configuration()
            )
            all.append(await Self.visit(session, origin))
            try fixture.replaying?.verify()
            try fixture.finish()
        }
        #expect(try await Reader.faults(of: workplace.archive).isEmpty)
        for (first, second) in zip(all[0], all[1]) { #expect(second == first) }
    }

    private struct Reading: Decodable {
        struct Page: Decodable {
            let id: String
            let entries: Int
            let size: Int64
            let transferred: Int64
            let loadTime: Double
            let timeToFirstByte: Double
            let gets: Int
            let posts: Int
        }

        struct Entry: Decodable {
            let url: String
            let status: Int
            let time: Double
            let started: Double
            let method: String
            let httpVersion: String
            let contentSize: Int64
            let bodySize: Int64
            let headersSize: Int64
            let mimeType: String
            let host: String
            let isSuccess: Bool
            let isJSON: Bool
            let receive: Double
        }

        let version: String
        let creator: String
        let pages: [Page]
        let entries: [Entry]
    }

    private static func transferred(_ response: HAR.Response) -> Int64 {
        (response.headersSize ?? 0) + (response.bodySize ?? 0)
    }

    @Test("haralyzer reads the archive and finds the same numbers", arguments: ["curl", "socket"])
    func haralyzer(engine: String) async throws {
        let origin = try Peers.required().http("httpbin")
        let workplace = try ArchiveFolder()
        let recorder = try HARRecorder(file: workplace.archive)
        let session = Session(
            transport: Self.engine(engine),
            configuration: Self.configuration(),
            eventMonitors: [recorder]
        )
        _ = await Self.visit(session, origin)
        try await recorder.close()
        let log = try HAR.Log(contentsOf: workplace.archive)
        let text = try await Reader.run("read_har.py", workplace.archive)
        let reading = try JSONDecoder().decode(Reading.self, from: Data(text.utf8))

        #expect(reading.version == "1.2" && reading.creator == "Airframe")
        let page = try #require(reading.pages.first)
        #expect(reading.pages.count == 1 && page.id == log.pages.first?.id && page.entries == log.entries.count)
        #expect(page.gets == log.entries.filter { $0.request.method == "GET" }.count)
        #expect(page.posts == log.entries.filter { $0.request.method == "POST" }.count)
        #expect(page.size == log.entries.reduce(0) { $0 + max(0, $1.response.bodySize ?? 0) })
        #expect(page.transferred == log.entries.reduce(0) { $0 + Self.transferred($1.response) })
        #expect(abs(page.loadTime - log.entries.reduce(0) { $0 + $1.time }) < 0.01)
        let first = try #require(log.entries.firstIndex { $0.response.status == 200 })
        let before = log.entries[..<first].reduce(0) { $0 + $1.time }
        let toFirstByte = before + log.entries[first].timings.total - log.entries[first].timings.receive
        #expect(abs(page.timeToFirstByte - toFirstByte) < 0.01)
        try #require(reading.entries.count == log.entries.count)
        for (theirs, ours) in zip(reading.entries, log.entries) {
            #expect(theirs.url == ours.request.url && theirs.method == ours.request.method)
            #expect(theirs.status == ours.response.status && theirs.httpVersion == ours.response.httpVersion)
            #expect(theirs.time == ours.time && theirs.receive == ours.timings.receive)
            #expect(abs(ours.time - ours.timings.total) < 0.001)
            #expect(abs(theirs.started - ours.startedDateTime.timeIntervalSince1970) < 0.001)
            #expect(theirs.contentSize == ours.response.content.size && theirs.bodySize == ours.response.bodySize ?? -1)
            #expect(theirs.headersSize == ours.response.headersSize ?? -1)
            #expect(theirs.mimeType == ours.response.content.mimeType && theirs.host == ours.requestHeader("Host"))
            #expect(theirs.isSuccess == (200..<300).contains(ours.response.status))
            #expect(theirs.isJSON == ours.response.content.mimeType.contains("json"))
        }
    }
}
