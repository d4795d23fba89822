internal import AirframeOpenSSL
internal import AirframeTransport
internal import FoundationEssentials
internal import HTTPTypes
internal import Synchronization

/// One exchange: its limits, events and retries. A ``MessageStream`` encodes the request and decodes the response.
///
/// One task at a time runs an exchange: first the task that sends, then the task that reads the body. The running task
/// owns every variable that is not a constant or guarded by a lock, the lease included.
///
/// `@unchecked Sendable`: once the sender has returned, ``gate`` admits one task at a time. Other tasks only record in
/// the gate why the exchange must end.
final class Exchange: @unchecked Sendable {
    let plan: RequestPlan
    let engine: Engine
    let limits: ExchangeLimits
    let reporter: ExchangeReporter

    /// Whether a server has rejected the request over HTTP/2 (`HTTP_1_1_REQUIRED`, RFC 9113 §7).
    private(set) var isHTTP1Required = false
    /// The progress of the retry after a 421.
    var misdirection = Misdirection.none
    var stage = Stage.pool
    /// When the stage began or last made progress. Maintained only if the request has limits.
    var since: Int64
    var lease: Lease?
    /// The head as it was checked before a connection was opened, until the request begins.
    var checkedHead: CheckedHead?
    var upload = UploadState.none
    var response = ResponseState.awaited
    /// Content that was received and has not been pulled yet.
    var pending: Data?
    /// The alarm that ends the exchange at its deadline while no task is waiting for the connection.
    var deadlineAlarm: Alarm?
    // Guards which task runs the exchange after the response head was delivered.
    let gate = Mutex(ExchangeGate())

    /// Creates the exchange of `request`, of which `traits` are set.
    ///
    /// - Throws: A ``TransportError`` if the request cannot be sent. Nothing has been sent then.
    init(_ request: TransportRequest, _ traits: RequestTraits, _ engine: Engine) throws(TransportError) {
        // Both arguments are stored by their last use, which moves instead of copying them.
        limits = ExchangeLimits(request, traits, clock: engine.configuration.clock)
        since = limits.start
        reporter = ExchangeReporter(request, engine)
        plan = try RequestPlan(request, traits, engine.destinations)
        guard engine.beginExchange() else {
            throw plan.error(.transportShutDown, phase: .options, message: "the transport was shut down")
        }
        self.engine = engine
    }

    // MARK: The version

    /// The HTTP versions that the connection may speak.
    var offer: VersionOffer { isHTTP1Required ? .http1 : plan.offer }

    /// Restricts the request to HTTP/1.1. Returns whether its options allow that.
    func requireHTTP1() -> Bool {
        guard plan.offer == .automatic || plan.extendedConnectKey != nil, !isHTTP1Required else { return false }
        isHTTP1Required = true
        return true
    }

    // MARK: Stages and events

    func enter(_ next: Stage) {
        stage = next
        since = limits.start
    }

    /// Enters a stage that shares its limit with the previous stage.
    func advance(to next: Stage) { stage = next }

    /// Restarts the limit of the stage.
    func noteProgress() { since = limits.start }

    /// Reports an event. Not inlined, so that the event is not in the frame of an asynchronous function.
    @inline(never)
    func emit(_ kind: @autoclosure () -> TransportEvent.Kind) { reporter.report(kind()) }

    // MARK: Errors

    /// Whether the server may have processed the request.
    var processing: TransportError.Processing { lease?.stream.hasSent == true ? .unknown : .notSent }

    /// Returns an error of the current stage.
    func error(
        _ code: TransportError.Code,
        _ message: String,
        library: String? = nil,
        underlying: (any Error)? = nil
    ) -> TransportError {
        TransportError(
            code,
            phase: stage.phase,
            processing: processing,
            message: message,
            origin: plan.origin,
            libraryMessage: library,
            underlying: underlying
        )
    }

    /// Returns the error of a wait that was cancelled, timed out or failed; `nil` if the socket is ready.
    func interruption(_ end: Socket.WaitEnd) -> TransportError? {
        if case .ready = end { nil } else { error(of: end) }
    }

    // Not inlined: the error is rarely needed, and inlining would put it into the frame of every function that waits.
    @inline(never)
    private func error(of end: Socket.WaitEnd) -> TransportError? {
        switch end {
        case .ready: nil
        case .cancelled: .cancelled(in: stage.phase, processing: processing, origin: plan.origin)
        case .timeUp: error(.timedOut, limits.text(in: stage))
        case .failed(let code):
            error(.engineFailure, "waiting for the socket failed", library: SystemError.text(code))
        }
    }

    /// Returns the error of a failed stream.
    func error(of failure: StreamFailure) -> TransportError {
        switch failure {
        case .lost(let code, let words): lost(code, words)
        case .failed(let error): error
        }
    }

    /// Returns the error of a lost connection, with the system's error code, and OpenSSL's message if TLS failed.
    func lost(_ code: Int32, _ words: String? = nil) -> TransportError {
        if let words, OpenSSLError.blamesIdentity(words) {
            // In TLS 1.3 the server checks the client certificate after the client has finished its handshake.
            return TransportError(
                .clientIdentityRefused,
                phase: .tls,
                processing: .notProcessed,
                message: "the server requires a client certificate that it trusts",
                origin: plan.origin,
                libraryMessage: "OpenSSL: \(words)"
            )
        }
        let message =
            switch stage {
            case .body: "the connection was lost within the response body"
            case .head: "the connection was lost within the response head"
            case .send: "the connection was lost while the request was being sent"
            default: "the connection was lost before a response arrived"
            }
        return error(.connectionLost, message, library: words.map { "OpenSSL: \($0)" } ?? SystemError.text(code))
    }
}
