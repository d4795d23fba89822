internal import AirframeTransport
internal import AirframeWire

/// Decides when a PING probes a silent connection (RFC 9113 §6.7).
struct HTTP2KeepAlive: Sendable {
    /// The next step.
    enum Step: Equatable {
        /// Nothing, until this instant; `.max` for never.
        case wait(until: Int64)
        /// Send a PING, and check again at this instant.
        case ping(again: Int64)
        /// The peer is dead.
        case fail
    }

    /// The time without a reader, in nanoseconds, after which one is started.
    static let watchDelay: Int64 = 500_000_000

    /// How long a connection is silent before a PING is sent, in nanoseconds; `.max` for never.
    let interval: Int64
    /// How long the peer may take to acknowledge a PING, in nanoseconds.
    private let timeout: Int64

    init(interval: Duration?, timeout: Duration) {
        self.interval = interval.map { max(1, $0.wholeNanoseconds) } ?? .max
        self.timeout = max(1, timeout.wholeNanoseconds)
    }

    /// Returns the next step. All instants are nanoseconds of the monotonic clock. The next one is always after `now`.
    ///
    /// - Parameters:
    ///   - receivedAt: When the last bytes arrived.
    ///   - pingedAt: When the unacknowledged PING was sent.
    func step(at now: Int64, receivedAt: Int64, pingedAt: Int64?) -> Step {
        guard interval != .max else { return .wait(until: .max) }
        // Any bytes that arrive after the PING also prove that the peer is alive. The next silence needs a PING of its
        // own, even if the server has never acknowledged this one.
        if let pingedAt, receivedAt < pingedAt {
            let due = Monotonic.sum(pingedAt, timeout)
            return now >= due ? .fail : .wait(until: due)
        }
        let due = Monotonic.sum(receivedAt, interval)
        return now >= due ? .ping(again: Monotonic.sum(now, timeout)) : .wait(until: due)
    }

    /// The message of the failure.
    var failureWords: String {
        "the server did not answer a PING within \(timeout / 1_000_000) ms (RFC 9113 §6.7)"
    }
}
