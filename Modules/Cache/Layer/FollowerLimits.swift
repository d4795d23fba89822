internal import AirframeTransport

/// The time limits of a request that waits for the response to another request.
///
/// The engine enforces the limits of the request that was sent, and no others. A follower therefore limits its own
/// waits, with the errors that an engine has for these limits. The limits on phases before the response do not apply: a
/// follower cannot tell whether the other request still waits for a connection.
struct FollowerLimits: Sendable {
    /// A wait of a follower.
    enum Wait: Sendable {
        /// For the head of the response.
        case head
        /// For bytes of its content.
        case content

        fileprivate var phase: TransportPhase { self == .head ? .responseHead : .responseBody }
    }

    /// The clock of the limits.
    let clock: any TransportClock
    /// The instant by which the exchange has to be over.
    private let end: MonotonicInstant?
    /// The length of the deadline, for messages.
    private let deadline: Duration?
    private let phases: PhaseLimits
    private let origin: Origin?

    /// Returns the limits of a request; `nil` if it has none.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - clock: The clock of the limits.
    ///   - start: The start of a deadline that has not been started yet.
    init?(_ request: TransportRequest, _ clock: any TransportClock, since start: MonotonicInstant? = nil) {
        let traits = request.traits
        guard traits.hasDeadline || traits.limitsTime else { return nil }
        let options = request.options
        self.clock = clock
        end = request.deadline ?? start.flatMap { start in options.deadline.map { start.advanced(by: $0) } }
        deadline = request.remainingTime(on: clock).map { options.deadline ?? $0 }
        phases = options.limits
        origin = Origin(request.head)
    }

    /// Whether the deadline has passed.
    var isOver: Bool { end.map { $0 <= clock.now } ?? false }

    /// Whether these limits may end content that a request with the limits `other` could still read.
    ///
    /// A deadline counts as stricter if less than half of the other's time is left. Otherwise requests with equal
    /// deadlines, which begin one after the other, would never share a response.
    func areStricter(than other: FollowerLimits?) -> Bool {
        if let idle = phases.readIdle {
            guard let otherIdle = other?.phases.readIdle, otherIdle <= idle else { return true }
        }
        guard let end else { return false }
        guard let otherEnd = other?.end else { return true }
        let now = clock.now
        return now.duration(to: end) < now.duration(to: otherEnd) / 2
    }

    /// Returns the instant at which a wait times out; `nil` for never.
    ///
    /// - Parameters:
    ///   - wait: The wait.
    ///   - start: Its start.
    func due(_ wait: Wait, since start: MonotonicInstant) -> MonotonicInstant? {
        guard let limit = self.limit(of: wait) else { return end }
        let due = start.advanced(by: limit)
        return end.map { min(due, $0) } ?? due
    }

    /// Returns the error of a wait that has timed out.
    func error(_ wait: Wait) -> TransportError {
        TransportError(
            .timedOut, phase: wait.phase, processing: .unknown, message: message(wait), origin: origin)
    }

    private func limit(of wait: Wait) -> Duration? { wait == .head ? phases.firstByte : phases.readIdle }

    private func message(_ wait: Wait) -> String {
        if isOver { return "the exchange did not end within its deadline of \(Self.text(deadline))" }
        let limit = Self.text(self.limit(of: wait))
        return switch wait {
        case .head: "no byte of a response arrived within \(limit)"
        case .content: "no further byte of the response arrived for \(limit)"
        }
    }

    private static func text(_ limit: Duration?) -> String {
        guard let limit else { return "its limit" }
        let milliseconds = limit.wholeNanoseconds / 1_000_000
        guard milliseconds >= 1000 else { return "\(milliseconds) ms" }
        return milliseconds % 1000 == 0 ? "\(milliseconds / 1000) s" : "\(Double(milliseconds) / 1000) s"
    }
}
