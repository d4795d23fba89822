internal import AirframeTransport
internal import FoundationEssentials
internal import Glibc
internal import HTTPTypes
internal import Synchronization

/// The exchanges of one connection over HTTP/1.1, one after another (RFC 9112).
///
/// One object serves all exchanges of its connection: an exchange on a kept connection allocates nothing for its
/// stream.
///
/// `@unchecked Sendable`: the reading half (``input``, ``next``, the parser) belongs to the exchange's task, the
/// writing half (``output``) to the task that writes, which is the same one until the head is sent. Between exchanges
/// the stream belongs to the pool, which hands it over with its lock held.
final class HTTP1Stream: MessageStream, @unchecked Sendable {
    /// Bytes of the last read that were not parsed yet.
    struct Input {
        let buffer: Buffer
        let count: Int
        var position: Int
    }

    /// What follows the content that was returned last.
    enum Following {
        /// Nothing that was received.
        case nothing
        case end(trailers: HTTPFields?)
        case failure(TransportError)
    }

    let bytes: ByteStream
    let origin: Origin
    let buffers: BufferPool
    private let heads: KnownHeads
    /// How many exchanges there were, with the present one.
    private var exchangeCount = 0

    // MARK: The reading half

    // The owner of the half is the only one to touch it, so that accesses cannot overlap.
    @exclusivity(unchecked) var parser: HTTP1ResponseParser
    @exclusivity(unchecked) var input: Input?
    var following = Following.nothing
    /// How many bytes came after the end of the response.
    var surplus = 0
    /// Whether the last read filled its buffer, so that another one may bring something without a wait.
    var mayHaveMore: Bool
    private var readAlarm: Alarm?

    // MARK: The writing half

    @exclusivity(unchecked) var output = HTTP1RequestOutput()
    private var writeAlarm: Alarm?

    init(_ bytes: ByteStream, origin: Origin, limits: HTTP1Limits, heads: KnownHeads, buffers: BufferPool) {
        self.bytes = bytes
        self.origin = origin
        self.buffers = buffers
        self.heads = heads
        parser = HTTP1ResponseParser(limits: limits, origin: origin)
        parser.memory = heads.first
        mayHaveMore = bytes.tls?.mayHaveMore ?? false
    }

    deinit {
        readAlarm?.cancel()
        writeAlarm?.cancel()
    }

    // MARK: Waiting

    nonisolated(nonsending) func wait(
        for direction: Socket.Direction,
        until due: Int64,
        _ spin: SpinBudget?,
        isAlone: Bool
    ) async -> Socket.WaitEnd {
        await bytes.socket.wait(
            for: direction == .reading ? bytes.readDirection : .writing,
            until: due,
            spin,
            isAlone: isAlone,
            alarm: alarm(direction)
        )
    }

    /// The alarm of a direction, made once for all exchanges: each direction has its own limit.
    private func alarm(_ direction: Socket.Direction) -> Alarm {
        switch direction {
        case .reading:
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

    func begin(_ head: borrowing RequestHead, content: Data?) throws(StreamFailure) -> StreamBeginning {
        let outcome = try output.begin(head, content: content, origin: origin)
        exchangeCount += 1
        surplus = 0
        parser.begin(outcome.request.kind, asksToClose: outcome.request.asksToClose)
        return outcome.beginning
    }

    /// HTTP/1.1 has no means to change the priority of a request that has been sent.
    func updatePriority(_ updates: PriorityUpdates) {}

    func repetition(after error: TransportError) -> Repetition? {
        // A kept connection that ends before it has brought a byte was closed before the server saw the request, in all
        // likelihood (RFC 9112 §9.3.1).
        guard error.code == .connectionLost, exchangeCount > 1, !parser.hasBegun else { return nil }
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

    func cancel() {
        dropInput()
        following = .nothing
    }

    func release(isRequestWhole: Bool) -> String? {
        readAlarm?.set(.max)
        writeAlarm?.set(.max)
        if exchangeCount == 1 { heads.keep(parser.memory) }
        guard isRequestWhole else { return "the response came before the request was sent whole" }
        return parser.closeReason(surplus: surplus)?.rawValue
    }

    func makeDuplexStream(onEnd: @escaping @Sendable (_ closeReason: String?) -> Void) -> any DuplexStream {
        // The head may have arrived together with the first bytes of the other protocol.
        var pending: Data?
        if let input, input.position < input.count {
            pending = buffers.data(input.position..<input.count, of: input.buffer)
            self.input = nil
        }
        dropInput()
        return TunnelStream(bytes, buffers, origin: origin, pending: pending) {
            onEnd(HTTP1CloseReason.tunnel.rawValue)
        }
    }

    /// Returns the buffer of the last read to its pool.
    func dropInput() {
        guard let input else { return }
        self.input = nil
        buffers.give(input.buffer)
    }
}
