public import AirframeTransport
public import Foundation
public import HTTPTypes

/// A request as its author sees it: a URL, a method, header fields, a body and how to load it.
///
/// Foundation's spelling over the fields of swift-http-types: ordered, repeatable, their names equal in any case. A
/// copy costs one reference; the contents are copied when one of the copies changes.
public struct URLRequest: Sendable {
    private var storage: Storage

    /// Makes a request.
    ///
    /// - Parameters:
    ///   - url: Where it goes. User information in it (`https://user:password@host/`) is sent as Basic credentials,
    ///     unless the request has an `Authorization` field.
    ///   - cachePolicy: Whether a cache may answer.
    ///   - timeoutInterval: The longest pause, in seconds. 60, the default, leaves it to the session.
    public init(
        url: URL,
        cachePolicy: CachePolicy = .useProtocolCachePolicy,
        timeoutInterval: TimeInterval = Self.defaultTimeoutInterval
    ) {
        storage = Storage(Content(url: url))
        if cachePolicy != .useProtocolCachePolicy { self.cachePolicy = cachePolicy }
        if timeoutInterval != Self.defaultTimeoutInterval { self.timeoutInterval = timeoutInterval }
    }

    /// Makes a `GET` for a URL that was taken apart before.
    init(_ known: KnownURL) {
        storage = Storage(Content(url: known.url), known)
    }

    /// 60 seconds.
    public static let defaultTimeoutInterval: TimeInterval = 60

    /// Where the request goes.
    public var url: URL? {
        get { storage.content.url }
        set {
            mutate { $0.url = newValue }
            storage.known = nil
        }
    }

    /// What is known of ``url``, when the request was made for one that had been taken apart.
    var knownURL: KnownURL? { storage.known }

    /// The method. A registered one is put into upper case; `nil` becomes `GET`.
    public var httpMethod: String? {
        get { storage.content.method }
        set { mutate { $0.method = newValue.map(HTTPMethod.normalized) ?? "GET" } }
    }

    /// The body in memory. Setting it drops ``httpBodyStream``.
    public var httpBody: Data? {
        get { storage.content.body }
        set {
            mutate {
                $0.body = newValue
                $0.bodyStream = nil
            }
        }
    }

    /// The body as a stream, which can be read once. Setting it drops ``httpBody``.
    public var httpBodyStream: InputStream? {
        get { storage.content.bodyStream?.stream }
        set {
            mutate {
                $0.bodyStream = newValue.map(InputStreamReference.init)
                $0.body = nil
            }
        }
    }

    /// The header fields, in order and as often as they were added.
    ///
    /// Fields that HTTP does not allow are not among them; they fail the request when it is sent.
    public var headerFields: HTTPFields {
        get { storage.content.fields }
        _modify {
            makeUnique()
            yield &storage.content.fields
        }
    }

    /// How to send the request, where it differs from the session's options.
    public var transportOptions: TransportOptions {
        get { storage.content.loading.transportOptions }
        set { mutate { $0.loading.transportOptions = newValue } }
    }

    /// The longest pause in seconds, in sending as in receiving. A session's `timeoutIntervalForRequest` applies to a
    /// request that sets none, or zero or less.
    public var timeoutInterval: TimeInterval {
        get { storage.content.loading.timeoutInterval ?? Self.defaultTimeoutInterval }
        set { mutate { $0.loading.timeoutInterval = newValue } }
    }

    /// Whether the request sets its own ``timeoutInterval``. Zero means "not set", as it does for `URLSession`.
    package var hasOwnTimeout: Bool { storage.content.loading.timeoutInterval.map { $0 > 0 } ?? false }

    /// Whether a cache may answer. See ``CachePolicy`` for the effect of each case in a session without a cache.
    public var cachePolicy: CachePolicy {
        get { storage.content.loading.cachePolicy }
        set { mutate { $0.loading.cachePolicy = newValue } }
    }

    /// What the request is for. Nothing on Linux acts on it.
    public var networkServiceType: NetworkServiceType {
        get { storage.content.loading.networkServiceType }
        set { mutate { $0.loading.networkServiceType = newValue } }
    }

    /// Whether stored cookies are added to the request and its response's cookies are stored.
    public var httpShouldHandleCookies: Bool {
        get { storage.content.loading.handlesCookies }
        set { mutate { $0.loading.handlesCookies = newValue } }
    }

    /// Whether HTTP/1.1 pipelining may be used. No transport pipelines, so that it has no effect.
    public var httpShouldUsePipelining: Bool {
        get { storage.content.loading.usesPipelining }
        set { mutate { $0.loading.usesPipelining = newValue } }
    }

