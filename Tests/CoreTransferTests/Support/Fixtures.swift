import Airframe
import AirframeTestSupport
import Foundation

/// A session that trusts the peers' root and no proxy of the environment.
func makeSession() throws -> Session {
    let configuration = URLSessionConfiguration.af.default
    var options = TransportOptions()
    options.proxy = ProxyPolicy.none
    if let root = try? Peers.running?.path("root") { options.tls.roots = .pemFile(path: root) }
    configuration.transportOptions = options
    return Session(configuration: configuration)
}
