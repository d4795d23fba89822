public import AirframeTransport
internal import FoundationEssentials
internal import HTTPTypes

/// A transport over its own sockets: HTTP/1.1 and HTTP/2, TLS by OpenSSL, every kind of proxy. The default engine.
///
/// The transport reads the environment's proxies once, in its initializer. Host names must be in their ASCII form
/// (`xn--…`, RFC 5890 §2.3.2.1), as URL types produce them.
///
/// The transport follows no redirects, stores no cookies, answers no authentication challenges and decodes no content:
/// layers do that.
///
/// The task that sends a request writes it, and the task that waits for the response reads it. One thread, the reactor,
/// reports which sockets are ready. It starts with the first connection and ends when the transport has been released
/// and its last exchange is over. Event sinks are called on the thread that advances the exchange, one call at a time.
/// They must not block.
public final class SocketTransport: Transport {
    static let engineName = "socket"

    private let configuration: Configuration
    let engine: Result<Engine, TransportError>

    /// Creates a transport. Only the reactor's two descriptors are opened; if that fails, `send` throws the error.
    public init(configuration: Configuration = Configuration()) {
        self.configuration = configuration
        engine = Result { () throws(TransportError) in try Engine(configuration) }
    }

    deinit {
        if case .success(let engine) = engine { engine.retire() }
    }

    /// The features that the engine supports.
    public var capabilities: TransportCapabilities { Self.capabilities }

    /// The clock of the configuration.
    public var clock: any TransportClock { configuration.clock }

    /// Sends `request`; returns once the final response head has arrived.
    ///
    /// If the request asks for an ``UpgradeProtocol`` and the peer accepts, deadline and limits stop applying after the
    /// response head, and ``TransportEvent/Kind/released(_:)`` is reported when the stream is closed or released. An
    /// upgrade passes through an HTTP proxy in a tunnel.
    ///
    /// - Throws: A ``TransportError``. Cancelling the task ends the exchange immediately and closes its connection.
    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        try await makeExchange(of: request).send()
    }

    /// Opens a connection that a later request like `request` can use, and keeps it as long as an idle connection.
    ///
    /// - Returns: The connection: a new one, an idle one, or one with room for another stream.
    /// - Throws: The errors that ``send(_:)`` throws before it has a connection.
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
        let traits = try Self.capabilities.acceptance(of: &request, on: clock)
        return try Exchange(request, traits, try engine.get())
    }

    /// Closes idle connections and returns when the exchanges in flight have ended. Later requests fail with
    /// ``TransportError/Code/transportShutDown``.
    public func shutdown() async {
        guard case .success(let engine) = engine else { return }
        await engine.shutDown()
    }

    /// The reactor's thread as an executor. A task that prefers it waits for its connections without changing threads.
    ///
    /// The executor has a single thread: code that blocks or computes for long on it delays every exchange of the
    /// transport. Keep the transport for as long as tasks prefer its executor. `nil` if the reactor could not be
    /// created.
    public var executor: (any TaskExecutor)? {
        guard case .success(let engine) = engine else { return nil }
        return engine.executor
    }

    /// A snapshot of the connection pool.
    public var statistics: PoolStatistics {
        guard case .success(let engine) = engine else {
            return PoolStatistics(connectionCount: 0, idleConnectionCount: 0, waitingRequestCount: 0)
        }
        return engine.pool.statistics
    }
}
