import AirframeTransport
import Testing

@testable import AirframeSocket

@Suite("The gate of an exchange", .timeLimit(.minutes(1)))
struct ExchangeGateTests {
    private let timeout = TransportError(
        .timedOut, phase: .responseBody, processing: .unknown, message: "the deadline has passed")

    @Test("an interruption does not fail a body that its reader has received whole")
    func interruptedTooLate() throws {
        var gate = ExchangeGate()
        let isAdmitted = try gate.enter()
        #expect(isAdmitted)
        let mustEnd = gate.interrupt(timeout).mustEnd
        #expect(!mustEnd)
        gate.close(nil)
        let isAdmittedAgain = try gate.enter()
        #expect(!isAdmittedAgain)
        #expect(gate.interruption == nil)
    }

    @Test("an interrupted reader ends the exchange when it leaves, and the next one gets the error")
    func interrupted() throws {
        var gate = ExchangeGate()
        _ = try gate.enter()
        _ = gate.interrupt(timeout)
        let reason = gate.leave()
        #expect(reason?.code == .timedOut)
        let error = #expect(throws: TransportError.self) { _ = try gate.enter() }
        #expect(error?.code == .timedOut)
    }
}
