internal import AirframeTransport
internal import HTTPTypes
internal import Synchronization

/// A connection that speaks HTTP/1.1.
///
/// It belongs to one exchange at a time, or to the pool, so nothing in it is locked.
///
/// `@unchecked Sendable`: the pool hands it over with its lock held. An upload that goes on while the response is
/// read uses the socket and the TLS stream alone, which are safe for that.
final class Connection: @unchecked Sendable {
    let stream: ByteStream
    let information: TransportConnection
    let bornAt: Int64
    /// Since when the pool has it.
    var idleSince: Int64
    /// Whether the pool is told when the server closes it.
    var isWatchedForEnd = false
    /// How many exchanges it has carried.
    var exchangeCount = 0
    // Whoever the connection belongs to at the moment is the only one to touch it: no access of another's can overlap.
    @exclusivity(unchecked) var parser: HTTP1ResponseParser
    /// Whether the last read filled its buffer, so that the next one may be tried without waiting.
    var mayHaveMore = false
    private var ownAlarm: Alarm?

    init(
        _ stream: ByteStream,
        information: TransportConnection,
        limits: HTTP1Limits,
        origin: Origin,
        memory: HTTP1FieldMemory
    ) {
        self.stream = stream
        self.information = information
        parser = HTTP1ResponseParser(limits: limits, origin: origin)
        parser.memory = memory
        mayHaveMore = stream.tls?.mayHaveMore ?? false
        bornAt = Monotonic.now
        idleSince = bornAt
    }

    var socket: Socket { stream.socket }

    deinit { ownAlarm?.cancel() }

    /// Rouses whoever waits for the connection. Made once for all its exchanges.
    var alarm: Alarm {
        if let ownAlarm { return ownAlarm }
        let alarm = socket.makeAlarm()
        ownAlarm = alarm
        return alarm
    }

    /// No limit runs any more.
    func silenceAlarm() { ownAlarm?.set(.max) }

    // MARK: Between exchanges

    /// Whether a kept connection can be used: the server has said nothing since its last response, and not closed.
    ///
    /// The kernel is asked each time. The reactor may be about to hear of something, and what came unasked must not be
    /// taken for the answer to the next request: one system call is a small price.
    var isQuiet: Bool {
        // Over TLS there may be tickets (RFC 8446 §4.6.1), which are no input: they have to be read to be seen.
        guard stream.tls?.isQuiet ?? socket.isQuiet else { return false }
        socket.forgetInput()
        return !socket.hasEnded
    }
}