    /// Whether a mobile network may be used. Linux does not say what a network is, so that it has no effect.
    public var allowsCellularAccess: Bool {
        get { storage.content.loading.allowsCellularAccess }
        set { mutate { $0.loading.allowsCellularAccess = newValue } }
    }

    /// Whether the server is known to speak HTTP/3. No transport here does yet, so that it has no effect.
    public var assumesHTTP3Capable: Bool {
        get { storage.content.loading.assumesHTTP3Capable }
        set { mutate { $0.loading.assumesHTTP3Capable = newValue } }
    }

    /// The document that the request belongs to: its site decides which cookies are same-site.
    public var mainDocumentURL: URL? {
        get { storage.content.loading.mainDocumentURL }
        set { mutate { $0.loading.mainDocumentURL = newValue } }
    }

    /// The value that a layer of the session's transport reads under `key`: how an author sets a layer's options for
    /// one request.
    ///
    /// Requests with values are equal when one is a copy of the other.
    public subscript<Key: TransportRequestKey>(key: Key.Type) -> Key.Value {
        get { storage.content.loading.layerValues?.value(for: key) ?? Key.defaultValue }
        set { mutate { $0.loading.layerValues = LayerValues($0.loading.layerValues, setting: newValue, for: key) } }
    }

    /// What ``subscript(_:)`` was given.
    package var layerValues: LayerValues? {
        get { storage.content.loading.layerValues }
        set { mutate { $0.loading.layerValues = newValue } }
    }

    /// What the request says about cookies; `nil` where it says nothing.
    package var cookieContext: CookieContext? {
        let loading = storage.content.loading
        guard !loading.handlesCookies || loading.mainDocumentURL != nil else { return nil }
        let document = loading.mainDocumentURL
        let firstParty = document?.host.map { host in
            Origin(scheme: document?.scheme ?? "http", host: host, port: document?.port)
        }
        return CookieContext(isHandled: loading.handlesCookies, firstParty: firstParty)
    }

    /// The header fields that HTTP does not allow, as they were given.
    package var invalidHeaderFields: [HTTPHeader] {
        get { storage.content.invalidFields }
        set { mutate { $0.invalidFields = newValue } }
    }

    private mutating func makeUnique() {
        if !isKnownUniquelyReferenced(&storage) { storage = Storage(storage.content, storage.known) }
    }

    private mutating func mutate(_ change: (inout Content) -> Void) {
        makeUnique()
        change(&storage.content)
    }
}

extension URLRequest: Hashable {
    /// Whether all that the requests hold is equal; body streams are equal when they are the same object.
    public static func == (left: URLRequest, right: URLRequest) -> Bool {
        left.storage === right.storage || left.storage.content == right.storage.content
    }

    /// Hashes what tells most requests apart.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(storage.content.url)
        hasher.combine(storage.content.method)
        hasher.combine(storage.content.fields)
    }
}

extension URLRequest {
    /// What a request holds.
    private struct Content: Hashable {
        var url: URL?
        var method = "GET"
        var fields = HTTPFields()
        var invalidFields: [HTTPHeader] = []
        var body: Data?
        var bodyStream: InputStreamReference?
        var loading = Loading()
    }

    /// How a request is loaded: rarely set, so apart from what always is.
    private struct Loading: Hashable {
        var transportOptions = TransportOptions()
        var timeoutInterval: TimeInterval?
        var cachePolicy = CachePolicy.useProtocolCachePolicy
        var networkServiceType = NetworkServiceType.default
        var handlesCookies = true
        var usesPipelining = false
        var allowsCellularAccess = true
        var assumesHTTP3Capable = false
        var mainDocumentURL: URL?
        var layerValues: LayerValues?
    }

    /// Shared by copies until one of them changes.
    ///
    /// `@unchecked Sendable`: the content is changed only after `isKnownUniquelyReferenced` has shown that the object
    /// is owned by one request alone, so that no other thread can see it.
    private final class Storage: @unchecked Sendable {
        var content: Content
        /// The content's URL, taken apart.
        var known: KnownURL?

        init(_ content: Content, _ known: KnownURL? = nil) {
            self.content = content
            self.known = known
        }
    }
}

/// An input stream on its way from its maker to the one transfer that reads it.
///
/// `@unchecked Sendable`: the reference is immutable, only carried, compared and at last handed to one reader; nothing
/// reads from the stream through it. That nobody else reads meanwhile is the duty of who made the stream, as with any
/// body.
package struct InputStreamReference: @unchecked Sendable, Hashable {
    package let stream: InputStream

    package init(_ stream: InputStream) { self.stream = stream }

    package static func == (left: Self, right: Self) -> Bool { left.stream === right.stream }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(stream)) }
}
