internal import AirframeTransport
internal import FoundationEssentials
internal import Glibc
internal import HTTPTypes
internal import Synchronization

/// The exchanges of an HTTP/1.1 connection, one after another (RFC 9112).
///
/// One object serves all exchanges of its connection, so that an exchange on a kept connection allocates no stream.
///
/// `@unchecked Sendable`: the reading half (``input``, ``next``, the parser) belongs to the exchange's task. The
/// writing half (``output``) belongs to the writing task, which is the same task until the head is sent. Between
/// exchanges the stream belongs to the pool, which passes it on with its lock held.
final class HTTP1Stream: MessageStream, @unchecked Sendable {
    /// Unparsed bytes of the last read.
    struct Input {
        let buffer: Buffer
        let count: Int
        var position: Int
    }

    /// The event that follows the last returned content.
    enum Following {
        /// None was received.
        case nothing
        case end(trailers: HTTPFields?)
        case failure(TransportError)
    }

    let bytes: ByteStream
    let origin: Origin
    let buffers: BufferPool
    private let heads: KnownHeads
    /// The number of exchanges, including the current one.
    private var exchangeCount = 0

    // MARK: The reading half

    // Only the owner of the half accesses these, so that accesses cannot overlap.
    @exclusivity(unchecked) var parser: HTTP1ResponseParser
    @exclusivity(unchecked) var input: Input?
    var following = Following.nothing
    /// The number of bytes after the end of the response.
    var surplus = 0
    /// Whether the last read filled its buffer, so that another read may succeed without a wait.
    var mayHaveMore: Bool
    private var readAlarm: Alarm?
    let reader: AheadReader

    // MARK: The writing half

    @exclusivity(unchecked) var output = HTTP1RequestOutput()
    private var writeAlarm: Alarm?

    init(_ bytes: ByteStream, origin: Origin, limits: HTTP1Limits, heads: KnownHeads, buffers: BufferPool) {
        self.bytes = bytes
        self.origin = origin
        self.buffers = buffers
        self.heads = heads
        reader = AheadReader(bytes, buffers)
        parser = HTTP1ResponseParser(limits: limits, origin: origin)
        parser.memory = heads.first
        mayHaveMore = bytes.tls?.mayHaveMore ?? false
    }

    deinit {
        readAlarm?.cancel()
        writeAlarm?.cancel()
    }

    // MARK: Waiting

    func spin(_ budget: SpinBudget, isAlone: Bool) -> SpinEnd {
        bytes.socket.spin(for: bytes.readDirection, budget, isAlone: isAlone)
    }

    nonisolated(nonsending) func wait(
        for direction: Socket.Direction,
        until due: Int64,
        _ spin: SpinBudget?,
        isAlone: Bool
    ) async -> Socket.WaitEnd {
        switch direction {
        case .reading: await reader.wait(until: due, spin, isAlone: isAlone, alarm: alarm(.reading))
        case .writing, .roomForReading:
            await bytes.socket.wait(for: direction, until: due, spin, isAlone: isAlone, alarm: alarm(direction))
        }
    }

    /// Returns the alarm of a direction, created once for all exchanges. Each direction has its own limit.
    private func alarm(_ direction: Socket.Direction) -> Alarm {
        switch direction {
        case .reading, .roomForReading:
            if let readAlarm { return readAlarm }
            let alarm = bytes.socket.makeAlarm()
            readAlarm = alarm
            return alarm
        case .writing:
            if let writeAlarm { return writeAlarm }
            let alarm = bytes.socket.makeAlarm()
            writeAlarm = alarm
            return alarm
        }
    }

    func rouse() { bytes.socket.rouse() }

    // MARK: Beginning and end

    func begin(
        _ head: borrowing RequestHead,
        checked: consuming CheckedHead?,
        content: Data?
    ) throws(StreamFailure) -> StreamBeginning {
        let encoded =
            if let known = output.begin(known: head) {
                known
            } else if let checked {
                output.begin(checked.bytes, checked.traits, of: head.content, content: content)
            } else {
                try output.begin(head, content: content, origin: origin, in: buffers.takeHead())
            }
        exchangeCount += 1
        surplus = 0
        parser.begin(encoded.traits.kind, asksToClose: encoded.traits.asksToClose)
        return encoded.beginning
    }

    /// Does nothing: HTTP/1.1 cannot change the priority of a request that has been sent.
    func updatePriority(_ updates: PriorityUpdates) {}

    func repetition(after error: TransportError, isReused: Bool) -> Repetition? {
        // If a kept connection ends before a byte of the response, the server most likely closed it before it received
        // the request (RFC 9112 §9.3.1).
        guard error.code == .connectionLost, isReused, !parser.hasBegun else { return nil }
        guard hasSent else {
            return Repetition(
                permission: .always,
                reason: "the kept connection was closed before a byte of the request left"
            )
        }
        return Repetition(
            permission: .ifIdempotent,
            reason: "the kept connection was closed before a response came"
        )
    }

    func abandonContent() {
        // The end of the TLS stream would send close_notify only after the shutdown (RFC 8446 §6.1).
        bytes.tls?.finishWriting()
        bytes.socket.shutDown(both: true)
    }

    func cancel() {
        dropInput()
        following = .nothing
    }

    func release(isRequestWhole: Bool) -> String? {
        readAlarm?.set(.max)
        writeAlarm?.set(.max)
        if exchangeCount == 1 { heads.keep(parser.memory) }
        guard isRequestWhole else { return "the response was complete before the whole request was sent" }
        return parser.closeReason(surplus: surplus)?.rawValue
    }

    func makeDuplexStream(
        spin: @escaping @Sendable () -> SpinBudget?,
        onEnd: @escaping @Sendable (_ closeReason: String?) -> Void
    ) -> any DuplexStream {
        // The first bytes of the other protocol may have arrived together with the head.
        var pending: Data?
        if let input, input.position < input.count {
            pending = buffers.data(input.position..<input.count, of: input.buffer)
            self.input = nil
        }
        dropInput()
        return TunnelStream(bytes, buffers, origin: origin, pending: pending, spin: spin) {
            onEnd(HTTP1CloseReason.tunnel.rawValue)
        }
    }

    /// Returns the buffers of unparsed bytes to their pool.
    func dropInput() {
        reader.drop()
        guard let input else { return }
        self.input = nil
        buffers.give(input.buffer)
    }
}
