internal import AirframeOpenSSL
internal import AirframeTransport
internal import FoundationEssentials
internal import HTTPTypes
internal import Synchronization

/// One exchange: a request on its way out, and its response on its way in.
///
/// It has one task at a time: the one that sends, and after it the one that reads the body. That task owns everything
/// here that is not a constant or behind a lock, the connection included.
///
/// `@unchecked Sendable`: ``gate`` lets one task in at a time, once the sender has left; others only leave word there.
final class Exchange: @unchecked Sendable {
    let plan: RequestPlan
    let engine: Engine
    let limits: ExchangeLimits
    let outlet: EventOutlet?

    var stage = Stage.pool
    /// When the stage began, or the last sign of life within it. Kept only if there are limits.
    var since: Int64
    var connection: Connection?
    /// What the response says of its connection.
    var information: TransportConnection?
    var entry: PoolEntry?
    /// The content, opened, until it is on its way.
    var upload: UploadContent?
    var uploader: Uploader?
    /// What goes out first: the head, and small content behind it; and how much of it is written.
    var outgoing: [UInt8] = []
    var writtenCount = 0
    /// Whether a byte of the request has left.
    var hasSent = false
    /// The final response's head, and how its content is framed.
    var head: HTTPResponse?
    var framing = HTTP1Framing.none
    /// Content that has come and was not asked for yet: what came with the head.
    var pending: Data?
    var receivedCount: Int64 = 0
    /// Why the response cannot be read on, once what came before was delivered.
    var failure: TransportError?
    var isComplete = false
    /// The response's end, while the upload has yet to tell of its own.
    var end: ResponseEnd?
    var trailers: HTTPFields?
    /// Ends the exchange at its deadline when nobody waits for the connection.
    var deadlineAlarm: Alarm?
    // Guards who is in charge of the exchange once its head was delivered.
    let gate = Mutex(ExchangeGate())

    /// Makes an exchange of `request`.
    ///
    /// - Throws: What makes the request impossible to send, before anything is sent.
    init(_ request: borrowing TransportRequest, _ engine: Engine) throws(TransportError) {
        plan = try RequestPlan(request, engine)
        self.engine = engine
        limits = ExchangeLimits(request.options)
        since = limits.start
        if let events = request.events {
            outlet = EventOutlet(events, clock: engine.configuration.clock)
        } else {
            outlet = nil
        }
        guard engine.beginExchange() else {
            throw plan.error(.transportShutDown, phase: .options, message: "the transport was shut down")
        }
    }

    // MARK: Stages and events

    func enter(_ next: Stage) {
        stage = next
        since = limits.start
    }

    /// Goes on to a stage that shares its limit with the one before.
    func advance(to next: Stage) { stage = next }

    func emit(_ kind: @autoclosure () -> TransportEvent.Kind) {
        guard let outlet else { return }
        outlet.emit(kind())
    }

    // MARK: Errors

    /// Whether the server can have acted on the request.
    var processing: TransportError.Processing { hasSent ? .unknown : .notSent }

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

    /// The connection broke, with the system's error.
    func lost(_ code: Int32, _ tls: TLSStream? = nil) -> TransportError {
        if let words = tls?.failureWords, OpenSSLError.blamesIdentity(words) {
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
        return error(
            .connectionLost, message, library: tls?.failureWords.map { "OpenSSL: \($0)" } ?? SystemError.text(code))
    }

    // MARK: The end

    /// How a response ended: its trailers, and how many bytes came after it.
    struct ResponseEnd {
        let trailers: HTTPFields?
        let surplus: Int
    }

    /// The exchange has failed: its connection is closed.
    func fail(_ error: TransportError) {
        uploader?.cancel()
        uploader = nil
        upload?.abandon()
        upload = nil
        deadlineAlarm?.cancel()
        deadlineAlarm = nil
        pending = nil
        closeConnection()
        outlet?.emit(.failed(error), isLast: true)
        engine.endExchange()
    }

    /// Closes the connection and frees its place.
    func closeConnection() {
        guard connection != nil, let entry else { return }
        connection = nil
        engine.pool.giveBackPermit(to: entry)
    }

    /// The response is whole. A server that has answered has what was sent to it: an upload that is just noting its
    /// last piece is waited for before the connection is judged.
    func finish(_ connection: Connection, _ end: ResponseEnd) {
        if let uploader, uploader.isEnding { self.end = end } else { complete(connection, end) }
    }

    /// Ends an exchange whose response came before its upload had told of its end.
    nonisolated(nonsending) func settle(_ connection: Connection) async {
        guard let end else { return }
        self.end = nil
        await uploader?.settle()
        complete(connection, end)
    }

    /// The connection is kept or closed.
    private func complete(_ connection: Connection, _ end: ResponseEnd) {
        isComplete = true
        trailers = end.trailers
        deadlineAlarm?.cancel()
        deadlineAlarm = nil
        if let trailers { emit(.trailers(trailers)) }
        let fate = release(connection, surplus: end.surplus)
        outlet?.emit(.released(fate), isLast: true)
        engine.endExchange()
    }

    private func release(_ connection: Connection, surplus: Int) -> TransportEvent.ConnectionFate {
        if limits.isAny { connection.silenceAlarm() }
        // Whoever comes next may be alone as well, and wait without the reactor.
        if engine.isQuiet { connection.socket.stopWatching() }
        if connection.exchangeCount == 1, let entry { entry.heads.withLock { $0 = connection.parser.memory } }
        var reason = connection.parser.closeReason(surplus: surplus)?.rawValue
        if let uploader, !uploader.isFinished {
            reason = "the response came before the request was sent whole"
            uploader.cancel()
        }
        uploader = nil
        guard reason == nil, let entry else {
            closeConnection()
            return .closed(reason: reason ?? "")
        }
        self.connection = nil
        return engine.pool.giveBack(connection, to: entry) ? .kept : .closed(reason: "it is not needed any more")
    }
}
