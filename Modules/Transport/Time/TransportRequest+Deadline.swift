// A deadline is an instant. The option is a duration, because it is set before the request starts.

extension TransportRequest {
    /// Sets ``deadline`` from the deadline of the options, unless it is set already.
    ///
    /// A session, and every layer that may send a request again, calls it before the first exchange, so that one
    /// deadline applies to all exchanges together.
    ///
    /// - Parameter clock: The transport's clock.
    public mutating func startDeadline(on clock: any TransportClock) {
        guard deadline == nil, let limit = options.deadline else { return }
        deadline = clock.now.advanced(by: limit)
    }

    /// Moves the deadline forward to `end` if it is later or not set.
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
    ///   - phase: The phase of the error.
    ///   - processing: Whether the server may have processed the request.
    ///   - event: The event that the deadline precluded, for the error's message.
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
            message: "the deadline elapsed before \(event())",
            origin: Origin(head)
        )
    }
}
