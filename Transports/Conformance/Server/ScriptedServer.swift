internal import Glibc
internal import Synchronization

/// A server that sends bytes at the times that its script names, as no well-behaved server would.
///
/// Each connection runs the script on a separate thread, with plain blocking sockets on the loopback address.
///
/// ```swift
/// let server = try ScriptedServer { connection in
///     _ = try connection.readHead()
///     try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc")
///     connection.reset()
/// }
/// ```
public final class ScriptedServer: Sendable {
    /// The script of each connection. An error closes the connection and is recorded in ``failures``.
    public typealias Script = @Sendable (ScriptedConnection) throws -> Void

    private struct ServerState {
        var connections: [ScriptedConnection] = []
        var failures: [String] = []
        var isStopped = false
    }

    /// The port on 127.0.0.1.
    public let port: Int
    private let listener: Int32
    private let script: Script
    // Guards the records of the connections.
    private let state = Mutex(ServerState())

    /// Starts a server.
    ///
    /// - Parameters:
    ///   - backlog: The number of connections that the kernel may queue before they are accepted.
    ///   - script: The script of each connection.
    /// - Throws: ``ScriptError`` if no socket can be opened.
    public init(backlog: Int32 = 1024, _ script: @escaping Script) throws {
        self.script = script
        listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard listener >= 0 else { throw ScriptError.system("socket") }
        guard let port = Self.listen(on: listener, backlog: backlog) else {
            let error = ScriptError.system("listen")
            close(listener)
            throw error
        }
        self.port = port
        let unretained = WeakServer(server: self)
        let descriptor = listener
        try Thread.detach { Self.accept(on: descriptor, for: unretained) }
    }

    deinit {
        stop()
    }

    /// `http://127.0.0.1:port`.
    public var origin: String { "http://127.0.0.1:\(port)" }

    /// All connections so far, in the order of their arrival.
    public var connections: [ScriptedConnection] { state.withLock { $0.connections } }

    /// The errors of scripts, with the numbers of their connections.
    public var failures: [String] { state.withLock { $0.failures } }

    /// Closes the listener and all connections.
    public func stop() {
        let connections = state.withLock { state -> [ScriptedConnection]? in
            guard !state.isStopped else { return nil }
            state.isStopped = true
            return state.connections
        }
        guard let connections else { return }
        // Wakes the accepting thread, which closes the descriptor. If it were closed here, another descriptor could get
        // its number.
        shutdown(listener, Int32(SHUT_RDWR))
        for connection in connections { connection.interrupt() }
    }

    private func take(_ descriptor: Int32) {
        let connection = state.withLock { state -> ScriptedConnection? in
            guard !state.isStopped else { return nil }
            let connection = ScriptedConnection(descriptor, index: state.connections.count)
            state.connections.append(connection)
            return connection
        }
        guard let connection else {
            close(descriptor)
            return
        }
        let unretained = WeakServer(server: self)
        do {
            try Thread.detach { [script] in
                do {
                    try script(connection)
                } catch {
                    unretained.server?.fail("connection \(connection.index): \(error)")
                }
                connection.finish()
            }
        } catch {
            connection.finish()
        }
    }

    private func fail(_ message: String) {
        state.withLock { $0.failures.append(message) }
    }

    private static func listen(on descriptor: Int32, backlog: Int32) -> Int? {
        guard let port = Loopback.bind(descriptor), Glibc.listen(descriptor, backlog) == 0 else { return nil }
        return port
    }

    private static func accept(on listener: Int32, for unretained: WeakServer) {
        while true {
            let descriptor = Glibc.accept(listener, nil, nil)
            if descriptor < 0, errno == EINTR || errno == ECONNABORTED { continue }
            guard descriptor >= 0, let server = unretained.server else {
                if descriptor >= 0 { close(descriptor) }
                break
            }
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            server.take(descriptor)
        }
        close(listener)
    }
}

/// Lets the threads of a server see it without keeping it alive.
private struct WeakServer: Sendable {
    weak let server: ScriptedServer?
}

/// The error of a script that cannot continue.
public struct ScriptError: Error, CustomStringConvertible {
    /// The reason.
    public let description: String

    init(_ description: String) { self.description = description }

    static func system(_ call: String) -> ScriptError { ScriptError("\(call): \(String(cString: strerror(errno)))") }
}
