internal import Glibc
internal import Synchronization

/// A peer over plain sockets on the loopback address, which plays its scenario byte for byte.
public final class RawPeer: ConformancePeer {
    private enum Place {
        case server(ScriptedServer)
        case closed(ClosedPort)
        case full(FullListener)
        case nowhere
    }

    /// The host and the port.
    public let authority: String
    /// The marks that are set and the gates that are open.
    public let signals = PeerSignals()
    private let place: Place
    private let log: RawPeerLog

    /// Starts a peer.
    ///
    /// - Throws: ``ScriptError`` if no socket can be opened.
    public init(_ scenario: PeerScenario) throws {
        let log = RawPeerLog()
        self.log = log
        switch scenario.place {
        case .listening:
            let processes = try scenario.tls.map { try TLSProcesses($0) }
            let server = try ScriptedServer { [signals] connection in
                let steps = scenario.steps(for: connection.index)
                guard let processes else {
                    return try PeerScript(connection, signals: signals, log: log).run(steps)
                }
                let front = try TLSFront(connection, processes.next()) { hello in
                    log.note(connection.index) { observed in
                        observed.serverName = hello.serverName
                        observed.offeredProtocols = hello.protocols
                    }
                }
                defer { front.finish() }
                try PeerScript(front.plain, front: front, signals: signals, log: log).run(steps)
            }
            place = .server(server)
            authority = "127.0.0.1:\(server.port)"
        case .refusing:
            let port = try ClosedPort()
            place = .closed(port)
            authority = "127.0.0.1:\(port.number)"
        case .swallowing:
            let listener = try FullListener()
            place = .full(listener)
            authority = "127.0.0.1:\(listener.port)"
        case .nameless:
            // RFC 6761 §6.4: no such name exists.
            place = .nowhere
            authority = "nowhere.invalid:80"
        }
    }

    deinit { stop() }

    /// The connections so far.
    public var connections: [PeerConnection] {
        guard case .server(let server) = place else { return [] }
        return server.connections.map { connection in
            var observed = log.observed(connection.index)
            observed.sentCount = connection.sentCount
            observed.clientAddress = connection.clientAddress
            return observed
        }
    }

    /// Closes the listener and all connections.
    public func stop() {
        signals.stop()
        if case .server(let server) = place { server.stop() }
    }
}

/// The TLS processes of a peer's connections. The first one is started in advance, so that starting a process does not
/// use up an engine's limit on the handshake.
private final class TLSProcesses: Sendable {
    private let tls: PeerTLS
    // Guards the process for the first connection.
    private let first: Mutex<TLSProcess?>
    // Guards the process whose sessions the second connection may resume.
    private let shared: Mutex<TLSProcess?>

    init(_ tls: PeerTLS) throws {
        self.tls = tls
        let process = try TLSProcess(tls)
        first = Mutex(process)
        shared = Mutex(tls.resumes ? process : nil)
    }

    deinit {
        shared.withLock(\.self)?.endUnused()
        guard let unused = first.withLock({ $0 }) else { return }
        unused.end()
        close(unused.plain)
    }

    func next() throws -> TLSProcess {
        let ready = first.withLock { first in
            defer { first = nil }
            return first
        }
        if let ready { return ready }
        let known = shared.withLock { shared in
            defer { shared = nil }
            return shared
        }
        return try known.map { try TLSProcess(next: $0) } ?? TLSProcess(tls)
    }
}

/// The records of a peer's scripts.
final class RawPeerLog: Sendable {
    // Guards the records of the connections.
    private let connections = Mutex<[Int: PeerConnection]>([:])

    func observed(_ index: Int) -> PeerConnection {
        connections.withLock { $0[index] ?? PeerConnection() }
    }

    func note(_ index: Int, _ change: (inout PeerConnection) -> Void) {
        connections.withLock { change(&$0[index, default: PeerConnection()]) }
    }
}
