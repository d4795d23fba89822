public import AirframeTransport

extension Reply {
    /// The reply, later by `duration` of the clock's time.
    ///
    /// - Parameters:
    ///   - duration: How much later.
    ///   - phase: What takes so long: by default the wait for the response's head. Connecting takes time only where
    ///     there is no kept connection.
    public func delayed(by duration: Duration, in phase: TransportPhase = .responseHead) -> Reply {
        modified { $0.delays.append(ReplyPlan.Delay(phase: phase, range: duration...duration)) }
    }

    /// The reply, later by a duration that is drawn by the transport's seed.
    ///
    /// - Parameters:
    ///   - range: How much later, at least and at most.
    ///   - phase: What takes so long.
    public func delayed(by range: ClosedRange<Duration>, in phase: TransportPhase = .responseHead) -> Reply {
        modified { $0.delays.append(ReplyPlan.Delay(phase: phase, range: range)) }
    }

    /// The reply, its body in pieces at a certain pace.
    ///
    /// - Parameters:
    ///   - bytesPerSecond: The pace of the body; `nil` for no limit.
    ///   - chunkSize: The size of a piece; by default a quarter of a second's worth.
    public func throttled(bytesPerSecond: Int? = nil, chunkSize: Int? = nil) -> Reply {
        modified { plan in
            plan.download = Pace(bytesPerSecond: bytesPerSecond, chunkSize: chunkSize)
        }
    }

    /// The reply to a request whose body is taken at a certain pace.
    ///
    /// - Parameters:
    ///   - bytesPerSecond: The pace; `nil` for no limit.
    ///   - chunkSize: The size of the pieces in which it is taken; by default a quarter of a second's worth.
    public func accepting(bytesPerSecond: Int? = nil, chunkSize: Int? = nil) -> Reply {
        modified { plan in
            plan.upload = Pace(bytesPerSecond: bytesPerSecond, chunkSize: chunkSize)
        }
    }
}

/// How fast bytes go, and in what pieces.
struct Pace: Sendable {
    static let unlimited = Pace(bytesPerSecond: nil, chunkSize: nil)

    let bytesPerSecond: Int?
    let chunkSize: Int

    init(bytesPerSecond: Int?, chunkSize: Int?) {
        let rate = bytesPerSecond.map { max(1, $0) }
        self.bytesPerSecond = rate
        self.chunkSize = max(1, chunkSize ?? rate.map { min($0 / 4, 64 << 10) } ?? 64 << 10)
    }

    /// How long `count` bytes take.
    func duration(of count: Int) -> Duration {
        guard let bytesPerSecond else { return .zero }
        return .clamping(seconds: Double(count) / Double(bytesPerSecond))
    }
}
