import AirframeTestSupport
import Testing

extension Peers {
    /// The peers that these tests use.
    enum Key: String {
        case http, https, h2c, httpsTLS12, httpsExpired, httpsNotYetValid, httpsWrongHost, httpsSelfSigned,
            httpsUntrusted
        case httpsClientCert, squidHTTP, squidAuth, squidHTTPS, socks, socksAuth, danted, httpbin, nghttpd, nghttpdPlain
        case unixSocket, pki, root, hangar, `static`, connectionAuth
    }

    static func port(_ key: Key) throws -> Int { try required().port(key.rawValue) }

    static func path(_ key: Key) throws -> String { try required().path(key.rawValue) }

    static func url(_ key: Key, _ path: String = "/", host: String = "localhost") throws -> String {
        "\(key.rawValue.hasPrefix("https") || key == .nghttpd ? "https" : "http")://\(host):\(try port(key))\(path)"
    }
}
