import AirframeCookies
import AirframeTransport
import Foundation
import HTTPTypes
import Synchronization
import Testing

/// A transport that answers with a closure, and remembers what it was asked.
final class ScriptedTransport: Transport {
    typealias Answer = @Sendable (TransportRequest) -> HTTPResponse

    let capabilities = TransportCapabilities(engine: "scripted", features: TransportFeatures(rawValue: .max))
    let clock: any TransportClock = SystemClock.shared
    private let answer: Answer
    private let sent = Mutex<[HTTPRequest]>([])

    init(_ answer: @escaping Answer) { self.answer = answer }

    var requests: [HTTPRequest] { sent.withLock { $0 } }
    /// The `Cookie` fields of each request.
    var cookies: [[String]] { requests.map { $0.headerFields[values: .cookie] } }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        sent.withLock { $0.append(request.head) }
        return TransportResponse(head: answer(request), body: ResponseBody(), request: request.head)
    }
}

extension HTTPResponse {
    static func setting(_ cookies: String..., status: Int = 200, location: String? = nil) -> HTTPResponse {
        var fields = HTTPFields()
        fields[values: .setCookie] = cookies
        fields[.location] = location
        return HTTPResponse(status: .init(code: status), headerFields: fields)
    }
}

/// Collects decisions.
final class Decisions: TransportEventSink {
    private let kept = Mutex<[TransportDecision]>([])

    var all: [TransportDecision] { kept.withLock { $0 } }

    func receive(_ event: TransportEvent) {
        guard case .decided(let decision) = event.kind else { return }
        kept.withLock { $0.append(decision) }
    }
}

func request(_ url: String, method: HTTPRequest.Method = .get) throws -> TransportRequest {
    let parsed = try #require(URL(string: url))
    let port = parsed.port.map { ":\($0)" } ?? ""
    let host = try #require(parsed.host(percentEncoded: true))
    let authority = (host.contains(":") && host.first != "[" ? "[\(host)]" : host) + port
    let query = parsed.query(percentEncoded: true).map { "?\($0)" } ?? ""
    let path = parsed.path(percentEncoded: true)
    return TransportRequest(
        HTTPRequest(
            method: method, scheme: parsed.scheme, authority: authority, path: (path.isEmpty ? "/" : path) + query))
}

func cookieRequest(_ url: String) throws -> CookieRequest {
    try #require(URL(string: url).flatMap { CookieRequest(url: $0) })
}

extension CookieJar {
    /// Takes in fields from `url`, and returns why each was rejected, or `nil`.
    @discardableResult
    func receive(
        _ fields: String...,
        from url: String,
        at date: Date = Date(),
        _ change: (inout CookieRequest) -> Void = { _ in }
    ) throws -> [CookieRejection.Reason?] {
        var request = try cookieRequest(url)
        change(&request)
        return receive(fields, for: request, at: date).map { outcome in
            if case .rejected(let rejection) = outcome { rejection.reason } else { nil }
        }
    }

    /// The `Cookie` field for `url`.
    func field(for url: String, at date: Date = Date(), _ change: (inout CookieRequest) -> Void = { _ in }) throws
        -> String
    {
        var request = try cookieRequest(url)
        change(&request)
        let cookies = cookies(for: request, at: date)
        return HTTPCookie.requestHeaderFields(with: cookies)["Cookie"] ?? ""
    }
}

/// A folder that goes with the test.
final class ScratchFolder: Sendable {
    let url = FileManager.default.temporaryDirectory.appending(path: "airframe-cookies-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: url) }

    func path(_ name: String) -> String { url.appending(path: name).path }
}
