import FlyingFox
import Foundation

/// One request, as routes see it.
struct Call: Sendable {
    /// What FlyingFox made of it; only the WebSocket handshake needs it.
    let request: HTTPRequest
    let method: String
    /// Path and query exactly as they came.
    let target: String
    /// The path's segments, percent-decoded.
    let segments: [String]
    let query: Query
    let body: RequestBody
    /// The values of the route's `{names}`.
    var parameters: [String: String] = [:]

    init(_ request: HTTPRequest) {
        self.request = request
        method = request.method.rawValue
        target = Self.originForm(request.target.rawValue)
        let parts = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        segments = parts[0].split(separator: "/").map { PercentEncoding.decode($0, plusIsSpace: false) }
        query = Query(parts.count > 1 ? parts[1] : "")
        body = RequestBody(request.bodySequence)
    }

    /// The value of a header field; nil if it is absent.
    func field(_ name: String) -> String? {
        request.headers[HTTPHeader(name)]
    }

    /// All header fields, with the names that arrived.
    var fields: [Field] {
        request.headers.map { Field($0.key.rawValue, $0.value) }
    }

    /// The client's address; the value from a proxy in front takes precedence.
    var origin: String { request.remoteIPAddress ?? "" }

    /// Scheme and authority that the client used.
    var baseURL: String {
        "\(field("X-Forwarded-Proto") ?? "http")://\(field("X-Forwarded-Host") ?? field("Host") ?? "localhost")"
    }

    var url: String { baseURL + target }

    /// A proxy's request names the whole URL (RFC 9112 §3.2.2); routes only look at its path.
    private static func originForm(_ target: String) -> String {
        guard !target.hasPrefix("/"), let scheme = target.range(of: "://") else { return target }
        guard let slash = target[scheme.upperBound...].firstIndex(where: { $0 == "/" || $0 == "?" }) else { return "/" }
        let rest = String(target[slash...])
        return rest.hasPrefix("/") ? rest : "/" + rest
    }
}

extension Call {
    /// A path parameter; empty if the route has none of that name.
    subscript(_ name: String) -> String { parameters[name] ?? "" }

    /// A whole number from the path.
    func integer(_ name: String, in range: ClosedRange<Int>) throws -> Int {
        try Self.integer(self[name], name: name, in: range)
    }

    /// A whole number from the query.
    func integer(query name: String, in range: ClosedRange<Int>, default value: Int) throws -> Int {
        guard let text = query[name] else { return value }
        return try Self.integer(text, name: name, in: range)
    }

    /// A number of seconds from the path, with decimals.
    func seconds(_ name: String, in range: ClosedRange<Double>) throws -> Double {
        try Self.number(self[name], name: name, in: range)
    }

    /// A number of seconds, or another decimal, from the query.
    func number(query name: String, in range: ClosedRange<Double>, default value: Double) throws -> Double {
        guard let text = query[name] else { return value }
        return try Self.number(text, name: name, in: range)
    }

    private static func integer(_ text: String, name: String, in range: ClosedRange<Int>) throws -> Int {
        guard let number = Int(text), range.contains(number) else {
            throw Failure(
                400, "\(name) is a whole number from \(range.lowerBound) to \(range.upperBound), not \"\(text)\"")
        }
        return number
    }

    private static func number(_ text: String, name: String, in range: ClosedRange<Double>) throws -> Double {
        guard let number = Double(text), range.contains(number) else {
            throw Failure(400, "\(name) is a number from \(range.lowerBound) to \(range.upperBound), not \"\(text)\"")
        }
        return number
    }
}
