import AirframeTestSupport
import AirframeWire
import Glibc
import Testing

@testable import AirframeSocket

@Suite("Waits for a socket", .timeLimit(.minutes(1)))
struct WaitTests {
    private let socket: Socket
    private let peer: Socket

    /// Creates a socket that the reactor has found readable.
    init() async throws {
        let reactor = try Reactor()
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
        let socket = Socket(Descriptor(ends[0]), reactor)
        let peer = Socket(Descriptor(ends[1]), reactor)
        self.socket = socket
        self.peer = peer
        try #require(socket.startWatching() == 0)
        try #require([UInt8(1)].withUnsafeBytes { peer.write($0) } == .bytes(1))
        try await eventually { socket.mayBeReadable }
    }

    private func wait(until due: Int64 = .max) async -> Socket.WaitEnd {
        await socket.wait(for: .reading, until: due, nil, alarm: socket.makeAlarm())
    }

    @Test("a wait that was cancelled does not hide the bytes that have arrived from the next one")
    func cancelled() async {
        let task = Task {
            while !Task.isCancelled { await Task.yield() }
            return await wait()
        }
        task.cancel()
        guard case .cancelled = await task.value else {
            Issue.record("the wait was not cancelled")
            return
        }
        // Without readiness, this waits for an edge that the kernel has reported.
        guard case .ready = await wait(until: Monotonic.now + 20_000_000_000) else {
            Issue.record("the bytes were lost")
            return
        }
    }

    @Test("a writer and a reader that both need room are both resumed")
    func room() async throws {
        let block = [UInt8](repeating: 0, count: 4096)
        for size in [4096, 1] {
            while case .bytes = block[..<size].withUnsafeBytes({ socket.write($0) }) {}
        }
        let tasks = [Socket.Direction.writing, .roomForReading].map { direction in
            Task {
                while [UInt8(1)].withUnsafeBytes({ socket.write($0) }) == .blocked {
                    let due = Monotonic.now + 20_000_000_000
                    guard case .ready = await socket.wait(for: direction, until: due, nil, alarm: socket.makeAlarm())
                    else {
                        Issue.record("the socket did not become ready")
                        return
                    }
                }
            }
        }
        // Enough for both tasks to find no room. If they start later, the test passes.
        try await Task.sleep(for: .milliseconds(100))
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while case .bytes = buffer.withUnsafeMutableBytes({ peer.read(into: $0) }) {}
        for task in tasks { await task.value }
    }

    @Test("a spin that finds bytes after the time is up ends the wait")
    func timeUpInSpin() async {
        for (due, isUp) in [(Monotonic.now - 1, true), (Monotonic.now + 20_000_000_000, false)] {
            let end = await socket.wait(for: .reading, until: due, SpinBudget(), alarm: socket.makeAlarm())
            switch end {
            case .timeUp: #expect(isUp)
            case .ready: #expect(!isUp)
            case .cancelled, .failed: Issue.record("the wait was neither over nor ready")
            }
        }
    }

    @Test("a spin for bytes that arrive late skips the next spins")
    func lateInSpin() async throws {
        var byte: UInt8 = 0
        _ = withUnsafeMutableBytes(of: &byte) { socket.read(into: $0) }
        let writer = Task.detached { [peer] in
            try await Task.sleep(for: .milliseconds(1))
            _ = [UInt8(1)].withUnsafeBytes { peer.write($0) }
        }
        let budget = SpinBudget()
        // The result depends on whether the byte arrives before the timeout.
        _ = socket.spin(for: .reading, budget, isAlone: true)
        #expect([budget.isWorthwhile(), budget.isWorthwhile()] == [false, true])
        try await writer.value
    }

    @Test("a wait whose time is up does not hide the bytes that have arrived from the next one")
    func timeUp() async {
        guard case .timeUp = await wait(until: Monotonic.now - 1) else {
            Issue.record("the time was not up")
            return
        }
        guard case .ready = await wait(until: Monotonic.now + 20_000_000_000) else {
            Issue.record("the bytes were lost")
            return
        }
    }
}
