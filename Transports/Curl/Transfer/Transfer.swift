internal import AirframeTransport
internal import AirframeWire
internal import CCurl
internal import FoundationEssentials
internal import HTTPTypes

/// One exchange while libcurl performs it. Only the holder of the loop's turn accesses it.
///
/// A class, because libcurl calls back for it. One thread holds the turn, and no access to a property lasts while
/// libcurl or a sink is called, so Swift need not check accesses for exclusivity.
final class Transfer {
    let id: ExchangeID
    let exchange: Exchange
    let plan: RequestPlan
    let context: Context
    @exclusivity(unchecked) private(set) var easy: EasyHandle
    unowned let engine: Engine

    @exclusivity(unchecked) private(set) var stage = Stage.pool
    @exclusivity(unchecked) var limits: TransferLimits
    @exclusivity(unchecked) var parser: HeadParser
    @exclusivity(unchecked) var upload: Upload?
    @exclusivity(unchecked) var link: Link?
    @exclusivity(unchecked) var handshake: TLSHandshake?
    @exclusivity(unchecked) var question: TrustQuestion?
    @exclusivity(unchecked) var tunnel = Tunnel()
    @exclusivity(unchecked) var connectionWasReused = false
    /// Whether libcurl has ended the transfer because it lacks an address.
    @exclusivity(unchecked) var awaitsNames = false
    /// The known addresses of the transfer's names.
    @exclusivity(unchecked) var foundAddresses: [String: [String]] = [:]
    /// The answers without an address.
    @exclusivity(unchecked) var failedLookups: [String: Result<[String], any Error>] = [:]
    /// The addresses in libcurl's form, which reads them when the transfer is added.
    @exclusivity(unchecked) var addressList: HeaderList?
    @exclusivity(unchecked) var addressesGivenAt: Int64?
    /// Whether the event for the resolved name has been emitted.
    @exclusivity(unchecked) var hasResolved = false
    /// The sockets that were opened for the transfer.
    @exclusivity(unchecked) var attempts: [Link] = []
    /// Whether libcurl has chosen a kept connection that must not be used. The transfer starts over.
    @exclusivity(unchecked) var isOnDeadConnection = false
    /// The error of the last address for which no socket could be opened. It ends the transfer if no address connects.
    @exclusivity(unchecked) var openFailure: TransportError?
    /// The error for which a callback made libcurl end the transfer.
    @exclusivity(unchecked) var failure: TransportError?
    /// Whether libcurl was stopped from repeating the request by itself.
    @exclusivity(unchecked) var wasRetried = false
    /// Whether the request is sent for the second time, because its kept connection turned out to be dead.
    @exclusivity(unchecked) var isRepetition = false
    /// Whether any byte of the first attempt left.
    @exclusivity(unchecked) var wasSentBefore = false
    /// How often libcurl was about to send the request. It repeats a refused HTTP/2 stream.
    @exclusivity(unchecked) var attemptCount = 0
    /// libcurl's count of sent bytes just before the request. Requests to a proxy precede it.
    @exclusivity(unchecked) var sizeBeforeRequest = 0
    /// Whether a part of the request is still to be sent. The response may have begun.
    @exclusivity(unchecked) var isSending = false
    /// The number of sent bytes of the request's content.
    @exclusivity(unchecked) var uploadedCount: Int64 = 0
    /// Tells content from framing in a chunked body that is sent.
    @exclusivity(unchecked) var chunks: SentChunks?
    @exclusivity(unchecked) var receivedCount: Int64 = 0
    @exclusivity(unchecked) var expectedLength: Int64?
    /// Decodes the content of a chunked response.
    @exclusivity(unchecked) var decoder: ChunkDecoder?
    /// The response's head, if libcurl takes it for content.
    @exclusivity(unchecked) var misplacedHead: MisplacedHead?
    /// The number of a proxy's responses to `CONNECT`.
    @exclusivity(unchecked) var proxyAnswerCount = 0
    /// A 401 that libcurl may answer, if it performs a handshake.
    @exclusivity(unchecked) var heldChallenge: HeldChallenge?
    @exclusivity(unchecked) var authenticationRounds = 0
    /// GSS-API's reason for having no token.
    @exclusivity(unchecked) var securityMessage: String?
    @exclusivity(unchecked) var misdirection = Misdirection.none
    /// Whether the handle has settings that no other request may have.
    @exclusivity(unchecked) var mustReset = false
    /// Whether the engine reads libcurl's verbose log.
    @exclusivity(unchecked) var isListening = false
    @exclusivity(unchecked) var start: ResponseStart?
    /// Whether the final response has been read whole and libcurl is to end the transfer.
    @exclusivity(unchecked) var isAnswered = false
    /// Whether libcurl keeps bytes until the reader has made room.
    @exclusivity(unchecked) var isPaused = false {
        didSet { if isPaused { wasPaused = true } }
    }
    @exclusivity(unchecked) private(set) var wasPaused = false
    /// The request's stream, once its head has been sent over HTTP/2.
    @exclusivity(unchecked) var http2: HTTP2Stream?
    /// The connection of a request over HTTP/2 until it is reported, which waits for the stream's identifier.
    @exclusivity(unchecked) var unreportedConnection: TransportConnection?
    /// Whether the content waits for the server's HTTP/2 window.
    @exclusivity(unchecked) var isWindowClosed = false
    /// Whether the request is sent again because the server refused its stream.
    @exclusivity(unchecked) var wasRefused = false
    /// Whether the request is sent again over HTTP/1.1, because the server requires that.
    @exclusivity(unchecked) var isHTTP1Required = false
    /// Whether libcurl may send the request again: the server refused its stream, or a handshake needs another round.
    @exclusivity(unchecked) var isRetryPermitted = false
    /// Whether libcurl is set up to join an HTTP/2 connection with prior knowledge instead of opening one.
    @exclusivity(unchecked) var joinsHTTP2 = false
    @exclusivity(unchecked) var isStartDelivered = false
    @exclusivity(unchecked) var isDirty = false
    /// Whether bytes that still arrive are discarded.
    @exclusivity(unchecked) private(set) var isDiscarding = false

