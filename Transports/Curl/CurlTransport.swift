public import AirframeTransport
internal import AirframeWire
internal import FoundationEssentials
internal import HTTPTypes

/// Sends requests with libcurl: HTTP/1.1 and HTTP/2, TLS by OpenSSL, all kinds of proxies, on one thread.
///
/// Everything that libcurl would do above one exchange is switched off: it follows no redirects, keeps no cookies,
/// decodes no content and reads no `.netrc`. It answers challenges of servers only if
/// ``TransportOptions/connectionAuthentication`` says so.
///
/// The thread starts with the first request. It ends when the transport has been released and its last exchange has
/// ended. Event sinks are called on that thread or on the caller's, one call at a time. They must not block.
public final class CurlTransport: Transport {
    private let configuration: Configuration
    private let loop: Result<EventLoop, TransportError>
    private let memo = OriginMemo()
    private let environment = EnvironmentProxies()

    /// Creates a transport. It opens two descriptors for the loop; `send` throws the error if that fails.
    public init(configuration: Configuration = Configuration()) {
        self.configuration = configuration
        loop = Result { () throws(TransportError) in try EventLoop(configuration) }
    }

    deinit {
        if case .success(let loop) = loop { loop.submit(.retire) }
    }

    /// The capabilities of the installed libcurl.
    public var capabilities: TransportCapabilities { CurlLibrary.capabilities }

    /// The clock of the configuration.
    public var clock: any TransportClock { configuration.clock }

    /// Sends `request`; returns once the final response head has arrived.
    ///
    /// - Throws: A ``TransportError``. Cancelling the task ends the exchange immediately: an HTTP/1.1 connection is
    ///   closed, an HTTP/2 stream reset.
    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        let exchange = try makeExchange(of: request)
        let start = try await exchange.start().get()
        return TransportResponse(
            head: start.head,
            body: exchange.makeBody(start),
            connection: start.connection,
            answering: exchange.plan.request
        )
    }

    private func makeExchange(of request: TransportRequest) throws(TransportError) -> Exchange {
        var request = request.prepared(with: configuration.defaultOptions, on: clock)
        do throws(TransportError) {
            try capabilities.accept(&request, on: clock)
            return try Exchange(try RequestPlan(request, memo: memo, environment), loop: try loop.get())
        } catch {
            request.report(.started(request.head), on: clock)
            throw request.failed(error, on: clock)
        }
    }

    /// Waits for exchanges in flight to end and closes idle connections. Later requests fail with
    /// ``TransportError/Code/transportShutDown``.
    public func shutdown() async {
        guard case .success(let loop) = loop else { return }
        await withUnsafeContinuation { continuation in
            if !loop.submit(.shutDown(continuation)) { continuation.resume() }
        }
    }
}
