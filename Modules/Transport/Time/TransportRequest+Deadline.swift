// A deadline is an instant. The option is a duration, because it is set before the request starts.

extension TransportRequest {
    /// Turns the deadline of the options into an instant, unless there is one already.
    ///
    /// A session, and every layer that may send a request again, calls it before the first exchange, so that the
    /// deadline holds for all exchanges together.
    ///
    /// - Parameter clock: The transport's clock.
    public mutating func startDeadline(on clock: any TransportClock) {
        guard deadline == nil, let limit = options.deadline else { return }
        deadline = clock.now.advanced(by: limit)
    }

    /// Brings the deadline forward to `end`, if it is later or not set.
    public mutating func bringDeadlineForward(to end: MonotonicInstant) {
        deadline = deadline.map { min($0, end) } ?? end
    }

    /// The time until the deadline, negative if it has passed; `nil` if there is none.
    ///
    /// - Parameter clock: The transport's clock.
    public func remainingTime(on clock: any TransportClock) -> Duration? {
        deadline.map { clock.now.duration(to: $0) }
    }

    /// Checks that the deadline has not passed.
    ///
    /// - Parameters:
    ///   - clock: The transport's clock.
    ///   - phase: The phase in which to fail.
    ///   - processing: Whether the server can have acted on the request.
    ///   - event: What was still to happen, for the error's message.
    /// - Throws: ``TransportError/Code/timedOut``.
    public func requireTime(
        on clock: any TransportClock,
        in phase: TransportPhase = .layer,
        processing: TransportError.Processing = .unknown,
        before event: @autoclosure () -> String
    ) throws(TransportError) {
        guard let deadline, clock.now >= deadline else { return }
        throw TransportError(
            .timedOut,
            phase: phase,
            processing: processing,
            message: "the deadline ran out before \(event())",
            origin: Origin(head)
        )
    }
}