    init(_ exchange: Exchange, context: Context, easy: EasyHandle, engine: Engine) throws(TransportError) {
        id = exchange.id
        self.exchange = exchange
        plan = exchange.plan
        self.context = context
        self.easy = easy
        self.engine = engine
        limits = TransferLimits(exchange.plan.request, clock: engine.clock, now: Monotonic.now)
        parser = HeadParser(
            HeadParser.Rules(
                sizeLimit: engine.configuration.headSizeLimit,
                informationalLimit: engine.configuration.informationalResponseLimit,
                isHead: exchange.plan.method == .head
            ),
            names: engine.fieldNames
        )
        if case .upload(let body, let length) = exchange.plan.body, let content = exchange.content {
            upload = Upload(body, content, length: length, exchange: exchange)
        }
        try configure()
    }

    /// The transfer that libcurl calls back for.
    @inline(__always)
    static func of(_ pointer: UnsafeMutableRawPointer?) -> Transfer? {
        guard let pointer else { return nil }
        return Unmanaged<EasyHandle>.fromOpaque(pointer)._withUnsafeGuaranteedRef { $0.transfer }
    }

    // MARK: Stages

    func enter(_ next: Stage) {
        guard stage != .over, stage != next else { return }
        let last = stage
        stage = next
        if next == .send { engine.expectContinue(self) }
        guard limits.isAny else { return }
        let now = Monotonic.now
        limits.enter(next, from: last, now: now)
        engine.arm(self, now: now)
    }

    /// Restarts the limit on idle reading.
    func restartReadIdle() {
        if limits.isAny { limits.restartReadIdle(Monotonic.now) }
    }

    /// Restarts the limit on idle writing.
    func restartWriteIdle() {
        if limits.isAny { limits.restartWriteIdle(Monotonic.now) }
    }

    /// The wait that the limits on idle time apply to.
    var idleWait: TransferLimits.IdleWait {
        guard isSending else { return .reading(since: stage == .body ? exchange.waitingSince : nil) }
        return waitsForSource ? .source : .writing
    }

    /// Whether any byte of the request has been sent.
    var hasSent: Bool { attemptCount > 0 && easy.long(CURLINFO_REQUEST_SIZE) > sizeBeforeRequest }

    /// Whether the transfer waits for the body's source or for the upload gate, not for the connection.
    var waitsForSource: Bool {
        guard let upload else { return false }
        return upload.waitsForSource || plan.request.uploadGate?.isOpen == false
    }

    var processing: TransportError.Processing { hasSent ? .unknown : .notSent }

    /// Replaces the handle of the transfer.
    func replaceHandle(_ handle: EasyHandle) { easy = handle }

    /// Whether the handle may serve another transfer. The trailers of a body in chunks leave a state behind in libcurl
    /// 7.88 that survives a reset: the next such body would be framed in front of its buffer.
    var mayKeepHandle: Bool { plan.request.body.trailers == nil }

    // MARK: Events

    func emit(_ kind: @autoclosure () -> TransportEvent.Kind) {
        if case .some = unreportedConnection { reportStream() }
        plan.request.report(kind(), on: engine.clock)
    }

    // MARK: The end

    /// Has libcurl hand over the bytes that it keeps, and discards them, before the transfer is removed. 7.88 would
    /// neither free these bytes nor drop them when other transfers use the connection.
    func discardHeldBytes() {
        guard isPaused else { return }
        isDiscarding = true
        easy.pause(CURLPAUSE_CONT)
    }

    /// Ends the transfer, which has been removed from libcurl.
    func end(_ outcome: Result<Void, TransportError>) {
        guard stage != .over else { return }
        question?.cancel()
        upload?.cancel()
        http2?.session.forget(self)
        http2 = nil
        switch outcome {
        case .success:
            emit(.released(engine.fate(of: link, after: start?.head)))
            exchange.finish(.complete(trailers: parser.trailers))
        case .failure(let error):
            // The first attempt may have been processed, even if the second one did not reach the server.
            let error = wasSentBefore ? error.withUnknownProcessing() : error
            emit(.failed(error))
            exchange.finish(.failed(error))
            if start == nil { failure = error }
        }
        stage = .over
        engine.markDirty(self)
    }

    /// Appends the wake-ups of tasks for which this turn has brought something.
    func deliver(to wakeUps: inout [WakeUp]) {
        isDirty = false
        if !isStartDelivered, let result = startResult {
            isStartDelivered = true
            if let caller = exchange.answer(result) { wakeUps.append(.resume(caller)) }
        }
        guard isStartDelivered, let (reader, mustUnpause) = exchange.takeReader() else { return }
        wakeUps.append(.resume(reader))
        if mustUnpause { engine.unpauseLater(self) }
    }

    private var startResult: Result<ResponseStart, TransportError>? {
        if let start { return .success(start) }
        guard stage == .over, let failure else { return nil }
        return .failure(failure)
    }
}

/// The state of a tunnel through a proxy.
struct Tunnel {
    /// The status of the proxy's last response to `CONNECT`.
    var status: Int?
    var isUp = false
}
