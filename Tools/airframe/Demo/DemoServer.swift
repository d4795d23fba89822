import Airframe
import Foundation

/// The servers that the demo sends requests to.
struct DemoServers: Sendable {
    /// Plain HTTP.
    let http: String
    /// HTTPS with a good certificate.
    let https: String
    /// HTTPS with a certificate that has expired.
    let expired: String
    /// The file of the root certificate that they have in common.
    let root: String

    /// Reads the description that the peers' starter writes.
    ///
    /// - Throws: An error if the file cannot be read or lists no such servers.
    init(describedAt path: String) throws {
        let description = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: path)))
        guard let peers = description as? [String: Any], let http = peers["http"] as? Int,
            let https = peers["https"] as? Int, let expired = peers["httpsExpired"] as? Int,
            let root = peers["root"] as? String
        else { throw DemoError("\(path) does not describe the servers of the demo") }
        self.http = "http://127.0.0.1:\(http)"
        self.https = "https://localhost:\(https)"
        self.expired = "https://localhost:\(expired)"
        self.root = root
    }
}

/// One engine, with a session on it that trusts the servers' own root certificate.
struct DemoServer: Sendable {
    let servers: DemoServers
    /// The engine.
    let engine: ConnectionOptions.Engine
    /// The session of all scenes that need none of their own.
    let session: Session

    var http: String { servers.http }
    var https: String { servers.https }
    var expired: String { servers.expired }

    init(_ servers: DemoServers, engine: ConnectionOptions.Engine) {
        self.servers = servers
        self.engine = engine
        session = Self.session(servers, engine) { _ in }
    }

    /// A session of its own, for a scene that needs another configuration.
    func session(
        interceptor: (any RequestInterceptor)? = nil,
        trust: ServerTrustManager? = nil,
        monitors: [any EventMonitor] = [],
        _ change: (URLSessionConfiguration) -> Void = { _ in }
    ) -> Session {
        Self.session(servers, engine, interceptor: interceptor, trust: trust, monitors: monitors, change)
    }

    private static func session(
        _ servers: DemoServers,
        _ engine: ConnectionOptions.Engine,
        interceptor: (any RequestInterceptor)? = nil,
        trust: ServerTrustManager? = nil,
        monitors: [any EventMonitor] = [],
        _ change: (URLSessionConfiguration) -> Void
    ) -> Session {
        let configuration = URLSessionConfiguration.ephemeral
        configuration.headers = .default
        var options = TransportOptions()
        options.tls.roots = .pemFile(path: servers.root)
        options.proxy = ProxyPolicy.none
        configuration.transportOptions = options
        change(configuration)
        return Session(
            transport: engine.makeTransport(),
            configuration: configuration,
            interceptor: interceptor,
            serverTrustManager: trust,
            eventMonitors: monitors
        )
    }
}

/// A scene that did not go as it should.
struct DemoError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// Fails the scene unless `condition` holds.
func check(_ condition: Bool, _ message: @autoclosure () -> String) throws {
    guard condition else { throw DemoError(message()) }
}
