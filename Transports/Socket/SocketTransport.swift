public import AirframeTransport
internal import FoundationEssentials
internal import HTTPTypes

/// Sends requests over sockets of its own: HTTP/1.1, TLS by OpenSSL, all kinds of proxies. The fast engine.
///
/// The proxies of the environment are read when the transport is made. Names of hosts have to be in their ASCII form
/// (`xn--…`, RFC 5890 §2.3.2.1), which is what URL types make of them.
///
/// It follows no redirect, keeps no cookie, answers no challenge of a server and decodes no content: layers do that.
///
/// A request is written by the task that sends it, and its response read by the task that waits for it. One thread, the
/// reactor, says when a socket is ready. It starts with the first connection and ends when the transport has been
/// dropped and its last exchange is over. Event sinks are called on whichever thread moves the exchange on, one call at
/// a time: they must not block.
public final class SocketTransport: Transport {
    static let engineName = "socket"

    private let configuration: Configuration
    let engine: Result<Engine, TransportError>

    /// Makes a transport. Nothing is opened but two descriptors for the reactor; what they fail with, `send` throws.
    public init(configuration: Configuration = Configuration()) {
        self.configuration = configuration
        engine = Result { () throws(TransportError) in try Engine(configuration) }
    }

    deinit {
        if case .success(let engine) = engine { engine.retire() }
    }

    /// What the engine can do.
    public var capabilities: TransportCapabilities { Self.capabilities }

    /// The clock of the configuration.
    public var clock: any TransportClock { configuration.clock }

    /// Sends `request`; returns once the final response head has arrived.
    ///
    /// If the request asks for an ``UpgradeProtocol`` and the peer agrees, deadline and limits end with the response's
    /// head. The event ``TransportEvent/Kind/released(_:)`` comes when the stream is closed or dropped. An upgrade
    /// passes an HTTP proxy through a tunnel.
    ///
    /// - Throws: A ``TransportError``. Cancelling the task ends the exchange at once and closes its connection.
    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        try await makeExchange(of: request).send()
    }

    /// Opens a connection that a later request like `request` can use, and keeps it as long as an idle one.
    ///
    /// - Returns: The connection, newly opened or one that was idle or has room for another stream.
    /// - Throws: What ``send(_:)`` throws up to the same point.
    public func prepare(_ request: TransportRequest) async throws(TransportError) -> TransportConnection {
        var request = request
        (request.body, request.upgrade) = (.none, nil)
        return try await makeExchange(of: request).openConnection()
    }

    private func makeExchange(of request: TransportRequest) throws(TransportError) -> Exchange {
        var request = request.withDefaults(configuration.defaultOptions, on: clock)
        do throws(TransportError) {
            return try makeExchange(&request)
        } catch {
            request.report(.started(request.head), on: clock)
            throw request.failed(error, on: clock)
        }
    }

    private func makeExchange(_ request: inout TransportRequest) throws(TransportError) -> Exchange {
        try Self.capabilities.accept(&request, on: clock)
        return try Exchange(request, try engine.get())
    }

    /// Lets what is in flight end and closes what is idle. Requests that come later fail with
    /// ``TransportError/Code/transportShutDown``.
    public func shutdown() async {
        guard case .success(let engine) = engine else { return }
        await engine.shutDown()
    }

    /// The reactor's own thread as an executor: a task that prefers it waits for its connections without changing
    /// threads, which saves the last microseconds of a request.
    ///
    /// It is one thread: what blocks or computes for long on it holds up all exchanges of the transport. Keep the
    /// transport for as long as tasks prefer it. `nil` when the transport could not be made.
    public var executor: (any TaskExecutor)? {
        guard case .success(let engine) = engine else { return nil }
        return engine.executor
    }

    /// The connections at this moment.
    public var statistics: PoolStatistics {
        guard case .success(let engine) = engine else {
            return PoolStatistics(connectionCount: 0, idleConnectionCount: 0, waitingRequestCount: 0)
        }
        return engine.pool.statistics
    }
}
