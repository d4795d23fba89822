import AirframeTransport
import Testing

@testable import AirframeLayers

@Suite("A circuit", .timeLimit(.minutes(1)))
struct CircuitTests {
    /// A step of a script, at a second.
    enum Step: Sendable {
        case pass(at: Int, Circuit.ExchangeResult)
        case reject(at: Int, for: Int)
    }

    private static let thresholds = CircuitThresholds(
        failureRatio: 0.5, minimumExchanges: 4, window: .seconds(10), openDuration: .seconds(5), probes: 2)

    private static func at(_ second: Int) -> MonotonicInstant {
        MonotonicInstant(nanoseconds: Int64(second) * 1_000_000_000)
    }

    @Test(
        "goes through its states",
        arguments: [
            ("too few exchanges", [.pass(at: 0, .failure), .pass(at: 0, .failure), .pass(at: 0, .failure)], .closed),
            (
                "half of enough exchanges fail",
                [.pass(at: 0, .success), .pass(at: 1, .failure), .pass(at: 2, .success), .pass(at: 3, .failure)], .open
            ),
            (
                "fewer than half fail",
                [.pass(at: 0, .success), .pass(at: 1, .success), .pass(at: 2, .success), .pass(at: 3, .failure)],
                .closed
            ),
            (
                "failures leave the window",
                [.pass(at: 0, .failure), .pass(at: 0, .failure), .pass(at: 11, .failure), .pass(at: 11, .failure)],
                .closed
            ),
            (
                "neutral outcomes do not count",
                [.pass(at: 0, .failure), .pass(at: 0, .neutral), .pass(at: 0, .neutral), .pass(at: 0, .neutral)],
                .closed
            ),
            (
                "an open circuit rejects",
                [
                    .pass(at: 0, .failure), .pass(at: 0, .failure), .pass(at: 0, .failure), .pass(at: 0, .failure),
                    .reject(at: 0, for: 5), .reject(at: 4, for: 1),
                ], .open
            ),
            (
                "all probes succeed",
                [
                    .pass(at: 0, .failure), .pass(at: 0, .failure), .pass(at: 0, .failure), .pass(at: 0, .failure),
                    .pass(at: 5, .success), .pass(at: 6, .success), .pass(at: 6, .failure),
                ], .closed
            ),
            (
                "a probe fails",
                [
                    .pass(at: 0, .failure), .pass(at: 0, .failure), .pass(at: 0, .failure), .pass(at: 0, .failure),
                    .pass(at: 5, .success), .pass(at: 6, .failure), .reject(at: 6, for: 5),
                ], .open
            ),
            (
                "a cancelled probe gives its place back",
                [
                    .pass(at: 0, .failure), .pass(at: 0, .failure), .pass(at: 0, .failure), .pass(at: 0, .failure),
                    .pass(at: 5, .neutral), .pass(at: 5, .neutral), .pass(at: 5, .neutral), .pass(at: 5, .success),
                    .pass(at: 5, .success),
                ], .closed
            ),
        ] as [(String, [Step], CircuitBreaker.State)]
    )
    func states(name: String, script: [Step], expected: CircuitBreaker.State) {
        var circuit = Circuit(Self.thresholds)
        for step in script {
            switch step {
            case .pass(let second, let outcome):
                guard case .admitted(let ticket) = circuit.admit(at: Self.at(second)) else {
                    Issue.record("\(name): rejected at \(second)")
                    return
                }
                circuit.record(outcome, ticket: ticket, at: Self.at(second))
            case .reject(let second, let rest):
                #expect(circuit.admit(at: Self.at(second)) == .rejected(for: .seconds(rest)), "\(name)")
            }
        }
        #expect(circuit.state == expected, "\(name)")
    }

    @Test("admits only as many concurrent probes as it needs")
    func concurrentProbes() {
        var circuit = Circuit(Self.thresholds)
        for _ in 0..<4 { circuit.record(.failure, ticket: 0, at: Self.at(0)) }
        #expect(circuit.state == .open)
        #expect(circuit.admit(at: Self.at(5)) == .admitted(ticket: 2))
        #expect(circuit.admit(at: Self.at(5)) == .admitted(ticket: 2))
        #expect(circuit.admit(at: Self.at(5)) == .rejected(for: .zero))
        #expect(circuit.state == .halfOpen)
    }

    @Test("ignores the outcomes of exchanges that began before its last change")
    func oldOutcomes() {
        var circuit = Circuit(Self.thresholds)
        for _ in 0..<4 { circuit.record(.failure, ticket: 0, at: Self.at(0)) }
        circuit.record(.success, ticket: 0, at: Self.at(1))
        #expect(circuit.state == .open)
        _ = circuit.admit(at: Self.at(5))
        circuit.record(.failure, ticket: 0, at: Self.at(5))
        #expect(circuit.state == .halfOpen, "the slow failure is not a probe")
    }
}
