internal import AirframeTransport

/// The circuit of one origin: a pure state machine without locks.
struct Circuit: Sendable {
    /// The result of an exchange, as far as it concerns the server.
    enum ExchangeResult: Sendable {
        case success
        case failure
        /// The exchange gives no evidence about the server: the caller cancelled it, or it was never sent.
        case neutral
    }

    /// The decision on a request.
    enum Admission: Sendable, Equatable {
        /// The request is admitted. Its result is reported with the ticket.
        case admitted(ticket: Int)
        /// The request is rejected. The duration is the remaining open time, or zero while the probes of a half-open
        /// circuit are in flight.
        case rejected(for: Duration)
    }

    private enum Phase: Sendable {
        case closed(Tally)
        case open(until: MonotonicInstant)
        case halfOpen(admitted: Int, succeeded: Int)
    }

    private let thresholds: CircuitThresholds
    private var phase: Phase = .closed(Tally())
    /// Incremented with each change of the phase. Outcomes of exchanges that began in an earlier phase do not count.
    private var generation = 0

    init(_ thresholds: CircuitThresholds) { self.thresholds = thresholds }

    /// The state, regardless of the time: an open circuit becomes half-open with the first request after its open
    /// duration.
    var state: CircuitBreaker.State {
        switch phase {
        case .closed: .closed
        case .open: .open
        case .halfOpen: .halfOpen
        }
    }

    /// The failures and exchanges within the window.
    func counts(at now: MonotonicInstant) -> (failures: Int, exchanges: Int) {
        guard case .closed(var tally) = phase else { return (0, 0) }
        tally.drop(before: now, thresholds.window)
        return (tally.failures, tally.exchanges)
    }

    mutating func admit(at now: MonotonicInstant) -> Admission {
        switch phase {
        case .closed: return .admitted(ticket: generation)
        case .open(let end):
            guard end <= now else { return .rejected(for: now.duration(to: end)) }
            enter(.halfOpen(admitted: 1, succeeded: 0))
            return .admitted(ticket: generation)
        case .halfOpen(let admitted, let succeeded):
            guard admitted < thresholds.probes else { return .rejected(for: .zero) }
            phase = .halfOpen(admitted: admitted + 1, succeeded: succeeded)
            return .admitted(ticket: generation)
        }
    }

    mutating func record(_ result: ExchangeResult, ticket: Int, at now: MonotonicInstant) {
        guard ticket == generation else { return }
        switch (phase, result) {
        case (.closed(var tally), .success), (.closed(var tally), .failure):
            tally.drop(before: now, thresholds.window)
            tally.add(isFailure: result == .failure, at: now, thresholds.window)
            if tally.exchanges >= thresholds.minimumExchanges,
                Double(tally.failures) >= thresholds.failureRatio * Double(tally.exchanges), tally.failures > 0
            {
                enter(.open(until: now.advanced(by: thresholds.openDuration)))
            } else {
                phase = .closed(tally)
            }
        case (.halfOpen(let admitted, let succeeded), .success):
            if succeeded + 1 >= thresholds.probes {
                enter(.closed(Tally()))
            } else {
                phase = .halfOpen(admitted: admitted, succeeded: succeeded + 1)
            }
        case (.halfOpen, .failure): enter(.open(until: now.advanced(by: thresholds.openDuration)))
        case (.halfOpen(let admitted, let succeeded), .neutral):
            phase = .halfOpen(admitted: admitted - 1, succeeded: succeeded)
        case (.closed, .neutral), (.open, _): break
        }
    }

    private mutating func enter(_ next: Phase) {
        phase = next
        generation &+= 1
    }
}

/// The exchanges of a sliding window, counted in tenths of it.
private struct Tally: Sendable {
    private struct Slot: Sendable {
        let start: MonotonicInstant
        var failures = 0
        var exchanges = 0
    }

    private var slots: [Slot] = []

    var failures: Int { slots.reduce(0) { $0 + $1.failures } }
    var exchanges: Int { slots.reduce(0) { $0 + $1.exchanges } }

    mutating func drop(before now: MonotonicInstant, _ window: Duration) {
        slots.removeAll { $0.start.duration(to: now) >= window }
    }

    mutating func add(isFailure: Bool, at now: MonotonicInstant, _ window: Duration) {
        if slots.last.map({ $0.start.duration(to: now) >= window / 10 }) ?? true { slots.append(Slot(start: now)) }
        slots[slots.count - 1].exchanges += 1
        if isFailure { slots[slots.count - 1].failures += 1 }
    }
}
