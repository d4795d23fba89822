public import AirframeTransport
internal import Synchronization

/// The circuits of a ``CircuitBreakerLayer``, one for each origin.
///
/// A circuit is closed while its server works. When too many exchanges fail, it opens: requests are rejected
/// immediately, which saves the caller a wait and the server load. After the open duration it is half-open: a few
/// requests probe the server, and their results close the circuit or open it again.
///
/// A class, because sessions may share it: make several layers with the same object.
public final class CircuitBreaker: Sendable {
    /// The state of a circuit.
    public enum State: String, Sendable, Hashable {
        /// Requests pass.
        case closed
        /// Requests are rejected.
        case open
        /// Probes pass, other requests are rejected.
        case halfOpen = "half-open"
    }

    /// A change of a circuit's state.
    struct Change: Sendable {
        let state: State
        let reason: String
    }

    /// The limits of all circuits.
    public let thresholds: CircuitThresholds

    private static let limit = 1024

    // Guards the circuits. An origin without one has a closed circuit.
    private let circuits = Mutex<[Origin: Circuit]>([:])

    /// Creates closed circuits.
    ///
    /// - Parameter thresholds: The limits of all circuits.
    public init(_ thresholds: CircuitThresholds = CircuitThresholds()) { self.thresholds = thresholds }

    /// Returns the state of an origin's circuit. An open circuit becomes half-open with the first request after its
    /// open duration.
    public func state(of origin: Origin) -> State { circuits.withLock { $0[origin]?.state ?? .closed } }

    /// Closes the circuit of an origin and resets its counts.
    public func reset(_ origin: Origin) { circuits.withLock { $0[origin] = nil } }

    func admit(_ origin: Origin, at now: MonotonicInstant) -> (Circuit.Admission, Change?) {
        change(origin) { circuit in
            let admission = circuit.admit(at: now)
            return (admission, "it was open for \(thresholds.openDuration); this request probes the server")
        }
    }

    func record(_ result: Circuit.ExchangeResult, of origin: Origin, ticket: Int, at now: MonotonicInstant) -> Change? {
        change(origin) { circuit in
            let counts = circuit.counts(at: now)
            let wasHalfOpen = circuit.state == .halfOpen
            circuit.record(result, ticket: ticket, at: now)
            let reason =
                switch circuit.state {
                case .open where wasHalfOpen: "the probe failed"
                case .open:
                    "\(counts.failures + 1) of \(counts.exchanges + 1) exchanges failed within \(thresholds.window)"
                default: "\(thresholds.probes) of \(thresholds.probes) probes succeeded"
                }
            return ((), reason)
        }.1
    }

    /// Changes a circuit. Returns the new state if it has changed.
    private func change<Value>(
        _ origin: Origin,
        _ body: (inout Circuit) -> (Value, reason: String)
    ) -> (Value, Change?) {
        circuits.withLock { circuits in
            var circuit = circuits[origin] ?? Circuit(thresholds)
            let before = circuit.state
            let (value, reason) = body(&circuit)
            if circuits[origin] == nil, circuits.count >= Self.limit { Self.makeRoom(&circuits) }
            circuits[origin] = circuit
            return (value, circuit.state == before ? nil : Change(state: circuit.state, reason: reason))
        }
    }

    /// Removes a closed circuit, or any circuit if none is closed.
    private static func makeRoom(_ circuits: inout [Origin: Circuit]) {
        let index = circuits.firstIndex { $0.value.state == .closed } ?? circuits.startIndex
        circuits.remove(at: index)
    }
}
