/// The names of metrics and the labels of their series.
///
/// Every label has few values, whatever servers and users send, because most back ends keep a series forever.
public struct MetricsConfiguration: Sendable {
    /// The servers with their own series. All others share `_OTHER`.
    public enum Servers: Sendable {
        /// The first servers that requests go to, each a host and a port.
        case first(Int)
        /// These hosts, in lower case.
        case listed(Set<String>)
        /// No servers.
        case none
    }

    /// The status in series of responses.
    public enum StatusLabel: Sendable {
        /// The code: `404`.
        case code
        /// The class: `4xx`.
        case `class`
    }

    /// The prefix of all names, without the dot after it.
    public var prefix: String
    /// The servers with their own series.
    public var servers: Servers
    /// The status in series of responses.
    public var statusLabel: StatusLabel

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - prefix: The prefix of all names: `http.client` by default, as in OpenTelemetry's conventions.
    ///   - servers: The servers with their own series: the first hundred by default.
    ///   - statusLabel: The status in series of responses: the code by default.
    public init(prefix: String = "http.client", servers: Servers = .first(100), statusLabel: StatusLabel = .code) {
        self.prefix = prefix
        self.servers = servers
        self.statusLabel = statusLabel
    }
}
