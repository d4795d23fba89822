import AirframeConformance
import AirframeTestSupport
import AirframeTransport
import AirframeWire
import Glibc
import HTTPTypes
import Synchronization
import Testing

@testable import AirframeSocket

@Suite("While the reactor's poll is lent", .timeLimit(.minutes(1)))
struct LendingTests {
    @Test("the pool polls under load, and the thread gets the poll back afterwards")
    func load() async throws {
        let reactor = try Reactor()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<16 {
                let (near, far) = try Pair.make(reactor)
                group.addTask { try await near.play(rounds: 200, isFirst: true) }
                group.addTask { try await far.play(rounds: 200, isFirst: false) }
            }
            try await group.waitForAll()
        }
        #expect(reactor.loop.poll.loanCount > 0)
        #expect(try await eventually { reactor.loop.poll.isThreads })
    }

    @Test("the thread takes the poll back from a pool that does not use it, and serves other priorities")
    func blockedPool() async throws {
        let reactor = try Reactor()
        let pool = try await BlockedLoan(reactor)
        defer { pool.end() }
        let (near, far) = try Pair.make(reactor)
        let start = Monotonic.now
        async let answer: Void = near.play(rounds: 50, isFirst: true)
        try await far.play(rounds: 50, isFirst: false)
        try await answer
        #expect(Monotonic.now - start < 2_000_000_000)
    }

    @Test("alarms fire in time, on the reactor's thread, regardless of the pool")
    func alarms() async throws {
        let reactor = try Reactor()
        let pool = try await BlockedLoan(reactor)
        defer { pool.end() }
        let rung = Mutex<(time: Int64, isOnThread: Bool)?>(nil)
        let alarm = reactor.makeAlarm { rung.withLock { $0 = (Monotonic.now, reactor.isCurrent) } }
        let due = Monotonic.now + 20_000_000
        alarm.set(due)
        #expect(try await eventually { rung.withLock { $0 != nil } })
        let (time, isOnThread) = try #require(rung.withLock { $0 })
        #expect(time >= due)
        #expect(isOnThread)
    }

    @Test("a limit ends a wait, and so does cancelling the task")
    func ends() async throws {
        let reactor = try Reactor()
        let pool = try await BlockedLoan(reactor)
        defer { pool.end() }
        let (near, far) = try Pair.make(reactor)
        let end = await near.wait(until: Monotonic.now + 20_000_000)
        guard case .timeUp = end else {
            Issue.record("\(end)")
            return
        }
        // Another socket: the first wait has left its socket's readiness to the next one.
        let (other, otherFar) = try Pair.make(reactor)
        let waiting = Task { await other.wait(until: .max) }
        waiting.cancel()
        guard case .cancelled = await waiting.value else {
            Issue.record("the wait was not cancelled")
            return
        }
        withExtendedLifetime((far, otherFar)) {}
    }

    @Test("the thread ends when the reactor is released before the pool has used the poll")
    func end() async throws {
        let pool: BlockedLoan
        let isGone: @Sendable () -> Bool
        do {
            let reactor = try Reactor()
            isGone = { [weak loop = reactor.loop] in loop == nil }
            pool = try await BlockedLoan(reactor)
        }
        pool.end()
        #expect(try await eventually { isGone() })
    }

    @Test("several transports with several reactors answer requests of every priority", arguments: [1, 3])
    func transports(reactorCount: Int) async throws {
        let server = try ScriptedServer.answering()
        var configuration = SocketTransport.Configuration()
        configuration.reactorCount = reactorCount
        let transports = (0..<2).map { _ in SocketTransport(configuration: configuration) }
        let priorities: [TaskPriority] = [.low, .medium, .high, .background]
        let total = try await withThrowingTaskGroup(of: Int.self) { group in
            for index in 0..<16 {
                group.addTask(priority: priorities[index / 4]) {
                    var total = 0
                    for _ in 0..<50 {
                        total += try await transports[index % 2].fetch(TransportRequest(.get, server.origin)).body.count
                    }
                    return total
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(total == 2 * 16 * 50)
        for transport in transports {
            let reactors = try transport.engine.get().reactors
            #expect(reactors.count == reactorCount)
            #expect(reactors.contains { $0.loop.poll.loanCount > 0 })
            await transport.shutdown()
            #expect(try await eventually { reactors.allSatisfy { $0.loop.poll.isThreads } })
        }
    }

    @Test("deadlines end requests and a shutdown completes while CPU-bound tasks hold the pool at another priority")
    func busyPool() async throws {
        let (server, silent) = (try ScriptedServer.answering(), try ScriptedServer.silent())
        let transport = SocketTransport()
        let hasEnded = Signal()
        defer { hasEnded.raise() }
        for _ in 0..<8 {
            Task.detached(priority: .low) { while !hasEnded.isUp {} }
        }
        let errors = await withTaskGroup(of: TransportError?.self) { group in
            for index in 0..<16 {
                group.addTask(priority: .high) {
                    let isSilent = index.isMultiple(of: 4)
                    let request = TransportRequest(.get, isSilent ? silent.origin : server.origin).with {
                        $0.options.deadline = isSilent ? .milliseconds(100) : .seconds(20)
                    }
                    return await transport.failure(of: request)
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(errors.compactMap(\.?.code) == [TransportError.Code](repeating: .timedOut, count: 4))
        await transport.shutdown()
    }
}

/// A connected pair of sockets, over which tasks pass a byte.
private final class Pair: Sendable {
    private let socket: Socket

    private init(_ socket: Socket) { self.socket = socket }

    static func make(_ reactor: Reactor) throws -> (Pair, Pair) {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
        try #require(socketpair(AF_UNIX, kind, 0, &ends) == 0)
        return (Pair(Socket(Descriptor(ends[0]), reactor)), Pair(Socket(Descriptor(ends[1]), reactor)))
    }

    func wait(until due: Int64) async -> Socket.WaitEnd {
        await socket.wait(for: .reading, until: due, nil, alarm: socket.makeAlarm())
    }

    func send() {
        let byte: UInt8 = 1
        _ = withUnsafeBytes(of: byte) { socket.write($0) }
    }

    func receive() async throws {
        var byte: UInt8 = 0
        while true {
            switch withUnsafeMutableBytes(of: &byte, { socket.read(into: $0) }) {
            case .bytes: return
            case .blocked:
                // A wait of a cancelled task ends immediately.
                try Task.checkCancellation()
                _ = await wait(until: .max)
            case .ended, .failed: throw CancellationError()
            }
        }
    }

    func play(rounds: Int, isFirst: Bool) async throws {
        for _ in 0..<rounds {
            if isFirst { send() }
            try await receive()
            if !isFirst { send() }
        }
    }
}

/// A loan at a priority whose pool threads are all blocked, so that no task uses the poll.
private final class BlockedLoan: Sendable {
    private let hasEnded = Signal()

    init(_ reactor: Reactor) async throws {
        let count = max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
        let (started, blocked, hasEnded) = (Counter(), Counter(), hasEnded)
        let pairs = try (0..<count).map { _ in try Pair.make(reactor) }
        for (near, _) in pairs {
            Task.detached(priority: .background) { [near = Box(near)] in
                started.count.add(1, ordering: .relaxed)
                try? await near.take()?.receive()
                blocked.count.add(1, ordering: .relaxed)
                hasEnded.wait()
            }
        }
        try #require(await eventually { started.count.load(ordering: .relaxed) == count })
        // A started task reaches its wait before this task runs again.
        await Task.detached(priority: .background) {}.value
        for (_, far) in pairs { far.send() }
        try #require(await eventually { blocked.count.load(ordering: .relaxed) == count })
        try #require(await eventually { reactor.loop.poll.loanCount > 0 })
    }

    func end() { hasEnded.raise() }
}

/// An end of a pair, which its task releases after it has received a byte.
private final class Box: Sendable {
    private let pair: Mutex<Pair?>

    init(_ pair: Pair) { self.pair = Mutex(pair) }

    func take() -> Pair? {
        pair.withLock { pair in
            defer { pair = nil }
            return pair
        }
    }
}

private final class Counter: Sendable {
    let count = Atomic(0)
}
