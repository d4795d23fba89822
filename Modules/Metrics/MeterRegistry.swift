internal import AirframeTransport
internal import CoreMetrics
internal import HTTPTypes
internal import Synchronization

/// All metrics of a monitor, each created once.
///
/// The registry finds the meters of a server, and these find a series by a few small numbers. Names and labels are
/// combined only when a series is created.
final class MeterRegistry: Sendable {
    /// The identity of a connection. Numbers are unique within an engine; the addresses distinguish engines.
    struct ConnectionKey: Hashable {
        let id: UInt64
        let local: SocketAddress?
        let remote: SocketAddress?

        init(_ connection: TransportConnection) {
            (id, local, remote) = (connection.id, connection.localAddress, connection.remoteAddress)
        }
    }

    /// A connection with exchanges, and the meters that count it. HTTP/2 connections can be shared by several servers.
    struct OpenConnection {
        fileprivate(set) var exchanges: Int
        fileprivate let server: ServerMeters
        fileprivate let version: HTTPVersion

        /// The gauge that counts the connection.
        var gauge: Meter { server.open(version) }
    }

    private struct Place: Hashable {
        let host: String
        let port: Int
    }

    private struct Tables {
        var servers: [Place: ServerMeters] = [:]
        var errorTypes: Set<String> = []
        /// The connections with exchanges: with HTTP/2 several on each.
        var connections: [ConnectionKey: OpenConnection] = [:]
    }

    /// The maximum number of error kinds with their own series. This library has about thirty; other libraries may
    /// add some.
    private static let errorTypeLimit = 64

    let configuration: MetricsConfiguration
    private let factory: any MetricsFactory
    /// The meters of servers without their own meters.
    let others: ServerMeters
    // Guards the tables of names. No metric is created or changed while the lock is held.
    private let tables = Mutex(Tables())

    init(factory: any MetricsFactory, configuration: MetricsConfiguration) {
        self.factory = factory
        self.configuration = configuration
        others = ServerMeters(nil, configuration, factory)
    }

    /// Returns the meters of the server that `head` is sent to.
    func server(of head: HTTPRequest) -> ServerMeters {
        guard let origin = Origin(head) else { return others }
        let limit: Int
        switch configuration.servers {
        case .none: return others
        case .listed(let hosts):
            guard hosts.contains(origin.host) else { return others }
            // A listed host has 65,535 ports.
            limit = max(100, hosts.count)
        case .first(let count): limit = count
        }
        let place = Place(host: origin.host, port: origin.port)
        let (known, isFull) = tables.withLock { ($0.servers[place], $0.servers.count >= limit) }
        if known != nil || isFull { return known ?? others }
        // Creating meters has no effect until a series is requested, so an unused object does no harm.
        let new = ServerMeters(origin, configuration, factory)
        return tables.withLock { tables in
            if let known = tables.servers[place] { return known }
            guard tables.servers.count < limit else { return others }
            tables.servers[place] = new
            return new
        }
    }

    /// Returns the name of a kind of error; `_OTHER` if there are too many.
    func errorType(_ name: String) -> String {
        tables.withLock { tables in
            if tables.errorTypes.contains(name) { return name }
            guard tables.errorTypes.count < Self.errorTypeLimit else { return HTTPRequest.Method.otherName }
            tables.errorTypes.insert(name)
            return name
        }
    }

    /// Records that an exchange with `server` runs on a connection.
    ///
    /// - Returns: The connection if the exchange is the only one on it: its gauge is to be incremented.
    func begin(on connection: TransportConnection, with server: ServerMeters) -> OpenConnection? {
        tables.withLock { tables in
            let key = ConnectionKey(connection)
            guard tables.connections[key] == nil else {
                tables.connections[key]?.exchanges += 1
                return nil
            }
            let new = OpenConnection(exchanges: 1, server: server, version: connection.httpVersion)
            tables.connections[key] = new
            return new
        }
    }

    /// Records that an exchange leaves its connection.
    ///
    /// - Returns: The connection if the exchange was the last one on it: its gauge is to be decremented.
    func end(on connection: TransportConnection) -> OpenConnection? {
        tables.withLock { tables in
            let key = ConnectionKey(connection)
            guard let open = tables.connections[key] else { return nil }
            guard open.exchanges == 1 else {
                tables.connections[key]?.exchanges -= 1
                return nil
            }
            return tables.connections.removeValue(forKey: key)
        }
    }
}
