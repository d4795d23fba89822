public import AirframeCore
internal import AirframeTransport
internal import Foundation

extension URLSessionConfiguration {
    /// Sets what `values` has values for. The keys are those of the table in the module's README.
    ///
    /// - Parameter values: The values.
    /// - Throws: ``ConfigurationValueError`` for the first value that is none of its key's kind; nothing is changed
    ///   then.
    public func apply(_ values: ConfigurationValues) throws(ConfigurationValueError) {
        let read = try ReadValues(values)
        if let url = read.baseURL { baseURL = url }
        if let userAgent = read.userAgent { headers.update(.userAgent(userAgent)) }
        if let seconds = read.requestTimeout { timeoutIntervalForRequest = seconds }
        if let seconds = read.resourceTimeout { timeoutIntervalForResource = seconds }
        if let seconds = read.attemptsTimeout { timeoutIntervalForAllAttempts = seconds }
        if let count = read.connectionsPerHost { httpMaximumConnectionsPerHost = count }
        if let proxy = read.proxy { transportOptions.proxy = proxy }
        if let version = read.minimumTLS { tlsMinimumSupportedProtocolVersion = version }
        if let version = read.maximumTLS { tlsMaximumSupportedProtocolVersion = version }
        if let path = read.roots { transportOptions.tls.roots = .pemFile(path: path) }
        if let isOn = read.httpsOnly { httpsOnly = isOn }
        if let isOn = read.sendsCookies { httpShouldSetCookies = isOn }
        if let isOn = read.allowsLocalURLs { allowsLocalURLs = isOn }
        if let isOn = read.waitsForConnectivity { waitsForConnectivity = isOn }
        if let rate = read.uploadRate { transferRates.upload = rate }
        if let rate = read.downloadRate { transferRates.download = rate }
        if let limit = read.bodyLimit { maximumBufferedBodySize = limit }
    }
}

/// All values, read before any is applied.
private struct ReadValues {
    let baseURL: URL?
    let userAgent: String?
    let requestTimeout: TimeInterval?
    let resourceTimeout: TimeInterval?
    let attemptsTimeout: TimeInterval?
    let connectionsPerHost: Int?
    let proxy: ProxyPolicy?
    let minimumTLS: TLSVersion?
    let maximumTLS: TLSVersion?
    let roots: String?
    let httpsOnly: Bool?
    let sendsCookies: Bool?
    let allowsLocalURLs: Bool?
    let waitsForConnectivity: Bool?
    let uploadRate: Int?
    let downloadRate: Int?
    let bodyLimit: Int?

    init(_ values: ConfigurationValues) throws(ConfigurationValueError) {
        baseURL = try values.read("base.url", "an absolute URL") { text in
            URL(string: text).flatMap { (try? BaseURL($0))?.url }
        }
        userAgent = values["user.agent"]
        requestTimeout = try values.seconds("timeout.request")
        resourceTimeout = try values.seconds("timeout.resource")
        attemptsTimeout = try values.seconds("timeout.attempts")
        connectionsPerHost = try values.count("connections.per.host")
        proxy = try values.read("proxy", "`none`, `environment` or a proxy's URL", ProxyPolicy.init(text:))
        minimumTLS = try values.read("tls.minimum", "a version from 1.0 to 1.3", TLSVersion.init(text:))
        maximumTLS = try values.read("tls.maximum", "a version from 1.0 to 1.3", TLSVersion.init(text:))
        roots = values["tls.roots"]
        httpsOnly = try values.flag("https.only")
        sendsCookies = try values.flag("cookies.send")
        allowsLocalURLs = try values.flag("local.urls")
        waitsForConnectivity = try values.flag("waits.for.connectivity")
        uploadRate = try values.count("rate.upload")
        downloadRate = try values.count("rate.download")
        bodyLimit = try values.count("body.limit")
    }
}

extension ConfigurationValues {
    fileprivate func read<Value>(
        _ key: String,
        _ expected: String,
        _ make: (String) -> Value?
    ) throws(ConfigurationValueError) -> Value? {
        guard let text = self[key] else { return nil }
        guard let value = make(text) else { throw ConfigurationValueError(key: key, value: text, expected: expected) }
        return value
    }

    fileprivate func seconds(_ key: String) throws(ConfigurationValueError) -> TimeInterval? {
        try read(key, "a positive number of seconds") { text in
            TimeInterval(text).flatMap { $0 > 0 && $0.isFinite ? $0 : nil }
        }
    }

    fileprivate func count(_ key: String) throws(ConfigurationValueError) -> Int? {
        try read(key, "a positive whole number") { text in Int(text).flatMap { $0 > 0 ? $0 : nil } }
    }

    fileprivate func flag(_ key: String) throws(ConfigurationValueError) -> Bool? {
        try read(key, "`true` or `false`") { text in
            switch text.lowercased() {
            case "true", "yes", "on", "1": true
            case "false", "no", "off", "0": false
            default: nil
            }
        }
    }
}

extension ProxyPolicy {
    /// Reads `none`, `environment`, or the URL of a proxy, with its port and perhaps a user and a password.
    fileprivate init?(text: String) {
        switch text.lowercased() {
        case "none": self = .none
        case "environment": self = .environment
        default:
            guard let parts = URLComponents(string: text), let kind = parts.scheme?.lowercased(), let host = parts.host,
                !host.isEmpty, let port = parts.port, let kind = Proxy.Kind(rawValue: kind),
                parts.path.isEmpty || parts.path == "/"
            else { return nil }
            let credential = parts.user.map { Proxy.Credential(username: $0, password: parts.password ?? "") }
            let bare = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
            self = .proxy(Proxy(kind: kind, host: bare, port: port, credential: credential))
        }
    }
}

extension TLSVersion {
    /// Reads `1.2` or `TLS 1.2`.
    fileprivate init?(text: String) {
        let version = TLSVersion.allCases.first { known in
            text == known.description || "TLS \(text)" == known.description
        }
        guard let version else { return nil }
        self = version
    }
}
