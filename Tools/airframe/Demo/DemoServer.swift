import Airframe
import Foundation

/// The servers that the demo plays against.
struct DemoServer: Sendable {
    /// A session that trusts the servers' own root certificate.
    let session: Session
    /// Plain HTTP.
    let http: String
    /// HTTPS with a good certificate.
    let https: String
    /// HTTPS with a certificate that has expired.
    let expired: String
    /// The engine's name.
    let engine: String

    /// Reads the description that the peers' starter writes.
    init(describedAt path: String) throws {
        let description = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: path)))
        guard let peers = description as? [String: Any], let http = peers["http"] as? Int,
            let https = peers["https"] as? Int, let expired = peers["httpsExpired"] as? Int,
            let root = peers["root"] as? String
        else { throw DemoError("\(path) does not describe the servers of the demo") }
        let configuration = URLSessionConfiguration.af.default
        var options = TransportOptions()
        options.tls.roots = .pemFile(path: root)
        options.proxy = ProxyPolicy.none
        configuration.transportOptions = options
        session = Session(configuration: configuration)
        engine = session.transport.capabilities.engine
        self.http = "http://127.0.0.1:\(http)"
        self.https = "https://localhost:\(https)"
        self.expired = "https://localhost:\(expired)"
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
