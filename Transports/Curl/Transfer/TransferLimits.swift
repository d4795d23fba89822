internal import AirframeTransport

/// The time limits of one transfer, and the instants at which they started.
struct TransferLimits {
    private let phases: PhaseLimits
    private let deadline: Duration?
    /// The instant of the deadline; `.max` for none.
    private let endsAt: Int64
    /// The start of the current stage; for the stages up to TLS, the start of connecting.
    private var stageSince: Int64
    /// The instant of the connection's last activity.
    private var activeAt: Int64
    /// The instant for which the transfer is in the timer queue.
    var armedFor = Int64.max

    /// Whether there is any limit.
    let isAny: Bool

    init(_ request: TransportRequest, clock: any TransportClock, now: Int64) {
        let options = request.options
        let remaining = request.remainingTime(on: clock)
        isAny = remaining != nil || !options.requiredFeatures.isDisjoint(with: Self.features)
        phases = isAny ? options.limits : PhaseLimits()
        deadline = remaining.map { options.deadline ?? $0 }
        endsAt = Self.end(now, remaining)
        stageSince = now
        activeAt = now
    }

    private static let features: TransportFeatures = [
        .deadline, .poolLimit, .connectLimit, .tlsLimit, .writeIdleLimit, .firstByteLimit, .readIdleLimit,
    ]

    mutating func enter(_ stage: Stage, from last: Stage, now: Int64) {
        activeAt = now
        let isSamePart = (Stage.resolve...Stage.proxy).contains(stage) && (Stage.resolve...Stage.proxy).contains(last)
        if !isSamePart { stageSince = now }
    }

    mutating func noteActivity(_ now: Int64) { activeAt = now }

    /// Returns the instant at which the first limit is exceeded; `.max` for never.
    ///
    /// - Parameters:
    ///   - waitingSince: The instant since which a reader of the body has waited, or `nil` if none waits.
    ///   - sourceIsSlow: Whether the transfer waits for the source of the request's body.
    func due(in stage: Stage, waitingSince: Int64?, sourceIsSlow: Bool, now: Int64) -> Int64 {
        min(endsAt, stageDue(stage, waitingSince, sourceIsSlow, now))
    }

    private func stageDue(_ stage: Stage, _ waitingSince: Int64?, _ sourceIsSlow: Bool, _ now: Int64) -> Int64 {
        switch stage {
        case .pool: Self.end(stageSince, phases.pool)
        case .resolve, .connect, .proxy: Self.end(stageSince, phases.connect)
        case .tls: Self.end(stageSince, phases.tls)
        case .send: Self.end(sourceIsSlow ? now : activeAt, phases.writeIdle)
        case .respond: Self.end(stageSince, phases.firstByte)
        case .head: Self.end(activeAt, phases.readIdle)
        // The limit runs only while a reader waits and the request does not wait for its source. Otherwise it is
        // checked again after its length.
        case .body: Self.end(sourceIsSlow ? now : waitingSince.map { max($0, activeAt) } ?? now, phases.readIdle)
        case .over: .max
        }
    }

    /// Returns a sentence on the limit that is exceeded at `now`, or `nil` if none is.
    func expired(in stage: Stage, waitingSince: Int64?, sourceIsSlow: Bool, now: Int64) -> String? {
        if let deadline, endsAt <= now {
            return "the exchange was not over within its deadline of \(Self.text(deadline))"
        }
        guard stageDue(stage, waitingSince, sourceIsSlow, now) <= now else { return nil }
        switch stage {
        case .pool: return "no connection became free within \(Self.text(phases.pool))"
        case .resolve: return "the name was not resolved within the \(Self.text(phases.connect)) for connecting"
        case .connect: return "not connected within \(Self.text(phases.connect))"
        case .proxy: return "the proxy gave no connection within \(Self.text(phases.connect))"
        case .tls: return "the TLS handshake was not over within \(Self.text(phases.tls))"
        case .send: return "the server took no byte of the request for \(Self.text(phases.writeIdle))"
        case .respond: return "no byte of a response came within \(Self.text(phases.firstByte))"
        case .head, .body: return "no byte of the response came for \(Self.text(phases.readIdle))"
        case .over: return nil
        }
    }

    private static func end(_ start: Int64, _ limit: Duration?) -> Int64 {
        guard let limit else { return .max }
        let (sum, overflow) = start.addingReportingOverflow(limit.wholeNanoseconds)
        return overflow ? .max : sum
    }

    private static func text(_ limit: Duration?) -> String {
        guard let limit else { return "its limit" }
        let milliseconds = limit.wholeNanoseconds / 1_000_000
        guard milliseconds >= 1000 else { return "\(milliseconds) ms" }
        return milliseconds % 1000 == 0 ? "\(milliseconds / 1000) s" : "\(Double(milliseconds) / 1000) s"
    }
}
