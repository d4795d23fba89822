public import AirframeLayers
public import AirframeTransport
public import Foundation
internal import Synchronization

/// The settings of a session, which copies its configuration: later changes have no effect on the session.
public final class URLSessionConfiguration: Sendable {
    private struct Values: Sendable {
        var headers = HTTPHeaders()
        var timeoutIntervalForRequest: TimeInterval = URLSessionConfiguration.defaultRequestTimeout
        var timeoutIntervalForResource: TimeInterval = URLSessionConfiguration.defaultResourceTimeout
        var timeoutIntervalForAllAttempts: TimeInterval?
        var maximumBufferedBodySize: Int?
        var maximumBufferedDecodedBodySize: Int? = URLSessionConfiguration.defaultDecodedBodySize
        var requestCachePolicy = URLRequest.CachePolicy.useProtocolCachePolicy
        var networkServiceType = URLRequest.NetworkServiceType.default
        var allowsCellularAccess = true
        var waitsForConnectivity = false
        var httpMaximumConnectionsPerHost = Int.max
        var httpShouldSetCookies = true
        var proxies: ProxyDictionary?
        var tlsMinimumSupportedProtocolVersion: TLSVersion?
        var tlsMaximumSupportedProtocolVersion: TLSVersion?
        var transportOptions = TransportOptions()
        var clientIdentity: ClientIdentity?
        var requests = Requests()
        var redirectRules = RedirectRules()
        var cookieAcceptPolicy: UInt?
        var cookieStorage = LayerState<any AnyObject & Sendable>.shared
        var urlCache = LayerState<any AnyObject & Sendable>.shared
        var strictTransportSecurity = LayerState<HSTSStore>.shared
        var httpsOnly = false
        var layers = LayerStack()
        var allowsLocalURLs = true
        var credentialStorage = LayerState<URLCredentialStorage>.shared
        var allowsExpensiveNetworkAccess = true
        var allowsConstrainedNetworkAccess = true
        var multipathServiceType = MultipathServiceType.none
        var httpShouldUsePipelining = false
        var isDiscretionary = false
        var sessionSendsLaunchEvents = false
        var shouldUseExtendedBackgroundIdleMode = false
        var sharedContainerIdentifier: String?
    }

    private static let defaultRequestTimeout: TimeInterval = 60

    /// Seven days, in effect no limit.
    private static let defaultResourceTimeout: TimeInterval = 7 * 24 * 60 * 60

    /// 256 MiB: more than a JSON document that a program reads as a whole, and less than the memory of most machines.
    private static let defaultDecodedBodySize = 256 << 20

    // Guards all values, because a configuration may be shared before a session copies it.
    private let values: Mutex<Values>

    private init(_ values: Values) { self.values = Mutex(values) }

    /// A new configuration with Foundation's values. It sends no header fields of its own; `.af.default` does.
    public static var `default`: URLSessionConfiguration { URLSessionConfiguration(Values()) }

    /// A new configuration for a session that stores nothing on disk, and shares neither cookies nor HSTS hosts with
    /// other sessions.
    public static var ephemeral: URLSessionConfiguration {
        var values = Values()
        values.cookieStorage = .own
        values.urlCache = .own
        values.strictTransportSecurity = .own
        values.credentialStorage = .own
        return URLSessionConfiguration(values)
    }

    /// The settings of URLSessionConfiguration+Requests.swift.
    var requests: Requests { values.withLock { $0.requests } }
    func change(_ body: (inout Requests) -> Void) { values.withLock { body(&$0.requests) } }

    /// Returns an independent copy of the configuration.
    package func copy() -> URLSessionConfiguration { URLSessionConfiguration(values.withLock { $0 }) }

    /// The header fields that every request gets unless it sets them itself, each name once.
    public var headers: HTTPHeaders {
        get { values.withLock { $0.headers } }
        set { values.withLock { $0.headers = newValue } }
    }

    /// ``headers`` as a dictionary. Values that are not strings are converted.
    public var httpAdditionalHeaders: [AnyHashable: Any]? {
        get {
            let headers = headers
            guard !headers.isEmpty else { return nil }
            return Dictionary(headers.map { (AnyHashable($0.name), $0.value as Any) }) { $1 }
        }
        set {
            let texts = (newValue ?? [:]).map { (String(describing: $0.key), String(describing: $0.value)) }
            headers = HTTPHeaders(Dictionary(texts) { $1 })
        }
    }

    /// The maximum pause of a request in seconds, in sending and in receiving; 60 by default. Values that are not
    /// positive count as not set.
    public var timeoutIntervalForRequest: TimeInterval {
        get { values.withLock { $0.timeoutIntervalForRequest } }
        set { values.withLock { $0.timeoutIntervalForRequest = newValue } }
    }

