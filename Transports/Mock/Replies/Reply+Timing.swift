public import AirframeTransport

extension Reply {
    /// Returns the reply, delayed by `duration` of the clock's time.
    ///
    /// - Parameters:
    ///   - duration: The delay.
    ///   - phase: The phase that is delayed: by default the wait for the response's head. Connecting takes time only if
    ///     there is no kept connection.
    public func delayed(by duration: Duration, in phase: TransportPhase = .responseHead) -> Reply {
        modified { $0.delays.append(ReplyPlan.Delay(phase: phase, range: duration...duration)) }
    }

    /// Returns the reply, delayed by a random duration that depends on the transport's seed.
    ///
    /// - Parameters:
    ///   - range: The shortest and the longest delay.
    ///   - phase: The phase that is delayed.
    public func delayed(by range: ClosedRange<Duration>, in phase: TransportPhase = .responseHead) -> Reply {
        modified { $0.delays.append(ReplyPlan.Delay(phase: phase, range: range)) }
    }

    /// Returns the reply with its body in pieces at a certain rate.
    ///
    /// - Parameters:
    ///   - bytesPerSecond: The rate of the body; `nil` for no limit.
    ///   - chunkSize: The size of a piece; by default a quarter of a second's worth.
    public func throttled(bytesPerSecond: Int? = nil, chunkSize: Int? = nil) -> Reply {
        modified { plan in
            plan.download = Pace(bytesPerSecond: bytesPerSecond, chunkSize: chunkSize)
        }
    }

    /// Returns the reply of a server that takes the request's body at a certain rate.
    ///
    /// - Parameters:
    ///   - bytesPerSecond: The rate; `nil` for no limit.
    ///   - chunkSize: The size of the pieces in which the body is taken; by default a quarter of a second's worth.
    public func accepting(bytesPerSecond: Int? = nil, chunkSize: Int? = nil) -> Reply {
        modified { plan in
            plan.upload = Pace(bytesPerSecond: bytesPerSecond, chunkSize: chunkSize)
        }
    }
}

/// The rate of bytes, and the size of their pieces.
struct Pace: Sendable {
    static let unlimited = Pace(bytesPerSecond: nil, chunkSize: nil)

    let bytesPerSecond: Int?
    let chunkSize: Int

    init(bytesPerSecond: Int?, chunkSize: Int?) {
        let rate = bytesPerSecond.map { max(1, $0) }
        self.bytesPerSecond = rate
        self.chunkSize = max(1, chunkSize ?? rate.map { min($0 / 4, 64 << 10) } ?? 64 << 10)
    }

    /// Returns the time that `count` bytes take.
    func duration(of count: Int) -> Duration {
        guard let bytesPerSecond else { return .zero }
        return .clamping(seconds: Double(count) / Double(bytesPerSecond))
    }
}
