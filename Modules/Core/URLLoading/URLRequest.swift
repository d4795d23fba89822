public import AirframeTransport
public import Foundation
public import HTTPTypes

/// A request as its author writes it: a URL, a method, header fields, a body and loading options.
///
/// It has Foundation's API over the fields of swift-http-types, which are ordered, repeatable and case-insensitive. A
/// copy costs one reference; the contents are copied when one of the copies changes.
public struct URLRequest: Sendable {
    private var storage: Storage

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - url: The URL. User information in it (`https://user:password@host/`) is sent as Basic credentials,
    ///     unless the request has an `Authorization` field.
    ///   - cachePolicy: The use of caches.
    ///   - timeoutInterval: The maximum pause in seconds. 60, the default, means the session's setting.
    public init(
        url: URL,
        cachePolicy: CachePolicy = .useProtocolCachePolicy,
        timeoutInterval: TimeInterval = Self.defaultTimeoutInterval
    ) {
        storage = Storage(Content(url: url))
        if cachePolicy != .useProtocolCachePolicy { self.cachePolicy = cachePolicy }
        if timeoutInterval != Self.defaultTimeoutInterval { self.timeoutInterval = timeoutInterval }
    }

    /// Creates a `GET` request for a parsed URL.
    init(_ known: KnownURL) {
        storage = Storage(Content(url: known.url), known)
    }

    /// 60 seconds.
    public static let defaultTimeoutInterval: TimeInterval = 60

    /// The URL of the request.
    public var url: URL? {
        get { storage.content.url }
        set {
            mutate { $0.url = newValue }
            storage.known = nil
        }
    }

    /// The parsed form of ``url``, if the request was created with one.
    var knownURL: KnownURL? { storage.known }

    /// The method. A registered method is converted to upper case; `nil` becomes `GET`.
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

    /// The header fields in order, including repeated ones.
    ///
    /// Invalid fields are not included; they fail the request when it is sent.
    public var headerFields: HTTPFields {
        get { storage.content.fields }
        _modify {
            makeUnique()
            yield &storage.content.fields
        }
    }

    /// The options of the request that replace the session's.
    public var transportOptions: TransportOptions {
        get { storage.content.loading.transportOptions }
        set { mutate { $0.loading.transportOptions = newValue } }
    }

    /// The maximum pause in seconds, in sending and in receiving. The session's `timeoutIntervalForRequest` applies to
    /// a request that sets none, or a value that is not positive.
    public var timeoutInterval: TimeInterval {
        get { storage.content.loading.timeoutInterval ?? Self.defaultTimeoutInterval }
        set { mutate { $0.loading.timeoutInterval = newValue } }
    }

    /// Whether the request sets its own ``timeoutInterval``. Zero means "not set", as for `URLSession`.
    package var hasOwnTimeout: Bool { storage.content.loading.timeoutInterval.map { $0 > 0 } ?? false }

    /// The use of caches. See ``CachePolicy`` for the effect of each case in a session without a cache.
    public var cachePolicy: CachePolicy {
        get { storage.content.loading.cachePolicy }
        set { mutate { $0.loading.cachePolicy = newValue } }
    }

    /// The purpose of the request. It has no effect on Linux.
    public var networkServiceType: NetworkServiceType {
        get { storage.content.loading.networkServiceType }
        set { mutate { $0.loading.networkServiceType = newValue } }
    }

    /// Whether stored cookies are added to the request and its response's cookies are stored.
    public var httpShouldHandleCookies: Bool {
        get { storage.content.loading.handlesCookies }
        set { mutate { $0.loading.handlesCookies = newValue } }
    }

    /// Whether HTTP/1.1 pipelining may be used. No transport supports it, so it has no effect.
    public var httpShouldUsePipelining: Bool {
        get { storage.content.loading.usesPipelining }
        set { mutate { $0.loading.usesPipelining = newValue } }
    }

    /// Whether a cellular network may be used. No engine chooses networks, so it has no effect.
    public var allowsCellularAccess: Bool {
        get { storage.content.loading.allowsCellularAccess }
        set { mutate { $0.loading.allowsCellularAccess = newValue } }
    }

    /// Whether the server is known to support HTTP/3. No transport supports it yet, so it has no effect.
    public var assumesHTTP3Capable: Bool {
        get { storage.content.loading.assumesHTTP3Capable }
        set { mutate { $0.loading.assumesHTTP3Capable = newValue } }
    }