    /// The maximum duration of one attempt of a request in seconds: its redirects, its challenges, its wait for
    /// connectivity and its whole body. Seven days by default, which is in effect no limit. Values that are not
    /// positive count as not set.
    ///
    /// A retry is another attempt, as it is another task for `URLSession`: see ``timeoutIntervalForAllAttempts``.
    public var timeoutIntervalForResource: TimeInterval {
        get { values.withLock { $0.timeoutIntervalForResource } }
        set { values.withLock { $0.timeoutIntervalForResource = newValue } }
    }

    /// The maximum duration of all attempts together with their delays, in seconds; `nil`, the default, for no limit.
    ///
    /// The attempt that is under way at the end fails as timed out. No retry begins afterwards: the request fails with
    /// the last error.
    public var timeoutIntervalForAllAttempts: TimeInterval? {
        get { values.withLock { $0.timeoutIntervalForAllAttempts } }
        set { values.withLock { $0.timeoutIntervalForAllAttempts = newValue } }
    }

    /// The maximum number of bytes of a response's body that a `DataRequest` or an `UploadRequest` buffers in memory.
    /// `nil`, the default, sets no limit.
    ///
    /// A longer body fails the request with ``TransportError/Code/bodyTooLarge``: before anything is read if its
    /// `Content-Length` exceeds the limit, otherwise as soon as the received bytes do. Bytes are counted after
    /// decoding. Downloads and streams do not buffer the body and have no such limit.
    public var maximumBufferedBodySize: Int? {
        get { values.withLock { $0.maximumBufferedBodySize } }
        set { values.withLock { $0.maximumBufferedBodySize = newValue } }
    }

    /// The same limit for bodies that were sent with a content coding (gzip, br, zstd): 256 MiB by default; `nil` sets
    /// no limit but ``maximumBufferedBodySize``. If both are set, the smaller one applies.
    ///
    /// A server or a proxy that sends 10 MB of such a body can cause 2 GB within the permitted ratio
    /// (`DecodingLimits.maximumRatio`).
    public var maximumBufferedDecodedBodySize: Int? {
        get { values.withLock { $0.maximumBufferedDecodedBodySize } }
        set { values.withLock { $0.maximumBufferedDecodedBodySize = newValue } }
    }

    /// The use of caches by requests that set no policy. See ``URLRequest/CachePolicy`` for sessions without a cache.
    public var requestCachePolicy: URLRequest.CachePolicy {
        get { values.withLock { $0.requestCachePolicy } }
        set { values.withLock { $0.requestCachePolicy = newValue } }
    }

    /// The purpose of requests. It has no effect on Linux.
    public var networkServiceType: URLRequest.NetworkServiceType {
        get { values.withLock { $0.networkServiceType } }
        set { values.withLock { $0.networkServiceType = newValue } }
    }

    /// Whether a cellular network may be used. Linux does not report the kind of a network, so it has no effect.
    public var allowsCellularAccess: Bool {
        get { values.withLock { $0.allowsCellularAccess } }
        set { values.withLock { $0.allowsCellularAccess = newValue } }
    }

    /// Whether a request waits for connectivity instead of failing while there is no route to its server, within
    /// ``timeoutIntervalForResource``. The umbrella's sessions support it; a session whose transport has no layer for
    /// it rejects its requests. Monitors are notified of the wait.
    public var waitsForConnectivity: Bool {
        get { values.withLock { $0.waitsForConnectivity } }
        set { values.withLock { $0.waitsForConnectivity = newValue } }
    }

    /// Whether an expensive network may be used. No engine chooses networks, so it has no effect.
    public var allowsExpensiveNetworkAccess: Bool {
        get { values.withLock { $0.allowsExpensiveNetworkAccess } }
        set { values.withLock { $0.allowsExpensiveNetworkAccess = newValue } }
    }

    /// Whether a constrained network may be used. No engine chooses networks, so it has no effect.
    public var allowsConstrainedNetworkAccess: Bool {
        get { values.withLock { $0.allowsConstrainedNetworkAccess } }
        set { values.withLock { $0.allowsConstrainedNetworkAccess = newValue } }
    }

    /// The use of several networks by a connection. It has no effect; set `socket.multipath` of ``transportOptions``
    /// for Multipath TCP (RFC 8684).
    public var multipathServiceType: MultipathServiceType {
        get { values.withLock { $0.multipathServiceType } }
        set { values.withLock { $0.multipathServiceType = newValue } }
    }

