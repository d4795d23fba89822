internal import AirframeCore
internal import AirframeTransport
internal import Foundation

/// The values of all keys, read before any is applied.
struct SessionValues {
    let baseURL: URL?
    let userAgent: String?
    let requestTimeout: TimeInterval?
    let resourceTimeout: TimeInterval?
    let attemptsTimeout: TimeInterval?
    let connectionsPerHost: Int?
    let proxy: ProxyPolicy?
    let minimumTLS: TLSVersion?
    let maximumTLS: TLSVersion?
    let tlsRoots: String?
    let httpsOnly: Bool?
    let sendsCookies: Bool?
    let allowsLocalURLs: Bool?
    let waitsForConnectivity: Bool?
    let uploadRate: Int?
    let downloadRate: Int?
    let bodyLimit: Int?

    /// Reads all keys.
    ///
    /// - Throws: ``ConfigurationValueError`` for the first value that its key does not accept.
    init(_ reader: SessionValueReader) throws(ConfigurationValueError) {
        baseURL = try reader.parsed(.baseURL, "an absolute URL") { text in
            URL(string: text).flatMap { (try? BaseURL($0))?.url }
        }
        userAgent = try reader.text(.userAgent)
        requestTimeout = try reader.seconds(.requestTimeout)
        resourceTimeout = try reader.seconds(.resourceTimeout)
        attemptsTimeout = try reader.seconds(.attemptsTimeout)
        connectionsPerHost = try reader.count(.connectionsPerHost)
        proxy = try Self.proxy(reader)
        minimumTLS = try reader.parsed(.minimumTLS, "a version from 1.0 to 1.3", TLSVersion.init(configuration:))
        maximumTLS = try reader.parsed(.maximumTLS, "a version from 1.0 to 1.3", TLSVersion.init(configuration:))
        tlsRoots = try reader.text(.tlsRoots)
        httpsOnly = try reader.flag(.httpsOnly)
        sendsCookies = try reader.flag(.sendsCookies)
        allowsLocalURLs = try reader.flag(.allowsLocalURLs)
        waitsForConnectivity = try reader.flag(.waitsForConnectivity)
        uploadRate = try reader.count(.uploadRate)
        downloadRate = try reader.count(.downloadRate)
        bodyLimit = try reader.count(.bodyLimit)
    }

    /// Returns the proxy, with the credentials of their own keys where its URL has none.
    private static func proxy(_ reader: SessionValueReader) throws(ConfigurationValueError) -> ProxyPolicy? {
        let policy = try reader.parsed(
            .proxy, "`none`, `environment` or a proxy's URL with a port", ProxyPolicy.init(configuration:))
        guard let username = try reader.text(.proxyUsername) else {
            guard try reader.text(.proxyPassword) == nil else {
                throw ConfigurationValueError(
                    key: .proxyPassword, value: Redaction.placeholder, expected: "to be set with proxy.username")
            }
            return policy
        }
        guard case .proxy(var proxy) = policy else {
            throw ConfigurationValueError(
                key: .proxyUsername, value: username, expected: "to be set with a proxy's URL in proxy.url")
        }
        proxy.credential = Proxy.Credential(username: username, password: try reader.text(.proxyPassword) ?? "")
        return .proxy(proxy)
    }
}
