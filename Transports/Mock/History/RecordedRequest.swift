public import AirframeTransport
public import FoundationEssentials
public import HTTPTypes

/// A request as a mock received it.
public struct RecordedRequest: Sendable {
    /// The place of the request among all that the transport was asked, from 0.
    public let index: Int
    /// When it came, on the transport's clock.
    public let instant: MonotonicInstant
    /// Method, scheme, authority, path and header fields.
    public let head: HTTPRequest
    /// How it was to be sent.
    public let options: TransportOptions
    /// The changes of its priority; ``PriorityUpdates/latest`` is the one that counts.
    public internal(set) var priorityUpdates: PriorityUpdates?
    /// The content, as far as it was sent and no longer than ``MockTransport/Configuration/recordedBodyLimit``.
    public internal(set) var body = Data()
    /// The number of bytes of the content that were sent.
    public internal(set) var bodyByteCount: Int64 = 0
    /// Whether the content was sent whole.
    public internal(set) var isComplete = false
    /// The trailer fields, if there were any.
    public internal(set) var trailers: HTTPFields?
    /// The connection that it was sent on, once it has one.
    public internal(set) var connection: TransportConnection?
    /// The name of the route that answered, or `nil` when none did.
    public internal(set) var routeName: String?
    /// What the placeholders of the route's path stood for.
    public internal(set) var captures = Captures()
    /// How often the route has been asked, this request included: 1 for the first.
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

    /// The URL as a text.
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

    /// The value of the first query item of that name.
    public func query(_ name: String) -> String? { query.first { $0.name == name }?.value }

    /// The body as text in UTF-8, malformed parts replaced.
    public var text: String { String(decoding: body, as: UTF8.self) }

    /// The body as JSON, or `nil` when it is none.
    public var json: JSONValue? { JSONValue(parsing: body) }

    /// The body decoded from JSON.
    ///
    /// - Throws: What `decoder` throws.
    public func decoded<Value: Decodable>(
        as type: Value.Type = Value.self,
        decoder: JSONDecoder = JSONDecoder()
    ) throws -> Value {
        try decoder.decode(type, from: body)
    }
}

extension RecordedRequest: CustomStringConvertible {
    /// Method and URL, a password hidden.
    public var description: String { "\(method) \(Redaction.url(urlText))" }
}