    /// The URL of the main document, whose site determines which cookies are same-site.
    public var mainDocumentURL: URL? {
        get { storage.content.loading.mainDocumentURL }
        set { mutate { $0.loading.mainDocumentURL = newValue } }
    }

    /// The value for `key`, which a layer of the session's transport reads: sets a layer's options for one request.
    ///
    /// Requests with values are equal if one is a copy of the other.
    public subscript<Key: TransportRequestKey>(key: Key.Type) -> Key.Value {
        get { storage.content.loading.layerValues?.value(for: key) ?? Key.defaultValue }
        set { mutate { $0.loading.layerValues = LayerValues($0.loading.layerValues, setting: newValue, for: key) } }
    }

    /// Whether content without a `Content-Type` is sent without one, and not as a form.
    package var sendsUntypedContent: Bool {
        get { storage.content.loading.sendsUntypedContent }
        set { mutate { $0.loading.sendsUntypedContent = newValue } }
    }

    /// The values set through ``subscript(_:)``.
    package var layerValues: LayerValues? {
        get { storage.content.loading.layerValues }
        set { mutate { $0.loading.layerValues = newValue } }
    }

    /// The request's context for cookies; `nil` if it sets none.
    package var cookieContext: CookieContext? {
        let loading = storage.content.loading
        guard !loading.handlesCookies || loading.mainDocumentURL != nil else { return nil }
        let document = loading.mainDocumentURL
        let firstParty = document?.host.map { host in
            Origin(scheme: document?.scheme ?? "http", host: host, port: document?.port)
        }
        return CookieContext(isHandled: loading.handlesCookies, firstParty: firstParty)
    }

    /// The invalid header fields, as they were set.
    package var invalidHeaderFields: [HTTPHeader] {
        get { storage.content.invalidFields }
        set { mutate { $0.invalidFields = newValue } }
    }

    /// Whether the request is a `GET` without header fields, so that its head is that of its URL.
    var isPlain: Bool {
        storage.content.method == "GET" && storage.content.fields.isEmpty && storage.content.invalidFields.isEmpty
    }

    /// Whether the request is a `POST` with content in memory.
    var isPostWithContent: Bool {
        guard let body = storage.content.body, !body.isEmpty else { return false }
        return storage.content.method == "POST"
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
    /// Whether all properties are equal. Body streams are equal if they are the same object.
    public static func == (left: URLRequest, right: URLRequest) -> Bool {
        left.storage === right.storage || left.storage.content == right.storage.content
    }

    /// Hashes the properties that distinguish most requests.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(storage.content.url)
        hasher.combine(storage.content.method)
        hasher.combine(storage.content.fields)
    }
}

extension URLRequest {
    /// The properties of a request.
    private struct Content: Hashable {
        var url: URL?
        var method = "GET"
        var fields = HTTPFields()
        var invalidFields: [HTTPHeader] = []
        var body: Data?
        var bodyStream: InputStreamReference?
        var loading = Loading()
    }

    /// The rarely set properties of a request, stored apart.
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
        var sendsUntypedContent = false
    }

    /// Shared by copies until one of them changes.
    ///
    /// `@unchecked Sendable`: the content is changed only after `isKnownUniquelyReferenced` has shown that the object
    /// is owned by one request alone, so that no other thread can see it.
    private final class Storage: @unchecked Sendable {
        // Changed only through a value that is the one reference: the copies of a request cannot overlap a change.
        // Checking each access at run time takes 76 instructions, ten times per request.
        @exclusivity(unchecked) var content: Content
        /// The parsed URL of the content.
        @exclusivity(unchecked) var known: KnownURL?

        init(_ content: Content, _ known: KnownURL? = nil) {
            self.content = content
            self.known = known
        }
    }
}

/// An input stream on its way from its creator to the transfer that reads it.
///
/// `@unchecked Sendable` because the reference is immutable, and is only passed on and compared until it reaches its
/// one reader. As for any body, the creator of the stream must not read it meanwhile.
package struct InputStreamReference: @unchecked Sendable, Hashable {
    package let stream: InputStream

    package init(_ stream: InputStream) { self.stream = stream }

    package static func == (left: Self, right: Self) -> Bool { left.stream === right.stream }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(stream)) }
}
