import AirframeCookies
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Synchronization
import Testing

extension ScriptedTransport {
    /// Answers each request with a head and no content.
    convenience init(answering answer: @escaping @Sendable (TransportRequest) -> HTTPResponse) {
        self.init { request in
            TransportResponse(head: answer(request), body: ResponseBody(), request: request.head)
        }
    }

    /// The `Cookie` fields of each request.
    var cookies: [[String]] { requests.map { $0.head.headerFields[values: .cookie] } }
}

extension HTTPResponse {
    static func setting(_ cookies: String..., status: Int = 200, location: String? = nil) -> HTTPResponse {
        var fields = HTTPFields()
        fields[values: .setCookie] = cookies
        fields[.location] = location
        return HTTPResponse(status: .init(code: status), headerFields: fields)
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
    /// Stores the cookies of fields from `url`, and returns the reason for each rejection, or `nil`.
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

/// A folder that is removed after the test.
final class ScratchFolder: Sendable {
    let url = FileManager.default.temporaryDirectory.appending(path: "airframe-cookies-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: url) }

    func path(_ name: String) -> String { url.appending(path: name).path }
}
