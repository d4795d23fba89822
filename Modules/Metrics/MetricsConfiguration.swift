/// What metrics are called, and what tells their series apart.
///
/// Every label has few values, whatever servers and users send: a series that is made once is kept by most back ends for
/// ever.
public struct MetricsConfiguration: Sendable {
    /// Which servers have series of their own. All others share `_OTHER`.
    public enum Servers: Sendable {
        /// The first ones that requests go to, a host and a port each.
        case first(Int)
        /// These hosts, in lower case.
        case listed(Set<String>)
        /// None.
        case none
    }

    /// What series of responses tell of the status.
    public enum StatusLabel: Sendable {
        /// Its code: `404`.
        case code
        /// Its class: `4xx`.
        case `class`
    }

    /// What all names begin with, without the dot after it.
    public var prefix: String
    /// Which servers have series of their own.
    public var servers: Servers
    /// What series of responses tell of the status.
    public var statusLabel: StatusLabel

    /// Decides on names and labels.
    ///
    /// - Parameters:
    ///   - prefix: What all names begin with: `http.client`, as OpenTelemetry's conventions have it.
    ///   - servers: Which servers have series of their own: the first hundred.
    ///   - statusLabel: What series of responses tell of the status: its code.
    public init(prefix: String = "http.client", servers: Servers = .first(100), statusLabel: StatusLabel = .code) {
        self.prefix = prefix
        self.servers = servers
        self.statusLabel = statusLabel
    }
}
