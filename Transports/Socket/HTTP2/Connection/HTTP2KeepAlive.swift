internal import AirframeTransport
internal import AirframeWire

/// When a connection is asked by PING whether its peer is still there (RFC 9113 §6.7).
struct HTTP2KeepAlive: Sendable {
    /// What to do now.
    enum Step: Equatable {
        /// Nothing, until this instant; `.max` for never.
        case wait(until: Int64)
        /// Send a PING, and look again at this instant.
        case ping(again: Int64)
        /// The peer is dead.
        case fail
    }

    /// How long, in nanoseconds, a connection may have no reader before one is started.
    static let watchDelay: Int64 = 500_000_000

    /// How long a connection is silent before a PING is sent, in nanoseconds; `.max` for never.
    let interval: Int64
    /// How long the answer may take, in nanoseconds.
    private let timeout: Int64

    init(interval: Duration?, timeout: Duration) {
        self.interval = interval.map { max(1, $0.wholeNanoseconds) } ?? .max
        self.timeout = max(1, timeout.wholeNanoseconds)
    }

    /// Returns what to do. All instants are the monotonic clock's, in nanoseconds.
    ///
    /// - Parameters:
    ///   - receivedAt: When the last bytes arrived.
    ///   - pingedAt: When the PING that is not answered was sent.
    func step(at now: Int64, receivedAt: Int64, pingedAt: Int64?) -> Step {
        guard interval != .max else { return .wait(until: .max) }
        if let pingedAt {
            // Bytes that arrive after the PING show that the peer is there as well.
            guard receivedAt < pingedAt else { return .wait(until: Monotonic.sum(receivedAt, interval)) }
            let due = Monotonic.sum(pingedAt, timeout)
            return now >= due ? .fail : .wait(until: due)
        }
        let due = Monotonic.sum(receivedAt, interval)
        return now >= due ? .ping(again: Monotonic.sum(now, timeout)) : .wait(until: due)
    }

    /// Why a connection failed.
    var failureWords: String {
        "the server did not answer a PING within \(timeout / 1_000_000) ms (RFC 9113 §6.7)"
    }
}
