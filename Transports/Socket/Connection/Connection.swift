internal import AirframeTransport
internal import AirframeWire
internal import Synchronization

/// A connection: its byte stream, its negotiated parameters, and the protocol that it speaks.
///
/// `@unchecked Sendable`: the variables belong to the pool and are guarded by its lock.
final class Connection: @unchecked Sendable {
    /// The streams of the connection.
    enum Carrier: Sendable {
        /// One exchange after another.
        case single(HTTP1Stream)
        /// Several concurrent exchanges.
        case multiple(any StreamCarrier)
    }

    /// The pool entry of the connection.
    let entry: PoolEntry
    /// Socket and TLS.
    let bytes: ByteStream
    /// Addresses, version and TLS parameters, as responses report them.
    let information: TransportConnection
    let carrier: Carrier
    let bornAt: Int64
    /// Whether the engine trusts the server for other hosts, by host. Guarded by the mutex.
    private let hostTrust = Mutex<[String: Bool]>([:])

    // MARK: Guarded by the pool's lock

    /// The maximum number of concurrent streams.
    var capacity: Int
    /// The number of open streams.
    var streamCount = 1
    /// Whether the connection accepts no new streams.
    var isRetired = false
    /// When the last stream ended.
    var idleSince: Int64
    /// Whether the reactor reports to the pool when the server closes the connection.
    var isWatchedForEnd = false
    /// Origins for which the server has answered 421, though its certificate names them.
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

    /// Whether another stream can be opened, as far as is known without waiting. Called with the pool's lock held.
    var hasRoom: Bool {
        guard streamCount < capacity, case .multiple(let carrier) = carrier else { return false }
        return carrier.isUsable
    }

    /// Returns whether the server is authoritative for another origin (RFC 9113 §9.1.1): its origin set, if it has sent
    /// one, contains the origin (RFC 8336), and its certificate is trusted for the host as in a handshake.
    func isAuthoritative(for origin: Origin) -> Bool {
        guard case .multiple(let carrier) = carrier, carrier.claims(origin) else { return false }
        if let known = hostTrust.withLock({ $0[origin.host] }) { return known }
        let isTrusted = bytes.tls?.isTrusted(for: origin.host, information.tls?.chain ?? []) ?? false
        hostTrust.withLock { hostTrust in
            // A server has few hosts, but callers may ask for any number.
            if hostTrust.count >= 256 { hostTrust.removeAll() }
            hostTrust[origin.host] = isTrusted
        }
        return isTrusted
    }

    /// Whether the connection carries several concurrent streams.
    var isMultiplexed: Bool {
        if case .multiple = carrier { true } else { false }
    }

    /// Opens a stream.
    ///
    /// - Parameters:
    ///   - isNew: Whether the connection was opened for it.
    ///   - destination: The server of the exchange. Not its origin, whose strings would be copied for HTTP/1.1.
    /// - Returns: `nil` if the connection was closed, or the server has sent bytes that belong to no response. A new
    ///   connection that was not lost always has a stream.
    func openStream(isNew: Bool, for destination: Destination) -> (any MessageStream)? {
        switch carrier {
        case .single(let stream): isNew || isQuiet ? stream : nil
        case .multiple(let carrier):
            isNew
                ? carrier.openFirstStream(for: destination.origin)
                : carrier.openStream(for: destination.origin)
        }
    }

    /// Whether the server has neither sent anything since its last response nor closed the connection.
    ///
    /// This queries the kernel each time, with one system call: the reactor may not have reported an event yet, and
    /// unsolicited bytes must not be read as the response to the next request.
    private var isQuiet: Bool {
        // Over TLS the server may have sent session tickets (RFC 8446 §4.6.1), which only OpenSSL tells from content.
        // If the kernel has nothing for it to read, asking it as well would cost 1,400 instructions.
        let mayHoldBytes = bytes.tls?.mayHaveMore ?? false
        guard !mayHoldBytes && socket.isQuiet || bytes.tls?.isQuiet ?? false else { return false }
        socket.forgetInput()
        return !socket.hasEnded
    }
}