    /// Whether HTTP/1.1 requests are pipelined. No engine supports it, so it has no
    /// effect; HTTP/2 multiplexes.
    public var httpShouldUsePipelining: Bool {
        get { values.withLock { $0.httpShouldUsePipelining } }
        set { values.withLock { $0.httpShouldUsePipelining = newValue } }
    }

    /// Whether the system may choose the time of transfers. It applies to background sessions only, so it has no
    /// effect.
    public var isDiscretionary: Bool {
        get { values.withLock { $0.isDiscretionary } }
        set { values.withLock { $0.isDiscretionary = newValue } }
    }

    /// Whether the system launches the program for transfers. It applies to background sessions only, so it has no
    /// effect.
    public var sessionSendsLaunchEvents: Bool {
        get { values.withLock { $0.sessionSendsLaunchEvents } }
        set { values.withLock { $0.sessionSendsLaunchEvents = newValue } }
    }

    /// Whether connections stay open when the program is in the background. Programs on Linux have no such state, so it
    /// has no effect.
    public var shouldUseExtendedBackgroundIdleMode: Bool {
        get { values.withLock { $0.shouldUseExtendedBackgroundIdleMode } }
        set { values.withLock { $0.shouldUseExtendedBackgroundIdleMode = newValue } }
    }

    /// The container of background sessions' downloads. There are none on Linux, so it has no effect.
    public var sharedContainerIdentifier: String? {
        get { values.withLock { $0.sharedContainerIdentifier } }
        set { values.withLock { $0.sharedContainerIdentifier = newValue } }
    }

    /// Whether requests for `file:` and `data:` URLs are answered, as on Apple's platforms: `true` by default. A
    /// redirect cannot lead to one.
    ///
    /// Set it to `false` in a program that requests URLs from untrusted sources: a `file:` URL reads any file that the
    /// program may read.
    public var allowsLocalURLs: Bool {
        get { values.withLock { $0.allowsLocalURLs } }
        set { values.withLock { $0.allowsLocalURLs = newValue } }
    }

    /// The credentials that answer challenges to requests without one of their own; `nil` for none. Default
    /// configurations share ``URLCredentialStorage/shared``; ephemeral ones have a storage of their own.
    public var urlCredentialStorage: URLCredentialStorage? {
        get {
            let candidate = URLCredentialStorage()
            return values.withLock {
                switch $0.credentialStorage {
                case .shared: return URLCredentialStorage.shared
                case .none: return nil
                case .object(let storage): return storage
                case .own:
                    $0.credentialStorage = .object(candidate)
                    return candidate
                }
            }
        }
        set { values.withLock { $0.credentialStorage = newValue.map { .object($0) } ?? .none } }
    }

    /// The maximum number of connections to a host; `Int.max`, the default, sets no limit. It is read by the transport
    /// that is created for the configuration; a transport that is passed to a session has its own configuration.
    public var httpMaximumConnectionsPerHost: Int {
        get { values.withLock { $0.httpMaximumConnectionsPerHost } }
        set { values.withLock { $0.httpMaximumConnectionsPerHost = newValue } }
    }

    /// Whether stored cookies are sent. Cookies of responses are stored in any case.
    public var httpShouldSetCookies: Bool {
        get { values.withLock { $0.httpShouldSetCookies } }
        set { values.withLock { $0.httpShouldSetCookies = newValue } }
    }

    /// The raw value of the policy on storing cookies; `nil` if none was set. The umbrella gives it a type.
    package var cookieAcceptPolicyValue: UInt? {
        get { values.withLock { $0.cookieAcceptPolicy } }
        set { values.withLock { $0.cookieAcceptPolicy = newValue } }
    }

    /// The storage of cookies. The umbrella gives it a type, which Core does not know.
    package var cookieStorageState: LayerState<any AnyObject & Sendable> {
        get { values.withLock { $0.cookieStorage } }
        set { values.withLock { $0.cookieStorage = newValue } }
    }

    /// Returns this configuration's own storage of cookies: `candidate`, unless there is one already.
    package func ownCookieStorage(orElse candidate: any AnyObject & Sendable) -> any AnyObject & Sendable {
        values.withLock {
            if case .object(let existing) = $0.cookieStorage { return existing }
            $0.cookieStorage = .object(candidate)
            return candidate
        }
    }

    /// The cache of responses. The umbrella gives it a type, which Core does not know.
    package var urlCacheState: LayerState<any AnyObject & Sendable> {
        get { values.withLock { $0.urlCache } }
        set { values.withLock { $0.urlCache = newValue } }
    }

