internal import AirframeTransport
internal import AirframeWire

/// The limits of one exchange. Each wait has a single due instant; which limit it was is determined afterwards.
struct ExchangeLimits: Sendable {
    // One reference: limits that are not set would be seven values to store.
    private let options: TransportOptions
    private let deadline: Duration?
    /// The exchange's deadline; `.max` for none.
    let end: Int64

    /// Whether the exchange has any limit.
    let isAny: Bool

    init(_ request: borrowing TransportRequest, _ traits: RequestTraits, clock: @autoclosure () -> any TransportClock) {
        guard traits.hasDeadline || traits.limitsTime else {
            options = TransportOptions()
            deadline = nil
            isAny = false
            end = .max
            return
        }
        let options = request.options
        let remaining = traits.hasDeadline ? request.remainingTime(on: clock()) : nil
        self.options = options
        deadline = remaining.map { options.deadline ?? $0 }
        isAny = true
        end = remaining == nil ? .max : Monotonic.time(remaining, after: Monotonic.now)
    }

    /// Returns when a wait in `stage` times out.
    ///
    /// - Parameter start: When the stage began or last made progress.
    func due(in stage: Stage, since start: Int64) -> Int64 {
        min(end, Monotonic.time(limit(of: stage), after: start))
    }

    /// The current time; 0 without limits, which need no clock.
    var start: Int64 { isAny ? Monotonic.now : 0 }

    private func limit(of stage: Stage) -> Duration? {
        switch stage {
        case .pool: options.limits.pool
        case .resolve, .connect, .proxy: options.limits.connect
        case .tls: options.limits.tls
        case .send: options.limits.writeIdle
        case .respond: options.limits.firstByte
        case .head, .body: options.limits.readIdle
        }
    }

    /// Returns a message that names the limit that has run out in `stage`.
    func text(in stage: Stage) -> String {
        if let deadline, Monotonic.now >= end {
            return "the exchange did not end within its deadline of \(Self.text(deadline))"
        }
        let limit = Self.text(limit(of: stage))
        return switch stage {
        case .pool: "no connection became free within \(limit)"
        case .resolve: "the name was not resolved within the \(limit) for connecting"
        case .connect: "no connection was established within \(limit)"
        case .proxy: "the proxy established no connection within \(limit)"
        case .tls: "the TLS handshake did not finish within \(limit)"
        case .send: "the server accepted no byte of the request for \(limit)"
        case .respond: "no byte of a response arrived within \(limit)"
        case .head, .body: "no further byte of the response arrived for \(limit)"
        }
    }

    private static func text(_ limit: Duration?) -> String {
        guard let limit else { return "its limit" }
        let milliseconds = limit.wholeNanoseconds / 1_000_000
        guard milliseconds >= 1000 else { return "\(milliseconds) ms" }
        return milliseconds % 1000 == 0 ? "\(milliseconds / 1000) s" : "\(Double(milliseconds) / 1000) s"
    }
}
