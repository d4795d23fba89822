public import AirframeLayers
public import AirframeTransport
public import Foundation
internal import Synchronization

/// How a session does things. A session copies it when it is made: later changes have no effect on it.
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

    /// Seven days: so long that it stands for no limit.
    private static let defaultResourceTimeout: TimeInterval = 7 * 24 * 60 * 60

    /// 256 MiB: more than JSON that a program reads at once, and less than the memory of most machines.
    private static let defaultDecodedBodySize = 256 << 20

    // Guards all values: a configuration may be shared before a session copies it.
    private let values: Mutex<Values>

    private init(_ values: Values) { self.values = Mutex(values) }

    /// A new configuration with Foundation's values. It sends no header fields of its own; `.af.default` does.
    public static var `default`: URLSessionConfiguration { URLSessionConfiguration(Values()) }

    /// A new configuration for a session that leaves nothing on disk, and shares neither cookies nor what it learns of
    /// HSTS with other sessions.
    public static var ephemeral: URLSessionConfiguration {
        var values = Values()
        values.cookieStorage = .own
        values.urlCache = .own
        values.strictTransportSecurity = .own
        values.credentialStorage = .own
        return URLSessionConfiguration(values)
    }

    /// What is set in URLSessionConfiguration+Requests.swift.
    var requests: Requests { values.withLock { $0.requests } }
    func change(_ body: (inout Requests) -> Void) { values.withLock { body(&$0.requests) } }

    /// A configuration of the same values that changes on its own.
    package func copy() -> URLSessionConfiguration { URLSessionConfiguration(values.withLock { $0 }) }

    /// The header fields that every request gets unless it sets them itself, those with the same name once.
    public var headers: HTTPHeaders {
        get { values.withLock { $0.headers } }
        set { values.withLock { $0.headers = newValue } }
    }

    /// ``headers`` as a dictionary. Values that are no texts are turned into ones.
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

    /// The longest pause of a request in seconds, in sending as in receiving; 60 at first. Zero and negative values
    /// count as not set.
    public var timeoutIntervalForRequest: TimeInterval {
        get { values.withLock { $0.timeoutIntervalForRequest } }
        set { values.withLock { $0.timeoutIntervalForRequest = newValue } }
    }

    /// The longest that one attempt of a request may take, in seconds: its redirects, its challenges, its wait for a
    /// network and its whole body, however slowly that arrives. Seven days at first, which stands for no limit. Zero
    /// and negative values count as not set.
    ///
    /// A retry is another attempt, as it is another task for `URLSession`: see ``timeoutIntervalForAllAttempts``.
    public var timeoutIntervalForResource: TimeInterval {
        get { values.withLock { $0.timeoutIntervalForResource } }
        set { values.withLock { $0.timeoutIntervalForResource = newValue } }
    }

    /// The longest that all attempts of a request may take together, in seconds, with the waits between them. `nil`, at
    /// first, sets no limit.
    ///
    /// The attempt that is under way when it runs out fails as timed out. No retry begins afterwards: the last error
    /// stands.
    public var timeoutIntervalForAllAttempts: TimeInterval? {
        get { values.withLock { $0.timeoutIntervalForAllAttempts } }
        set { values.withLock { $0.timeoutIntervalForAllAttempts = newValue } }
    }

    /// The most bytes of a response's body that a `DataRequest` or an `UploadRequest` keeps in memory. `nil`, at first,
    /// sets no limit.
    ///
    /// A longer body fails the request with ``TransportError/Code/bodyTooLarge``: before anything is read if its
    /// `Content-Length` says so, and otherwise as soon as it passes the limit. Bytes count as they are after decoding.
    /// Downloads and streams keep nothing in memory, and have no such limit.
    public var maximumBufferedBodySize: Int? {
        get { values.withLock { $0.maximumBufferedBodySize } }
        set { values.withLock { $0.maximumBufferedBodySize = newValue } }
    }

    /// The same limit for bodies that were sent with a content coding (gzip, br, zstd): 256 MiB at first; `nil` sets no
    /// limit but ``maximumBufferedBodySize``. If both are set, the smaller one counts.
    ///
    /// A server, or a proxy, that sends 10 MB of such a body can cause 2 GB within the permitted ratio
    /// (`DecodingLimits.maximumRatio`).
    public var maximumBufferedDecodedBodySize: Int? {
        get { values.withLock { $0.maximumBufferedDecodedBodySize } }
        set { values.withLock { $0.maximumBufferedDecodedBodySize = newValue } }
    }

    /// Whether a cache may answer; requests that set a policy go by theirs. See ``URLRequest/CachePolicy`` for the
    /// effect of each case in a session without a cache.
    public var requestCachePolicy: URLRequest.CachePolicy {
        get { values.withLock { $0.requestCachePolicy } }
        set { values.withLock { $0.requestCachePolicy = newValue } }
    }

    /// What requests are for. Nothing on Linux acts on it.
    public var networkServiceType: URLRequest.NetworkServiceType {
        get { values.withLock { $0.networkServiceType } }
        set { values.withLock { $0.networkServiceType = newValue } }
    }

    /// Whether a mobile network may be used. Linux does not say what a network is, so that it has no effect.
    public var allowsCellularAccess: Bool {
        get { values.withLock { $0.allowsCellularAccess } }
        set { values.withLock { $0.allowsCellularAccess = newValue } }
    }

    /// Whether a request waits for a way to its server, instead of failing, while there is none: as long as
    /// ``timeoutIntervalForResource`` allows. The umbrella's sessions do; a session whose transport has no layer for it
    /// refuses its requests. Event monitors are told of the wait.
    public var waitsForConnectivity: Bool {
        get { values.withLock { $0.waitsForConnectivity } }
        set { values.withLock { $0.waitsForConnectivity = newValue } }
    }

    /// Whether a network that costs money may be used. No engine chooses networks, so that it has no effect.
    public var allowsExpensiveNetworkAccess: Bool {
        get { values.withLock { $0.allowsExpensiveNetworkAccess } }
        set { values.withLock { $0.allowsExpensiveNetworkAccess = newValue } }
    }

    /// Whether a network that saves data may be used. No engine chooses networks, so that it has no effect.
    public var allowsConstrainedNetworkAccess: Bool {
        get { values.withLock { $0.allowsConstrainedNetworkAccess } }
        set { values.withLock { $0.allowsConstrainedNetworkAccess = newValue } }
    }

    /// How connections use several networks. No engine does, so that it has no effect.
    public var multipathServiceType: MultipathServiceType {
        get { values.withLock { $0.multipathServiceType } }
        set { values.withLock { $0.multipathServiceType = newValue } }
    }

    /// Whether requests are sent before earlier ones are answered, over HTTP/1.1. No engine does, so that it has no
    /// effect; HTTP/2 multiplexes.
    public var httpShouldUsePipelining: Bool {
        get { values.withLock { $0.httpShouldUsePipelining } }
        set { values.withLock { $0.httpShouldUsePipelining = newValue } }
    }

    /// Whether the system may choose the time of transfers. Only background sessions do, so that it has no effect.
    public var isDiscretionary: Bool {
        get { values.withLock { $0.isDiscretionary } }
        set { values.withLock { $0.isDiscretionary = newValue } }
    }

    /// Whether the system launches the program for transfers. Only background sessions do, so that it has no effect.
    public var sessionSendsLaunchEvents: Bool {
        get { values.withLock { $0.sessionSendsLaunchEvents } }
        set { values.withLock { $0.sessionSendsLaunchEvents = newValue } }
    }

    /// Whether connections stay open when the program is in the background. Programs on Linux have none, so that it has
    /// no effect.
    public var shouldUseExtendedBackgroundIdleMode: Bool {
        get { values.withLock { $0.shouldUseExtendedBackgroundIdleMode } }
        set { values.withLock { $0.shouldUseExtendedBackgroundIdleMode = newValue } }
    }

    /// The container that background sessions download to. There are none, so that it has no effect.
    public var sharedContainerIdentifier: String? {
        get { values.withLock { $0.sharedContainerIdentifier } }
        set { values.withLock { $0.sharedContainerIdentifier = newValue } }
    }

    /// Whether requests for `file:` and `data:` URLs are answered, as on Apple's platforms: `true` at first. A redirect
    /// never leads to one.
    ///
    /// Turn it off in a program that requests URLs which others give it: a `file:` URL reads any file that the program
    /// may read.
    public var allowsLocalURLs: Bool {
        get { values.withLock { $0.allowsLocalURLs } }
        set { values.withLock { $0.allowsLocalURLs = newValue } }
    }

    /// The credentials that requests without one of their own answer challenges with; `nil` for none. Default
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

    /// How many connections to a host there may be at once; `Int.max`, at first, sets no limit. Read by the transport
    /// that is made for the configuration; one that is handed to a session goes by its own configuration.
    public var httpMaximumConnectionsPerHost: Int {
        get { values.withLock { $0.httpMaximumConnectionsPerHost } }
        set { values.withLock { $0.httpMaximumConnectionsPerHost = newValue } }
    }

    /// Whether stored cookies are sent. Responses' cookies are stored all the same.
    public var httpShouldSetCookies: Bool {
        get { values.withLock { $0.httpShouldSetCookies } }
        set { values.withLock { $0.httpShouldSetCookies = newValue } }
    }

    /// The raw value of the policy on which cookies to store; `nil` where none was set. The umbrella gives it a type.
    package var cookieAcceptPolicyValue: UInt? {
        get { values.withLock { $0.cookieAcceptPolicy } }
        set { values.withLock { $0.cookieAcceptPolicy = newValue } }
    }

    /// The storage of cookies. The umbrella gives it a type: Core knows no cookies.
    package var cookieStorageState: LayerState<any AnyObject & Sendable> {
        get { values.withLock { $0.cookieStorage } }
        set { values.withLock { $0.cookieStorage = newValue } }
    }

    /// The storage of cookies of this configuration alone: `candidate`, unless there is one already.
    package func ownCookieStorage(orElse candidate: any AnyObject & Sendable) -> any AnyObject & Sendable {
        values.withLock {
            if case .object(let existing) = $0.cookieStorage { return existing }
            $0.cookieStorage = .object(candidate)
            return candidate
        }
    }

    /// The cache of responses. The umbrella gives it a type: Core knows no cache.
    package var urlCacheState: LayerState<any AnyObject & Sendable> {
        get { values.withLock { $0.urlCache } }
        set { values.withLock { $0.urlCache = newValue } }
    }

    /// The cache of this configuration alone: `candidate`, unless there is one already.
    package func ownURLCache(orElse candidate: any AnyObject & Sendable) -> any AnyObject & Sendable {
        values.withLock {
            if case .object(let existing) = $0.urlCache { return existing }
            $0.urlCache = .object(candidate)
            return candidate
        }
    }

    /// Which hosts are known to want TLS alone (HSTS, RFC 6797). The umbrella's sessions learn it from responses and
    /// send requests to such hosts by `https`; `nil` turns that off. Default configurations share
    /// ``HSTSStore/shared``; ephemeral ones have a store of their own.
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

    /// Whether every request goes by `https`, whatever its URL and redirects say: the umbrella's sessions rewrite
    /// `http` before anything is sent.
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

    /// The oldest version of TLS to accept; `nil` leaves it to the transport, which takes TLS 1.2.
    public var tlsMinimumSupportedProtocolVersion: TLSVersion? {
        get { values.withLock { $0.tlsMinimumSupportedProtocolVersion } }
        set { values.withLock { $0.tlsMinimumSupportedProtocolVersion = newValue } }
    }

    /// The newest version of TLS to accept; `nil` leaves it to the transport.
    public var tlsMaximumSupportedProtocolVersion: TLSVersion? {
        get { values.withLock { $0.tlsMaximumSupportedProtocolVersion } }
        set { values.withLock { $0.tlsMaximumSupportedProtocolVersion = newValue } }
    }

    /// How to send requests, beyond what Foundation's properties say; what is set here goes before them.
    public var transportOptions: TransportOptions {
        get { values.withLock { $0.transportOptions } }
        set { values.withLock { $0.transportOptions = newValue } }
    }

    /// The certificate and key to show to servers that ask for one (TLS client authentication).
    ///
    /// They are shown to the server that a request names, and to no other that it is redirected to. A
    /// `ServerTrustManager` names identities by host.
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

    /// The longest pause of a request that sets none.
    package var requestTimeout: TimeInterval {
        let timeout = timeoutIntervalForRequest
        return timeout > 0 ? timeout : Self.defaultRequestTimeout
    }

    /// What all exchanges of the session have in common.
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
