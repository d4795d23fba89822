// The functions with which engines and layers report the course of an exchange.

extension TransportRequest {
    /// Records a step in this exchange's timeline, and reports it to the sink if the sink wants such events.
    ///
    /// - Parameters:
    ///   - kind: The step. Not evaluated if there is neither a timeline nor a sink that wants it.
    ///   - clock: The transport's clock.
    public func report(_ kind: @autoclosure () -> TransportEvent.Kind, on clock: any TransportClock) {
        report(kind(), of: exchange, on: clock)
    }

    /// Records a step of another exchange that this request has led to, as ``report(_:on:)`` does.
    ///
    /// - Parameters:
    ///   - kind: The step. Not evaluated if there is neither a timeline nor a sink that wants it.
    ///   - exchange: The exchange.
    ///   - clock: The transport's clock.
    package func report(
        _ kind: @autoclosure () -> TransportEvent.Kind,
        of exchange: ExchangeIdentifier,
        on clock: any TransportClock
    ) {
        guard timelines != nil || events != nil else { return }
        let (kind, instant) = (kind(), clock.now)
        guard let events, events.wantedEvents.contains(kind.group) else {
            timelines?.record(kind, of: exchange, at: instant)
            return
        }
        let event = TransportEvent(kind, of: exchange, at: instant)
        timelines?.record(event)
        events.receive(event)
    }

    /// Reports a decision about this exchange, as ``report(_:on:)`` does.
    ///
    /// - Parameters:
    ///   - kind: The decision. Not evaluated if there is neither a timeline nor a sink that wants it.
    ///   - reason: The reason, for logs. Not evaluated in the same case.
    ///   - clock: The transport's clock.
    public func report(
        _ kind: @autoclosure () -> TransportDecision.Kind,
        because reason: @autoclosure () -> String,
        on clock: any TransportClock
    ) {
        report(.decided(TransportDecision(kind(), reason: reason())), on: clock)
    }

    /// Reports that this exchange failed, and returns the error to throw.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - clock: The transport's clock.
    public func failed(_ error: TransportError, on clock: any TransportClock) -> TransportError {
        report(.failed(error), on: clock)
        return error
    }

    /// Returns whether the sink wants any of `kinds`.
    public func wants(_ kinds: TransportEventKinds) -> Bool {
        events.map { !$0.wantedEvents.isDisjoint(with: kinds) } ?? false
    }

    /// Records a step in the timeline only.
    func record(_ kind: TransportEvent.Kind, on clock: any TransportClock) {
        timelines?.record(kind, of: exchange, at: clock.now)
    }
}
