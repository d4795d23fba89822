import AirframeTestSupport
import AirframeWire
import Glibc
import Synchronization
import Testing

@testable import AirframeSocket

@Suite("The reactor", .timeLimit(.minutes(1)))
struct ReactorTests {
    @Test("readiness before the wait is not lost, and is consumed once")
    func earlyReadiness() async {
        let slot = Slot()
        slot.slot.signal()
        slot.slot.signal()
        await slot.slot.wait()
        #expect(!slot.isReady)
    }

    @Test("a waiting task is woken for each of a hundred thousand signals")
    func pingPong() async {
        let (here, there) = (Slot(), Slot())
        let count = 100_000
        let other = Task.detached {
            for _ in 0..<count {
                await there.slot.wait()
                here.slot.signal()
            }
        }
        for _ in 0..<count {
            there.slot.signal()
            await here.slot.wait()
        }
        await other.value
    }

    @Test("alarms fire in the order of their times, in whatever order they were set")
    func order() async throws {
        let rung = Mutex<[Int]>([])
        let reactor = try Reactor()
        let now = Monotonic.now
        let delays = [50, 10, 40, 20, 30, 5, 45]
        let alarms = delays.map { delay in
            let alarm = reactor.makeAlarm { rung.withLock { $0.append(delay) } }
            alarm.set(now + Int64(delay) * 2_000_000)
            return alarm
        }
        try await Task.sleep(for: .milliseconds(400))
        #expect(rung.withLock { $0 } == delays.sorted())
        withExtendedLifetime(alarms) {}
    }

    @Test("a postponed alarm fires once, later; an advanced alarm earlier; a cancelled alarm never")
    func change() async throws {
        let rung = Mutex<[String: Int64]>([:])
        let reactor = try Reactor()
        func alarm(_ name: String) -> Alarm {
            reactor.makeAlarm { rung.withLock { #expect($0.updateValue(Monotonic.now, forKey: name) == nil) } }
        }
        let start = Monotonic.now
        let (late, early, never, silenced) = (alarm("late"), alarm("early"), alarm("never"), alarm("silenced"))
        late.set(start + 20_000_000)
        late.set(start + 200_000_000)
        early.set(start + 5_000_000_000)
        early.set(start + 20_000_000)
        never.set(start + 20_000_000)
        never.cancel()
        silenced.set(start + 20_000_000)
        silenced.set(.max)
        try await Task.sleep(for: .milliseconds(400))
        let times = rung.withLock { $0 }
        #expect(Set(times.keys) == ["late", "early"])
        #expect(try #require(times["late"]) >= start + 200_000_000)
        #expect(try #require(times["early"]) >= start + 20_000_000)
    }

    @Test("a thousand alarms are set, moved and cancelled by many tasks, and all others fire")
    func crowd() async throws {
        let reactor = try Reactor()
        let count = Atomic(0)
        let alarms = (0..<1000).map { _ in reactor.makeAlarm { count.add(1, ordering: .relaxed) } }
        await withTaskGroup(of: Void.self) { group in
            for part in 0..<4 {
                group.addTask {
                    for index in stride(from: part, to: alarms.count, by: 4) {
                        alarms[index].set(Monotonic.now + Int64.random(in: 1_000_000...50_000_000))
                        alarms[index].set(Monotonic.now + Int64.random(in: 1_000_000...50_000_000))
                        if index.isMultiple(of: 2) { alarms[index].cancel() }
                    }
                }
            }
        }
        try await Task.sleep(for: .milliseconds(400))
        #expect((500...1000).contains(count.load(ordering: .relaxed)))
        #expect(alarms.allSatisfy { $0.entered.load(ordering: .relaxed) == .max })
    }

    @Test("tasks that prefer the reactor run on its one thread")
    func executor() async throws {
        let reactor = try Reactor()
        let threads = await withTaskGroup(of: Set<UInt>.self) { group in
            for _ in 0..<10 {
                group.addTask(executorPreference: reactor.executor) {
                    var threads: Set<UInt> = []
                    for _ in 0..<50 {
                        threads.insert(UInt(pthread_self()))
                        await Task.yield()
                    }
                    return threads
                }
            }
            return await group.reduce(into: Set<UInt>()) { $0.formUnion($1) }
        }
        #expect(threads.count == 1)
    }

    @Test("tasks that never suspend do not delay the reactor's alarms")
    func restlessTasks() async throws {
        let reactor = try Reactor()
        let hasRung = Mutex(false)
        let alarm = reactor.makeAlarm { hasRung.withLock { $0 = true } }
        let end = Monotonic.now + 20_000_000_000
        alarm.set(Monotonic.now + 20_000_000)
        await Task(executorPreference: reactor.executor) {
            while !hasRung.withLock({ $0 }), Monotonic.now < end { await Task.yield() }
        }.value
        #expect(hasRung.withLock { $0 })
    }

    @Test("a task that prefers the executor of a released reactor still runs")
    func goneExecutor() async throws {
        var reactor: Reactor? = try Reactor()
        let executor = try #require(reactor?.executor)
        reactor = nil
        let value = await Task(executorPreference: executor) { 42 }.value
        #expect(value == 42)
    }

    @Test("the thread ends, and descriptors are closed, when the reactor is released")
    func end() async throws {
        let (before, threadCount) = (Self.descriptorCount, Self.reactorThreadCount)
        for _ in 0..<20 {
            let reactor = try Reactor()
            _ = await Task(executorPreference: reactor.executor) { 1 }.value
        }
        #expect(try await eventually { Self.descriptorCount <= before + 4 })
        #expect(try await eventually { Self.reactorThreadCount <= threadCount + 8 })
    }

    private static var descriptorCount: Int { names(in: "/proc/self/fd").count }

    private static var reactorThreadCount: Int {
        names(in: "/proc/self/task").count { task in
            guard let file = fopen("/proc/self/task/\(task)/comm", "r") else { return false }
            defer { fclose(file) }
            var line = [CChar](repeating: 0, count: 64)
            guard fgets(&line, 64, file) != nil else { return false }
            return String(decoding: line.prefix { $0 != 10 && $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
                == "airframe-socket"
        }
    }

    private static func names(in folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            names.append(
                withUnsafePointer(to: entry.pointee.d_name) { pointer in
                    pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                })
        }
        return names.filter { !$0.hasPrefix(".") }
    }
}

/// A slot in an object, so that tasks can share it.
private final class Slot: Sendable {
    let slot = ReadySlot()

    var isReady: Bool { slot.isReady }
}
