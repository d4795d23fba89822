internal import AirframeTransport
public import FoundationEssentials
public import HTTPTypes

/// A stored response: its head, its times, and the requests that it answers.
public struct CacheEntry: Sendable {
    /// The URI that it is stored under.
    public let key: CacheKey
    /// The request fields that the response's `Vary` names, as the request that it answered had them.
    public var variant: CacheVariant
    /// Status and stored fields.
    public internal(set) var head: HTTPResponse {
        didSet { aged = AgedHead() }
    }
    /// The part of a representation that the content of a 206 is; `nil` for a complete response.
    public internal(set) var part: ContentPart?
    /// The trailer fields, kept apart from the header (RFC 9111 §3.1).
    public internal(set) var trailers: HTTPFields?
    /// The number of bytes of the content.
    public internal(set) var contentLength: Int64
    /// Values that a `CachedResponseHandler` stored with the response. They are held in memory only.
    public var userInfo: [String: any Sendable] = [:]
    /// Whether the entry is kept in memory only and never written to disk.
    public var isMemoryOnly = false
    /// A number that distinguishes this entry from others that were stored under the same key.
    public let identifier: UInt64

    /// The location of the content in a store on disk.
    var location = ContentLocation.unknown

    /// The head as it was last served.
    private(set) var aged = AgedHead()

    private(set) var times: ExchangeTimes
    private(set) var control: CacheControl
    private(set) var freshness: Freshness

    /// Creates an entry without content, for stores that are filled from elsewhere and for tests of stores.
    ///
    /// - Parameters:
    ///   - key: The URI to store it under.
    ///   - request: The request that the response answers.
    ///   - head: The response's head. The fields of its connection are left out (RFC 9111 §3.1).
    ///   - requestTime: When the request was sent.
    ///   - responseTime: When the head arrived.
    ///   - policy: The rules of the cache that the entry is for.
    /// - Returns: `nil` for a response with `Vary: *`, which answers no other request.
    public init?(
        key: CacheKey,
        answering request: HTTPRequest,
        head: HTTPResponse,
        requestTime: Date,
        responseTime: Date,
        policy: CachePolicy = .private
    ) {
        guard let variant = CacheVariant(request, head, policy: policy) else { return nil }
        let times = ExchangeTimes(
            request: requestTime.timeIntervalSince1970, response: responseTime.timeIntervalSince1970)
        self.init(
            key: key, variant: variant, head: StoredFields.storing(head, policy: policy), times: times, policy: policy)
    }

    init(
        key: CacheKey,
        variant: CacheVariant,
        head: HTTPResponse,
        times: ExchangeTimes,
        policy: CachePolicy,
        part: ContentPart? = nil,
        contentLength: Int64 = 0,
        identifier: UInt64 = .random(in: 1 ... .max)
    ) {
        self.key = key
        self.variant = variant
        self.head = head
        self.part = part
        self.contentLength = contentLength
        self.identifier = identifier
        self.times = times
        control = CacheControl(head.headerFields[values: .cacheControl])
        freshness = Freshness(head, control, times, policy: policy)
    }

    /// Restores an entry from a store.
    init(
        key: CacheKey,
        variant: CacheVariant,
        head: HTTPResponse,
        times: ExchangeTimes,
        freshness: Freshness,
        part: ContentPart?,
        trailers: HTTPFields?,
        contentLength: Int64,
        location: ContentLocation,
        identifier: UInt64
    ) {
        self.key = key
        self.variant = variant
        self.head = head
        self.part = part
        self.trailers = trailers
        self.contentLength = contentLength
        self.location = location
        self.identifier = identifier
        self.times = times
        self.freshness = freshness
        control = CacheControl(head.headerFields[values: .cacheControl])
    }

    /// When the request was sent.
    public var requestTime: Date { Date(timeIntervalSince1970: times.request) }
    /// When the response's head arrived.
    public var responseTime: Date { Date(timeIntervalSince1970: times.response) }
    /// The number of seconds for which the response is fresh (RFC 9111 §4.2.1).
    public var freshnessLifetime: Double { freshness.lifetime }
    /// Whether ``freshnessLifetime`` is heuristic (§4.2.2).
    public var isHeuristicallyFresh: Bool { freshness.isHeuristic }

    /// The response's age, in seconds (§4.2.3).
    public func age(at date: Date) -> Double { age(at: date.timeIntervalSince1970) }

    /// Whether the response is fresh at `date` (§4.2).
    public func isFresh(at date: Date) -> Bool { age(at: date) < freshness.lifetime }

    func age(at now: Double) -> Double { freshness.age(at: now, times) }

    /// Replaces head and times by those of a 304 or of a newer response with the same representation (§4.3.4).
    mutating func replace(head: HTTPResponse, times: ExchangeTimes, policy: CachePolicy) {
        self.head = head
        self.times = times
        control = CacheControl(head.headerFields[values: .cacheControl])
        freshness = Freshness(head, control, times, policy: policy)
    }
}

// MARK: For stores

extension CacheEntry {
    /// The content, if the store has read it together with the head. The layer then does not ask the store for it.
    ///
    /// Setting it sets ``contentLength`` as well; setting `nil` leaves that as it is.
    public var content: Data? {
        get {
            if case .inline(let content) = location { content } else { nil }
        }
        set {
            guard let content = newValue else {
                location = .unknown
                return
            }
            location = .inline(content)
            contentLength = Int64(content.count)
        }
    }

    /// The entry as bytes, with its ``content`` if it has one, and with a checksum. ``userInfo`` is left out.
    public func encoded() -> Data { Data(EntryCoder.encode([self], key: key)) }

    /// Restores an entry.
    ///
    /// - Parameter encoded: The result of ``encoded()``.
    /// - Returns: `nil` for bytes that are damaged, truncated or of another version.
    public init?(encoded: Data) {
        guard let group = EntryCoder.decode(encoded), var entry = group.entries.first else { return nil }
        if entry.content == nil { entry.location = .unknown }
        self = entry
    }
}

/// The part of a representation that content is (RFC 9110 §14.4).
public struct ContentPart: Sendable, Hashable {
    /// The position of the first byte.
    public var first: Int64
    /// The length of the whole representation, or `nil` if the server did not give it.
    public var completeLength: Int64?
    /// Whether the part ends where the representation ends.
    public var reachesEnd: Bool

    /// Creates a description of a part.
    ///
    /// - Parameters:
    ///   - first: The position of the first byte.
    ///   - completeLength: The length of the whole representation in bytes; `nil` if the server did not give it.
    ///   - reachesEnd: Whether the part ends where the representation ends.
    public init(first: Int64, completeLength: Int64?, reachesEnd: Bool) {
        self.first = first
        self.completeLength = completeLength
        self.reachesEnd = reachesEnd
    }
}

extension CacheEntry: CustomStringConvertible, CustomReflectable {
    /// Status, URI without secrets, and length.
    public var description: String {
        "\(head.status.code) \(Self.redacted(key)), \(contentLength) bytes"
    }

    /// The same as ``description``: fields may hold secrets.
    public var customMirror: Mirror { Mirror(self, children: ["entry": description]) }
}

extension CacheEntry {
    private static func redacted(_ key: CacheKey) -> String { RedactionPolicy.standard.url(key.uri) }
}
