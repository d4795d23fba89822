public import Configuration

/// A key of swift-configuration that sets a property of `URLSessionConfiguration`.
///
/// The raw value is the key relative to the reader's scope. Read through a reader that is scoped to `api`,
/// `timeout.request` is the environment variable `API_TIMEOUT_REQUEST`, and the member `request` of the object
/// `api.timeout` in a JSON file.
public enum SessionConfigurationKey: String, CaseIterable, Sendable, Hashable {
    /// The absolute URL that relative request URLs are appended to.
    case baseURL
    /// The value of the `User-Agent` field.
    case userAgent
    /// The maximum pause of one attempt, in seconds: `timeoutIntervalForRequest`.
    case requestTimeout = "timeout.request"
    /// The timeout of one attempt, in seconds: `timeoutIntervalForResource`.
    case resourceTimeout = "timeout.resource"
    /// The timeout of all attempts together, in seconds: `timeoutIntervalForAllAttempts`.
    case attemptsTimeout = "timeout.attempts"
    /// The maximum number of connections to one host.
    case connectionsPerHost
    /// The proxy: `none`, `environment`, or a URL with a port. The URL may contain a password, so the key is secret.
    case proxy = "proxy.url"
    /// The user name for the proxy, instead of one in its URL.
    case proxyUsername = "proxy.username"
    /// The password for the proxy, instead of one in its URL. Secret.
    case proxyPassword = "proxy.password"
    /// The lowest TLS version: `1.0` to `1.3`.
    case minimumTLS = "tls.minimum"
    /// The highest TLS version: `1.0` to `1.3`.
    case maximumTLS = "tls.maximum"
    /// The path of a PEM file with the trusted root certificates.
    case tlsRoots = "tls.roots"
    /// Whether every request is sent by `https`: `http` URLs are rewritten.
    case httpsOnly
    /// Whether requests carry cookies.
    case sendsCookies = "cookies.send"
    /// Whether `file:` and `data:` URLs are answered.
    case allowsLocalURLs = "localURLs"
    /// Whether requests wait for a network instead of failing.
    case waitsForConnectivity
    /// The maximum rate of uploads, in bytes per second.
    case uploadRate = "rate.upload"
    /// The maximum rate of downloads, in bytes per second.
    case downloadRate = "rate.download"
    /// The maximum size of a response body that is kept in memory, in bytes.
    case bodyLimit = "body.limit"

    /// Whether access reporters of swift-configuration must hide the value.
    public var isSecret: Bool {
        switch self {
        case .proxy, .proxyPassword: true
        default: false
        }
    }

    /// The key as swift-configuration takes it, relative to the reader's scope.
    public var configKey: ConfigKey { ConfigKey(rawValue) }
}
