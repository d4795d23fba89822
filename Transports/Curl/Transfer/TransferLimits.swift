internal import AirframeTransport

/// The time limits of one transfer, and the instants at which they started.
struct TransferLimits {
    /// The wait that the limits on idle time apply to. While the response's body is received, the request may still be
    /// sent.
    enum IdleWait {
        /// The transfer waits for the source of the request's content, which has no limit.
        case source
        /// The server is to accept bytes of the request.
        case writing
        /// The server is to send bytes of the response.
        ///
        /// - Parameter since: The instant since which a reader has waited for them, or `nil` if none waits.
        case reading(since: Int64?)
    }

    /// A limit that is exceeded.
    struct Excess {
        let phase: TransportPhase
        let message: String
    }

    private let phases: PhaseLimits
    private let deadline: Duration?
    /// The instant of the deadline; `.max` for none.
    private let endsAt: Int64
    /// The start of the current stage; for the stages up to TLS, the start of connecting.
    private var stageSince: Int64
    /// The instant from which the limit on idle reading counts.
    private var readSince: Int64
    /// The instant from which the limit on idle writing counts.
    private var writeSince: Int64
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
        readSince = now
        writeSince = now
    }

    private static let features: TransportFeatures = [
        .deadline, .poolLimit, .connectLimit, .tlsLimit, .writeIdleLimit, .firstByteLimit, .readIdleLimit,
    ]

    mutating func enter(_ stage: Stage, from last: Stage, now: Int64) {
        readSince = now
        let isSamePart = (Stage.resolve...Stage.proxy).contains(stage) && (Stage.resolve...Stage.proxy).contains(last)
        if !isSamePart { stageSince = now }
    }

    mutating func restartReadIdle(_ now: Int64) { readSince = now }

    mutating func restartWriteIdle(_ now: Int64) { writeSince = now }

    /// Returns the instant at which the first limit is exceeded; `.max` for never.
    func due(in stage: Stage, _ wait: IdleWait, now: Int64) -> Int64 { min(endsAt, stageDue(stage, wait, now)) }

    private func stageDue(_ stage: Stage, _ wait: IdleWait, _ now: Int64) -> Int64 {
        switch stage {
        case .pool: Self.end(stageSince, phases.pool)
        case .resolve, .connect, .proxy: Self.end(stageSince, phases.connect)
        case .tls: Self.end(stageSince, phases.tls)
        case .send, .body: idleDue(wait, now)
        case .respond: Self.end(stageSince, phases.firstByte)
        case .head: Self.end(readSince, phases.readIdle)
        case .over: .max
        }
    }

    /// Returns the instant at which the limit on idle time is exceeded. A limit that does not run, because the source
    /// is slow or no reader waits, is checked again after its length.
    private func idleDue(_ wait: IdleWait, _ now: Int64) -> Int64 {
        switch wait {
        case .source: Self.end(now, phases.writeIdle)
        case .writing: Self.end(writeSince, phases.writeIdle)
        case .reading(let since): Self.end(since.map { max($0, readSince) } ?? now, phases.readIdle)
        }
    }

    /// Returns the limit that is exceeded at `now`, or `nil` if none is.
    func exceeded(in stage: Stage, _ wait: IdleWait, now: Int64) -> Excess? {
        if let deadline, endsAt <= now {
            let message = "the exchange was not over within its deadline of \(Self.text(deadline))"
            return Excess(phase: stage.phase, message: message)
        }
        guard stageDue(stage, wait, now) <= now else { return nil }
        switch (stage, wait) {
        // The head of the response may have arrived before the request is sent whole.
        case (.send, _), (.body, .source), (.body, .writing):
            let message = "the server took no byte of the request for \(Self.text(phases.writeIdle))"
            return Excess(phase: .requestBody, message: message)
        default: return Excess(phase: stage.phase, message: message(in: stage))
        }
    }

    private func message(in stage: Stage) -> String {
        switch stage {
        case .pool: "no connection became free within \(Self.text(phases.pool))"
        case .resolve: "the name was not resolved within the \(Self.text(phases.connect)) for connecting"
        case .connect: "not connected within \(Self.text(phases.connect))"
        case .proxy: "the proxy gave no connection within \(Self.text(phases.connect))"
        case .tls: "the TLS handshake was not over within \(Self.text(phases.tls))"
        case .send: "the server took no byte of the request for \(Self.text(phases.writeIdle))"
        case .respond: "no byte of a response came within \(Self.text(phases.firstByte))"
        case .head, .body, .over: "no byte of the response came for \(Self.text(phases.readIdle))"
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
