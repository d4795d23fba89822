public import AirframeTransport
public import FoundationEssentials
public import HTTPTypes

/// A request as a mock received it.
public struct RecordedRequest: Sendable {
    /// The position of the request among all requests of the transport, from 0.
    public let index: Int
    /// The instant at which the request arrived, on the transport's clock.
    public let instant: MonotonicInstant
    /// Method, scheme, authority, path and header fields.
    public let head: HTTPRequest
    /// The options of the request.
    public let options: TransportOptions
    /// The changes of its priority, of which ``PriorityUpdates/latest`` applies.
    public internal(set) var priorityUpdates: PriorityUpdates?
    /// The sent content, up to ``MockTransport/Configuration/recordedBodyLimit``.
    public internal(set) var body = Data()
    /// The number of bytes of the content that were sent.
    public internal(set) var bodyByteCount: Int64 = 0
    /// Whether the content was sent whole.
    public internal(set) var isComplete = false
    /// The trailer fields, if there were any.
    public internal(set) var trailers: HTTPFields?
    /// The connection that the request was sent on, or `nil` before it has one.
    public internal(set) var connection: TransportConnection?
    /// The name of the route that answered, or `nil` if none did.
    public internal(set) var routeName: String?
    /// The values of the placeholders in the route's path.
    public internal(set) var captures = Captures()
    /// The number of requests to the route so far, including this one.
    public internal(set) var hit = 0

    var route: Identity?

    init(index: Int, instant: MonotonicInstant, head: HTTPRequest, options: TransportOptions) {
        self.index = index
        self.instant = instant
        self.head = head
        self.options = options
    }

    /// The method.
    public var method: HTTPRequest.Method { head.method }
    /// The header fields.
    public var headerFields: HTTPFields { head.headerFields }

    /// The URL as a string.
    public var urlText: String { "\(head.scheme ?? "http")://\(head.authority ?? "")\(head.path ?? "/")" }
    /// The URL.
    public var url: URL? { URL(string: urlText) }

    /// The path as it was sent, without the query.
    public var path: String {
        let text = head.path ?? "/"
        return String(text[..<(text.firstIndex(of: "?") ?? text.endIndex)])
    }

    /// The items of the query, percent-decoded, in their order.
    public var query: [QueryItem] {
        guard let path = head.path, let mark = path.firstIndex(of: "?") else { return [] }
        return QueryItem.parse(path[path.index(after: mark)...])
    }

    /// Returns the value of the first query item of that name.
    public func query(_ name: String) -> String? { query.first { $0.name == name }?.value }

    /// The body as UTF-8 text, with malformed parts replaced.
    public var text: String { String(decoding: body, as: UTF8.self) }

    /// The body as JSON, or `nil` if it is not JSON.
    public var json: JSONValue? { JSONValue(parsing: body) }

    /// Returns the body decoded from JSON.
    ///
    /// - Throws: The error of `decoder`.
    public func decoded<Value: Decodable>(
        as type: Value.Type = Value.self,
        decoder: JSONDecoder = JSONDecoder()
    ) throws -> Value {
        try decoder.decode(type, from: body)
    }
}

extension RecordedRequest: CustomStringConvertible {
    /// The method and the URL, without a password.
    public var description: String { "\(method) \(Redaction.url(urlText))" }
}
