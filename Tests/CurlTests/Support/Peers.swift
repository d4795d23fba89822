import AirframeTransport
import Foundation
import Testing

/// The real servers that `Tests/Peers/peers` has started, by the file that AIRFRAME_PEERS names.
///
/// A test that needs one is skipped where there is none, but fails on a machine that says CI=true: there all must run.
struct Peers: Sendable {
    enum Key: String {
        case http, https, h2c, httpsTLS12, httpsExpired, httpsNotYetValid, httpsWrongHost, httpsSelfSigned,
            httpsUntrusted
        case httpsClientCert, squidHTTP, squidAuth, squidHTTPS, socks, socksAuth, danted, httpbin, nghttpd, nghttpdPlain
        case unixSocket, pki, root, hangar, `static`, connectionAuth
    }

    private static let values: [String: any Sendable]? = {
        guard let path = ProcessInfo.processInfo.environment["AIRFRAME_PEERS"],
            let data = FileManager.default.contents(atPath: path),
            let object = try? JSONSerialization.jsonObject(with: data) as? [String: Any]
        else { return nil }
        return object.mapValues { ($0 as? Int).map { $0 as any Sendable } ?? "\($0)" }
    }()

    /// Whether tests that need the peers are to run.
    static var areWanted: Bool { values != nil || ProcessInfo.processInfo.environment["CI"] == "true" }

    static func port(_ key: Key) throws -> Int {
        try #require(values?[key.rawValue] as? Int, "AIRFRAME_PEERS names no \(key.rawValue)")
    }

    static func path(_ key: Key) throws -> String {
        try #require(values?[key.rawValue] as? String, "AIRFRAME_PEERS names no \(key.rawValue)")
    }

    static func url(_ key: Key, _ path: String = "/", host: String = "localhost") throws -> String {
        "\(key.rawValue.hasPrefix("https") || key == .nghttpd ? "https" : "http")://\(host):\(try port(key))\(path)"
    }

    /// The root that the peers' certificates lead to.
    static var roots: TrustRoots {
        get throws { .pemFile(path: try path(.root)) }
    }

    /// The bytes of a PEM file of the peers' PKI, block by block.
    static func der(_ file: String) throws -> [DER] {
        let text = try String(contentsOfFile: "\(try path(.pki))/\(file)", encoding: .utf8)
        return text.components(separatedBy: "-----BEGIN ").dropFirst().compactMap { block in
            let lines = block.split(separator: "\n").dropFirst().prefix { !$0.hasPrefix("-----END") }
            return Data(base64Encoded: lines.joined()).map { DER(Array($0)) }
        }
    }
}

extension Trait where Self == ConditionTrait {
    /// Runs only where the peers are, or must be.
    static var needsPeers: Self {
        .enabled(if: Peers.areWanted, "AIRFRAME_PEERS names no running peers (Tests/Peers/peers start DIR)")
    }
}
