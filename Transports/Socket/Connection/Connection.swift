internal import AirframeTransport
internal import AirframeWire
internal import Synchronization

/// A connection: the bytes, what was agreed on when it was opened, and the protocol that it speaks.
///
/// `@unchecked Sendable`: what changes belongs to the pool and is guarded by its lock.
final class Connection: @unchecked Sendable {
    /// How many exchanges the connection carries at once.
    enum Carrier: Sendable {
        /// One after another.
        case single(HTTP1Stream)
        /// Several at once.
        case multiple(any StreamCarrier)
    }

    /// Where the pool keeps it.
    let entry: PoolEntry
    /// Socket and TLS.
    let bytes: ByteStream
    /// Addresses, version and TLS parameters, as responses report them.
    let information: TransportConnection
    let carrier: Carrier
    let bornAt: Int64
    /// Whether the engine trusts the server for other hosts, by host.
    private let judgements = Mutex<[String: Bool]>([:])

    // MARK: The pool's

    /// How many streams there may be at once.
    var capacity: Int
    /// How many streams there are.
    var streamCount = 1
    /// Whether it takes no new streams.
    var isRetired = false
    /// When its last stream ended.
    var idleSince: Int64
    /// Whether the reactor tells the pool when the server closes it.
    var isWatchedForEnd = false
    /// The other origins that the server does not answer for, though its certificate names them.
    var excludedOrigins: Set<Origin> = []

    init(_ bytes: ByteStream, of entry: PoolEntry, information: TransportConnection, carrier: Carrier) {
        self.entry = entry
        self.bytes = bytes
        self.information = information
        self.carrier = carrier
        capacity =
            switch carrier {
            case .single: 1
            case .multiple(let carrier): carrier.capacity
            }
        bornAt = Monotonic.now
        idleSince = bornAt
    }

    var socket: Socket { bytes.socket }

    /// The origin that the connection was opened for.
    var origin: Origin { entry.key.destination.origin }

    /// Whether another stream can be opened, as far as is known without waiting. The pool's lock is held.
    var hasRoom: Bool {
        guard streamCount < capacity, case .multiple(let carrier) = carrier else { return false }
        return carrier.isUsable
    }

    /// Whether the server may answer for another origin (RFC 9113 §9.1.1): it claims the origin where it claims any (RFC
    /// 8336), and the engine trusts its certificates for the host as it would in a handshake.
    func isAuthoritative(for origin: Origin) -> Bool {
        guard case .multiple(let carrier) = carrier, carrier.claims(origin) else { return false }
        if let known = judgements.withLock({ $0[origin.host] }) { return known }
        let isTrusted = bytes.tls?.isTrusted(for: origin.host, information.tls?.chain ?? []) ?? false
        judgements.withLock { judgements in
            // A server has few hosts; a caller may ask for any number.
            if judgements.count >= 256 { judgements.removeAll() }
            judgements[origin.host] = isTrusted
        }
        return isTrusted
    }

    /// Whether it carries several streams at once.
    var isMultiplexed: Bool {
        if case .multiple = carrier { true } else { false }
    }

    /// Opens a stream.
    ///
    /// - Parameters:
    ///   - isNew: Whether the connection was opened for it.
    ///   - origin: The origin that the exchange asks.
    /// - Returns: `nil` when the connection has ended or cannot be trusted to carry another exchange.
    func openStream(isNew: Bool, for origin: Origin) -> (any MessageStream)? {
        switch carrier {
        case .single(let stream): isNew || isQuiet ? stream : nil
        case .multiple(let carrier): carrier.openStream(for: origin)
        }
    }

    /// Whether the server has sent nothing since its last response, and not closed.
    ///
    /// The kernel is asked each time. The reactor may be about to report something, and bytes that came unasked must
    /// not be taken for the answer to the next request: one system call is a small price.
    private var isQuiet: Bool {
        // Over TLS there may be tickets (RFC 8446 §4.6.1), which are no input: they have to be read to be seen.
        guard bytes.tls?.isQuiet ?? socket.isQuiet else { return false }
        socket.forgetInput()
        return !socket.hasEnded
    }
}