    /// Returns this configuration's own cache: `candidate`, unless there is one already.
    package func ownURLCache(orElse candidate: any AnyObject & Sendable) -> any AnyObject & Sendable {
        values.withLock {
            if case .object(let existing) = $0.urlCache { return existing }
            $0.urlCache = .object(candidate)
            return candidate
        }
    }

    /// The hosts that are known to require TLS (HSTS, RFC 6797). Sessions learn them from responses and send requests
    /// to such hosts by `https`; `nil` turns that off. Default configurations share ``HSTSStore/shared``; ephemeral
    /// ones have a store of their own.
    public var strictTransportSecurity: HSTSStore? {
        get {
            let candidate = HSTSStore()
            return values.withLock {
                switch $0.strictTransportSecurity {
                case .shared: return HSTSStore.shared
                case .none: return nil
                case .object(let store): return store
                case .own:
                    $0.strictTransportSecurity = .object(candidate)
                    return candidate
                }
            }
        }
        set { values.withLock { $0.strictTransportSecurity = newValue.map { .object($0) } ?? .none } }
    }

    /// Whether every request is sent by `https`, regardless of its URL and of redirects: sessions rewrite `http` before
    /// anything is sent.
    public var httpsOnly: Bool {
        get { values.withLock { $0.httpsOnly } }
        set { values.withLock { $0.httpsOnly = newValue } }
    }

    /// The proxies by the keys of CFNetwork: `HTTPEnable`, `HTTPProxy`, `HTTPPort`, the same with `HTTPS` and `SOCKS`,
    /// and `ExceptionsList`. `nil` leaves it to ``transportOptions`` and the transport; an empty one means no proxy.
    public var connectionProxyDictionary: [AnyHashable: Any]? {
        get { values.withLock { $0.proxies }?.dictionary }
        set {
            let proxies = newValue.map(ProxyDictionary.init)
            values.withLock { $0.proxies = proxies }
        }
    }

    /// The minimum version of TLS; `nil` for the transport's default, TLS 1.2.
    public var tlsMinimumSupportedProtocolVersion: TLSVersion? {
        get { values.withLock { $0.tlsMinimumSupportedProtocolVersion } }
        set { values.withLock { $0.tlsMinimumSupportedProtocolVersion = newValue } }
    }

    /// The maximum version of TLS; `nil` for the transport's default.
    public var tlsMaximumSupportedProtocolVersion: TLSVersion? {
        get { values.withLock { $0.tlsMaximumSupportedProtocolVersion } }
        set { values.withLock { $0.tlsMaximumSupportedProtocolVersion = newValue } }
    }

    /// The options of requests beyond Foundation's properties, over which they take precedence.
    public var transportOptions: TransportOptions {
        get { values.withLock { $0.transportOptions } }
        set { values.withLock { $0.transportOptions = newValue } }
    }

    /// The certificate and key for servers that request one (TLS client authentication).
    ///
    /// They are presented to the server that a request names, and not to other servers that it is redirected to. A
    /// `ServerTrustManager` assigns identities by host.
    public var clientIdentity: ClientIdentity? {
        get { values.withLock { $0.clientIdentity } }
        set { values.withLock { $0.clientIdentity = newValue } }
    }

    /// The rules for redirects to another origin, unless the request's redirect handler has rules. By default, a
    /// redirect that would send a request's content to another origin, or that leads from `https` to `http`, fails the
    /// request.
    public var redirectRules: RedirectRules {
        get { values.withLock { $0.redirectRules } }
        set { values.withLock { $0.redirectRules = newValue } }
    }

    /// Changes to the layers around the engine: layers of your own above or below a standard one, replacements,
    /// removals. ``LayerStack/order`` lists the places.
    public var layers: LayerStack {
        get { values.withLock { $0.layers } }
        set { values.withLock { $0.layers = newValue } }
    }

    /// The maximum pause of a request that sets none.
    package var requestTimeout: TimeInterval {
        let timeout = timeoutIntervalForRequest
        return timeout > 0 ? timeout : Self.defaultRequestTimeout
    }

    /// The options of all exchanges of the session.
    package var exchangeOptions: TransportOptions {
        let values = values.withLock { $0 }
        var options = TransportOptions()
        if values.timeoutIntervalForResource != Self.defaultResourceTimeout, values.timeoutIntervalForResource > 0 {
            options.deadline = Duration.limit(seconds: values.timeoutIntervalForResource)
        }
        options.tls.minimumVersion = values.tlsMinimumSupportedProtocolVersion
        options.tls.maximumVersion = values.tlsMaximumSupportedProtocolVersion
        options.proxy = values.proxies?.policy
        if values.waitsForConnectivity { options.waitsForConnectivity = true }
        return options.merging(values.transportOptions)
    }
}
