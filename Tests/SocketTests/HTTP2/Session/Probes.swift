import AirframeConformance
import Testing

@testable import AirframeSocket

/// Servers limit the number of PINGs, and Jetty ends a connection with more than 128 in a second.
@Suite("PINGs that measure the delay of an HTTP/2 connection", .timeLimit(.minutes(1)))
struct Probes {
    private static let millisecond: Int64 = 1_000_000

    /// Acknowledges the PINGs that the session has written. Returns their number.
    private func acknowledge(_ server: MemoryServer) -> Int {
        let pings = server.frames().filter { $0.type == 6 && $0.flags == 0 }
        server.receive(pings.map { HTTP2Frame(type: 6, flags: 1, payload: $0.payload) })
        return pings.count
    }

    @Test("are few in a long download over a short path, however fast it is")
    func download() throws {
        let server = try MemoryServer()
        let stream = try server.open()
        _ = server.frames()
        server.receive([.ok()])
        let piece = Array(repeating: HTTP2Frame.data(Array(repeating: 1, count: 1_000)), count: 4)
        var count = 0
        // 20 MB within a second.
        for _ in 0..<5_000 {
            server.now += Self.millisecond / 5
            server.receive(piece)
            #expect(StreamTranscript(stream).content.count == 4_000)
            server.session.returnCredit(for: stream)
            count += acknowledge(server)
        }
        #expect(server.session.failure == nil)
        #expect((1...12).contains(count), "\(count)")
    }

    @Test("are not sent for small responses")
    func smallResponses() throws {
        let server = try MemoryServer()
        var count = 0
        for _ in 0..<1_000 {
            let stream = try server.open()
            let id = UInt32(stream.id)
            count += acknowledge(server)
            server.now += Self.millisecond
            server.receive([.ok(stream: id), .data(Array(repeating: 1, count: 4 << 10), end: true, stream: id)])
            #expect(StreamTranscript(stream).isWhole)
            server.session.returnCredit(for: stream)
        }
        count += acknowledge(server)
        #expect(count == 0)
    }

    /// The number of round trips until the target grows, if the server sends all that the window allows and then waits
    /// for credit.
    ///
    /// - Parameters:
    ///   - share: The part of the window that it sends in a round trip: half of it once credit is returned in halves.
    ///   - delay: The time of a round trip, in nanoseconds.
    ///   - now: The present time.
    private func roundCount(
        _ windows: inout HTTP2Windows, delay: Int64, from now: Int64, share: Double = 1
    ) -> Int {
        let (old, size) = (windows.target, 8 << 10)
        var (now, ping) = (now, UInt64(0))
        for round in 0..<100 {
            if ping > 0 { windows.endProbe(ping) }
            guard windows.target == old else { return round }
            for _ in 0..<Int(Double(old / size) * share) where windows.count(size, at: now) {
                ping = UInt64(1_000 + round)
                windows.beginProbe(ping, at: now)
            }
            now += delay
        }
        return 100
    }

    @Test(
        "enlarge the window within a few round trips", arguments: [1, 10, 50, 100, 300] as [Int64], [1, 0.625])
    func growth(delay: Int64, share: Double) {
        var windows = HTTP2Windows(HTTP2Limits())
        var now: Int64 = 0
        for _ in 0..<10 where windows.target < 16 << 20 {
            let count = roundCount(&windows, delay: delay * Self.millisecond, from: now, share: share)
            #expect(count <= 2)
            now += Self.millisecond
        }
        #expect(windows.target == 16 << 20)
    }

    @Test("enlarge the window soon after many short responses", arguments: [50, 100, 300] as [Int64], [1, 0.625])
    func growthAfterShortResponses(delay: Int64, share: Double) {
        var windows = HTTP2Windows(HTTP2Limits())
        var (now, ping) = (Int64(0), UInt64(0))
        for _ in 0..<100_000 where ping < 100 {
            now += Self.millisecond
            guard windows.count(16 << 10, at: now) else { continue }
            ping += 1
            windows.beginProbe(ping, at: now)
            windows.endProbe(ping)
        }
        #expect(windows.target == 64 << 10)
        #expect(ping == 100)
        let count = roundCount(&windows, delay: delay * Self.millisecond, from: now, share: share)
        // One interval and two round trips, in one of which the PING leaves.
        #expect(count <= 100 / Int(delay) + 3)
    }

    @Test("take two round trips for each growth if the server receives the larger window one round trip later")
    func lateGrowth() {
        var windows = HTTP2Windows(HTTP2Limits())
        var (now, ping, window) = (Int64(0), UInt64(0), windows.target)
        var roundCount = 0
        while window < 16 << 20, roundCount < 100 {
            windows.endProbe(ping)
            var received = 0
            while received < window {
                if windows.count(16 << 10, at: now) {
                    ping += 1
                    windows.beginProbe(ping, at: now)
                }
                received += 16 << 10
            }
            window = windows.target
            now += Self.millisecond
            roundCount += 1
        }
        #expect(roundCount <= 20)
    }

    @Test("wait for 100 ms unless the last one has enlarged the window")
    func interval() {
        var windows = HTTP2Windows(HTTP2Limits())
        let isFirstDue = windows.count(16 << 10, at: 0)
        windows.beginProbe(1, at: 0)
        windows.endProbe(1)
        let isEarlyDue = windows.count(1 << 20, at: 99 * Self.millisecond)
        let isSecondDue = windows.count(16 << 10, at: 100 * Self.millisecond)
        windows.beginProbe(2, at: 100 * Self.millisecond)
        let isDueMeanwhile = windows.count(64 << 10, at: 100 * Self.millisecond)
        windows.endProbe(2)
        #expect(windows.target == 128 << 10)
        let isThirdDue = windows.count(32 << 10, at: 100 * Self.millisecond)
        #expect([isFirstDue, isEarlyDue, isSecondDue, isDueMeanwhile, isThirdDue] == [true, false, true, false, true])
    }
}
