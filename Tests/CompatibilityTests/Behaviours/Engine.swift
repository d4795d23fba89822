import Airframe
import AirframeCore
import AirframeTestSupport
import AirframeTransport
import Foundation
import Testing

extension TestedEngine {
    /// A session that trusts the peers' root and uses no proxy.
    func session(
        configuration: URLSessionConfiguration = .af.default,
        delegate: SessionDelegate = SessionDelegate(),
        startRequestsImmediately: Bool = true,
        requestSetup: Session.RequestSetup = .lazy,
        interceptor: (any RequestInterceptor)? = nil,
        serverTrustManager: ServerTrustManager? = nil,
        eventMonitors: [any EventMonitor] = []
    ) -> Session {
        var options = TransportOptions()
        options.proxy = ProxyPolicy.none
        if let root = try? Peers.running?.path("root") { options.tls.roots = .pemFile(path: root) }
        configuration.transportOptions = options
        return Session(
            transport: transport,
            configuration: configuration,
            delegate: delegate,
            startRequestsImmediately: startRequestsImmediately,
            requestSetup: requestSetup,
            interceptor: interceptor,
            serverTrustManager: serverTrustManager,
            eventMonitors: eventMonitors
        )
    }
}

/// Returns a URL of the local server.
func hangar(_ path: String = "") throws -> String { try Peers.required().http("hangar") + path }

/// The local server's echo of a request.
struct Echoed: Decodable, Sendable {
    let form: [String: String]
    let headers: [String: String]

    func header(_ name: String) -> String? { headers.first { $0.key.lowercased() == name }?.value }
}
