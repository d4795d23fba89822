import Testing

@testable import AirframeSocket

@Suite("the keepalive of an HTTP/2 connection (RFC 9113 §6.7)", .timeLimit(.minutes(1)))
struct KeepAliveSteps {
    private let keepAlive = HTTP2KeepAlive(interval: Duration.nanoseconds(30), timeout: Duration.nanoseconds(10))

    /// The present time, when the last bytes arrived, when the unacknowledged PING was sent, and the step.
    static let steps: [(Int64, Int64, Int64?, HTTP2KeepAlive.Step)] = [
        // Silence.
        (0, 0, nil, .wait(until: 30)),
        (29, 0, nil, .wait(until: 30)),
        (30, 0, nil, .ping(again: 40)),
        (99, 0, nil, .ping(again: 109)),
        // A PING without an answer.
        (30, 0, 30, .wait(until: 40)),
        (39, 0, 30, .wait(until: 40)),
        (40, 0, 30, .fail),
        (99, 29, 30, .fail),
        // A PING, then other bytes than its acknowledgement, then silence.
        (31, 31, 30, .wait(until: 61)),
        (40, 31, 30, .wait(until: 61)),
        (60, 31, 30, .wait(until: 61)),
        (61, 31, 30, .ping(again: 71)),
        (99, 31, 30, .ping(again: 109)),
        (40, 30, 30, .wait(until: 60)),
        // The second PING.
        (61, 31, 61, .wait(until: 71)),
        (71, 31, 61, .fail),
        (71, 70, 61, .wait(until: 100)),
    ]

    @Test("each order of bytes, PING and silence has its step", arguments: steps)
    func step(_ now: Int64, _ receivedAt: Int64, _ pingedAt: Int64?, _ expected: HTTP2KeepAlive.Step) {
        #expect(keepAlive.step(at: now, receivedAt: receivedAt, pingedAt: pingedAt) == expected)
    }

    @Test("no step is set for the past")
    func future() {
        let keepAlive = HTTP2KeepAlive(interval: Duration.nanoseconds(7), timeout: Duration.nanoseconds(3))
        var overdue = 0
        for now in Int64(0)...40 {
            for receivedAt in 0...now {
                for pingedAt in [Int64?.none] + (0...now).map(Optional.some) {
                    switch keepAlive.step(at: now, receivedAt: receivedAt, pingedAt: pingedAt) {
                    case .wait(let instant), .ping(let instant): overdue += instant > now ? 0 : 1
                    case .fail: break
                    }
                }
            }
        }
        #expect(overdue == 0)
    }

    @Test("without an interval no PING is sent")
    func off() {
        let keepAlive = HTTP2KeepAlive(interval: nil, timeout: Duration.nanoseconds(10))
        #expect(keepAlive.step(at: 1_000, receivedAt: 0, pingedAt: nil) == .wait(until: .max))
    }
}
