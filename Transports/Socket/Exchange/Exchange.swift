internal import AirframeOpenSSL
internal import AirframeTransport
internal import FoundationEssentials
internal import HTTPTypes
internal import Synchronization

/// One exchange: its limits, its events and its repetition. How a request and a response look on the wire is the
/// business of a ``MessageStream``.
///
/// One task at a time runs it: the one that sends, and after it the one that reads the body. That task owns everything
/// here that is not a constant or behind a lock, the lease included.
///
/// `@unchecked Sendable`: ``gate`` lets one task in at a time, once the sender has left; other tasks only record there
/// why the exchange is to end.
final class Exchange: @unchecked Sendable {
    let plan: RequestPlan
    let engine: Engine
    let limits: ExchangeLimits
    let reporter: ExchangeReporter

    /// Whether a server has refused the request over HTTP/2 (`HTTP_1_1_REQUIRED`, RFC 9113 §7).
    private(set) var isHTTP1Required = false
    /// Whether a server has answered 421.
    var misdirection = Misdirection.none
    var stage = Stage.pool
    /// When the stage began, or the last sign of life within it. Kept only if there are limits.
    var since: Int64
    var lease: Lease?
    var upload = UploadState.none
    var response = ResponseState.awaited
    /// Content that was received and not pulled yet.
    var pending: Data?
    /// Ends the exchange at its deadline while no task waits for the connection.
    var deadlineAlarm: Alarm?
    // Guards which task runs the exchange once its head was delivered.
    let gate = Mutex(ExchangeGate())

    /// Makes an exchange of `request`.
    ///
    /// - Throws: What makes the request impossible to send, before anything is sent.
    init(_ request: borrowing TransportRequest, _ engine: Engine) throws(TransportError) {
        plan = try RequestPlan(request, engine)
        self.engine = engine
        limits = ExchangeLimits(request, clock: engine.configuration.clock)
        since = limits.start
        reporter = ExchangeReporter(request, engine)
        guard engine.beginExchange() else {
            throw plan.error(.transportShutDown, phase: .options, message: "the transport was shut down")
        }
    }

    // MARK: The version

    /// Which versions of HTTP the connection may speak.
    var offer: VersionOffer { isHTTP1Required ? .http1 : plan.offer }

    /// Has the request go over HTTP/1.1. Returns whether its options allow that.
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

    /// Goes on to a stage that shares its limit with the one before.
    func advance(to next: Stage) { stage = next }

    /// Records a sign of life: the limit of the stage starts anew.
    func noteProgress() { since = limits.start }

    /// Reports what has happened.
    func emit(_ kind: @autoclosure () -> TransportEvent.Kind) { reporter.report(kind()) }

    // MARK: Errors

    /// Whether the server can have acted on the request.
    var processing: TransportError.Processing { lease?.stream.hasSent == true ? .unknown : .notSent }

    /// An error in the present stage.
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

    /// The error of a wait that ended without what it waited for.
    func interruption(_ end: Socket.WaitEnd) -> TransportError? {
        switch end {
        case .ready: nil
        case .cancelled: .cancelled(in: stage.phase, processing: processing, origin: plan.origin)
        case .timeUp: error(.timedOut, limits.text(in: stage))
        case .failed(let code):
            error(.engineFailure, "the socket cannot be waited for", library: SystemError.text(code))
        }
    }

    /// The error of a stream that cannot go on.
    func error(of failure: StreamFailure) -> TransportError {
        switch failure {
        case .lost(let code, let words): lost(code, words)
        case .failed(let error): error
        }
    }

    /// The connection broke, with the system's error, and OpenSSL's words if it was TLS that failed.
    func lost(_ code: Int32, _ words: String? = nil) -> TransportError {
        if let words, OpenSSLError.blamesIdentity(words) {
            // With TLS 1.3 the server judges the client after the handshake.
            return TransportError(
                .clientIdentityRefused,
                phase: .tls,
                processing: .notProcessed,
                message: "the server wants a client certificate that it trusts",
                origin: plan.origin,
                libraryMessage: "OpenSSL: \(words)"
            )
        }
        let message =
            switch stage {
            case .body: "the connection was lost within the response's body"
            case .head: "the connection was lost within the response's head"
            case .send: "the connection was lost while the request was sent"
            default: "the connection was lost before a response came"
            }
        return error(.connectionLost, message, library: words.map { "OpenSSL: \($0)" } ?? SystemError.text(code))
    }
}
