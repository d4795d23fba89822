// How engines and layers report the course of an exchange, each in one line.

extension TransportRequest {
    /// Records what happened in this exchange's timeline, and reports it to the sink if it asks for such events.
    ///
    /// - Parameters:
    ///   - kind: What happened. Not made if there is neither a timeline nor a sink that asks for it.
    ///   - clock: The transport's clock.
    public func report(_ kind: @autoclosure () -> TransportEvent.Kind, on clock: any TransportClock) {
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
    ///   - kind: What was decided. Not made if nobody asks for it.
    ///   - reason: Why, in words. Not made if nobody asks for it.
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
    ///   - error: Why it failed.
    ///   - clock: The transport's clock.
    public func failed(_ error: TransportError, on clock: any TransportClock) -> TransportError {
        report(.failed(error), on: clock)
        return error
    }

    /// Whether the sink asks for any of `kinds`.
    public func wants(_ kinds: TransportEventKinds) -> Bool {
        events.map { !$0.wantedEvents.isDisjoint(with: kinds) } ?? false
    }

    /// Records what happened in the timeline alone.
    func record(_ kind: TransportEvent.Kind, on clock: any TransportClock) {
        timelines?.record(kind, of: exchange, at: clock.now)
    }
}
