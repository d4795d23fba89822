internal import AirframeTransport
internal import AirframeWire

/// The limits of one exchange. A wait has one instant at which it is over; what ran out then is asked afterwards.
struct ExchangeLimits: Sendable {
    private let phases: PhaseLimits
    private let deadline: Duration?
    /// When the exchange has to be over; `.max` for never.
    let end: Int64

    /// Whether there is any limit.
    let isAny: Bool

    init(_ request: borrowing TransportRequest, clock: any TransportClock) {
        let options = request.options
        let remaining = request.remainingTime(on: clock)
        guard remaining != nil || !options.leavesTimeOpen else {
            phases = PhaseLimits()
            deadline = nil
            isAny = false
            end = .max
            return
        }
        phases = options.limits
        deadline = remaining.map { options.deadline ?? $0 }
        isAny = true
        end = remaining == nil ? .max : Monotonic.time(remaining, after: Monotonic.now)
    }

    /// When a wait in `stage` is over, that counts from `start`: the stage's beginning, or the last sign of life.
    func due(in stage: Stage, since start: Int64) -> Int64 {
        min(end, Monotonic.time(limit(of: stage), after: start))
    }

    /// The present, if it matters.
    var start: Int64 { isAny ? Monotonic.now : 0 }

    private func limit(of stage: Stage) -> Duration? {
        switch stage {
        case .pool: phases.pool
        case .resolve, .connect, .proxy: phases.connect
        case .tls: phases.tls
        case .send: phases.writeIdle
        case .respond: phases.firstByte
        case .head, .body: phases.readIdle
        }
    }

    /// Says which limit has run out in `stage`.
    func text(in stage: Stage) -> String {
        if let deadline, Monotonic.now >= end {
            return "the exchange was not over within its deadline of \(Self.text(deadline))"
        }
        let limit = Self.text(limit(of: stage))
        return switch stage {
        case .pool: "no connection became free within \(limit)"
        case .resolve: "the name was not resolved within the \(limit) for connecting"
        case .connect: "not connected within \(limit)"
        case .proxy: "the proxy gave no connection within \(limit)"
        case .tls: "the TLS handshake was not over within \(limit)"
        case .send: "the server took no byte of the request for \(limit)"
        case .respond: "no byte of a response came within \(limit)"
        case .head, .body: "no byte of the response came for \(limit)"
        }
    }

    private static func text(_ limit: Duration?) -> String {
        guard let limit else { return "its limit" }
        let milliseconds = limit.wholeNanoseconds / 1_000_000
        guard milliseconds >= 1000 else { return "\(milliseconds) ms" }
        return milliseconds % 1000 == 0 ? "\(milliseconds / 1000) s" : "\(Double(milliseconds) / 1000) s"
    }
}
