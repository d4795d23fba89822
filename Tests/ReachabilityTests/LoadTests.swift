import AirframeReachability
import Dispatch
import Foundation
import Glibc
import NamespaceSupport
import Synchronization
import Testing

@Suite("The monitor under load and at rest", .timeLimit(.minutes(2)), .namespaces, .serialized)
struct LoadTests {
    @Test("of 1,000 changes in a second the last is reported, with a bounded number of paths")
    func burst() async throws {
        let namespace = try TestNamespace()
        try namespace.addUplink("up0")
        let probe = PathProbe(namespace.configuration)
        try await probe.settle()
        let before = probe.paths.count
        let start = Date()
        let changes = (0..<1_000).map { "link set up0 mtu \($0 % 2 == 0 ? 1400 : 1300 + $0 % 90)" }
        try namespace.batch(changes + ["link set up0 mtu 1234"])
        let seconds = Date().timeIntervalSince(start)
        try await probe.expect("the last") { path in path.interfaces.contains { $0.name == "up0" && $0.mtu == 1234 } }
        // One each 50 ms, the one immediately and the one at the end.
        #expect(Double(probe.paths.count - before) <= seconds / 0.05 + 2)
    }

    @Test("after an overflow of the kernel's queue all tables are read again")
    func overflow() async throws {
        let namespace = try TestNamespace()
        try namespace.addUplink("up0")
        var configuration = namespace.configuration
        // The least that the kernel allows: two or three events.
        configuration.receiveBuffer = 1
        let probe = PathProbe(configuration)
        try await probe.settle()
        try namespace.batch((0..<2_000).map { "link set up0 mtu \(1300 + $0 % 90)" } + ["link set up0 mtu 1234"])
        #expect(try Self.drops(in: namespace) > 0)
        try namespace.batch((0..<200).map { "addr add 10.7.\($0).1/24 dev up0" })
        try await probe.expect("the last") { path in
            let interface = path.interfaces.first { $0.name == "up0" }
            return interface?.mtu == 1234 && interface?.addresses.filter { $0.address.version == .ipv4 }.count == 201
        }
    }

    /// How many messages the kernel has dropped for want of room, of all netlink sockets in the namespace.
    private static func drops(in namespace: TestNamespace) throws -> Int {
        let table = try Shell.check(namespace.executing(["cat", "/proc/net/netlink"])).split(separator: "\n")
        let column = table.first?.split(separator: " ").firstIndex(of: "Drops") ?? 0
        return table.dropFirst().reduce(0) { sum, line in
            let words = line.split(separator: " ")
            return sum + (words.indices.contains(column) ? Int(words[column]) ?? 0 : 0)
        }
    }

    @Test("monitors are stopped while events arrive")
    func stopping() async throws {
        let namespace = try TestNamespace()
        try namespace.addUplink("up0")
        let changes = Task.detached {
            try namespace.batch((0..<5_000).map { "link set up0 mtu \(1300 + $0 % 90)" })
        }
        var ended: [Weak] = []
        for pause in 0..<200 {
            let token = Token()
            ended.append(Weak(token: token))
            let watch = try NetworkPathMonitor(namespace.configuration).start { [token] _ in _ = token }
            let manager = try #require(NetworkReachabilityManager(namespace.configuration))
            manager.startListening(onQueue: .global()) { [token] _ in _ = token }
            let probe = PathProbe(namespace.configuration)
            if pause % 10 == 0 { try await Task.sleep(for: .milliseconds(pause % 7)) }
            watch.stop()
            manager.stopListening()
            probe.stop()
        }
        try await changes.value
        // What a watch calls goes with its thread.
        for _ in 0..<3_000 where ended.contains(where: { $0.token != nil }) {
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(ended.filter { $0.token != nil }.isEmpty)
    }

    private final class Token: Sendable {}

    private struct Weak {
        weak var token: Token?
    }

    @Test("from `ip link set down` to the callback: below 5 ms at the median")
    func latency() async throws {
        let namespace = try TestNamespace()
        try namespace.addUplink("up0")
        let manager = try #require(NetworkReachabilityManager(namespace.configuration))
        let reported = ReportedStatuses()
        let queue = DispatchQueue(label: "latency")
        manager.startListening(onQueue: queue) { reported.append($0) }
        try await reported.wait(for: .reachable(.ethernetOrWiFi))
        let ip = try RunningProgram(["ip", "-n", namespace.name, "-batch", "-"])
        // On a machine that others use, a thread may wait longer for a processor than the answer takes: the best of
        // several rounds counts.
        var medians: [Double] = []
        while medians.count < 6, medians.min() ?? .infinity >= 5 {
            var latencies: [Double] = []
            for _ in 0..<25 {
                try await Task.sleep(for: .milliseconds(60))
                let start = DispatchTime.now().uptimeNanoseconds
                ip.write("link set up0 down")
                let end = try await reported.wait(for: .notReachable)
                latencies.append(Double(end - start) / 1e6)
                ip.write("link set up0 up")
                ip.write("route add default via 10.0.1.1 dev up0")
                try await reported.wait(for: .reachable(.ethernetOrWiFi))
            }
            medians.append(latencies.sorted()[12])
        }
        let wakeUp = try Self.wakeUpMedian()
        print("latency: medians \(medians) ms; a bare wake-up takes \(wakeUp) ms")
        // Five wake-ups lie between: ip's, the watch's, two queues', and the test's own.
        #expect(try #require(medians.min()) < max(5, 5 * wakeUp))
    }

    /// The median time in milliseconds to wake another thread that waits on a pipe.
    private static func wakeUpMedian() throws -> Double {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw Shell.Failure(description: "no pipe") }
        let (reader, writer) = (ends[0], ends[1])
        defer { close(reader); close(writer) }
        let woken = DispatchSemaphore(value: 0)
        let instant = Atomic<UInt64>(0)
        var times: [Double] = []
        for _ in 0..<25 {
            Thread.detachNewThread {
                var byte: UInt8 = 0
                _ = read(reader, &byte, 1)
                instant.store(DispatchTime.now().uptimeNanoseconds, ordering: .releasing)
                woken.signal()
            }
            usleep(20_000)
            let start = DispatchTime.now().uptimeNanoseconds
            var byte: UInt8 = 1
            _ = write(writer, &byte, 1)
            woken.wait()
            times.append(Double(instant.load(ordering: .acquiring) - start) / 1e6)
        }
        return times.sorted()[12]
    }

    @Test("the tool starts, asks and ends in less than 10 ms")
    func start() throws {
        // The best of many, of the time that passed and of the time that the processor gave: what else the machine does
        // can only add to either.
        var best = Double.infinity
        var runs = 0
        while runs < 400, runs < 40 || best >= 10 {
            let start = DispatchTime.now().uptimeNanoseconds
            let outcome = try Shell.run([Shell.tool, "--once", "--quiet"])
            let passed = Double(DispatchTime.now().uptimeNanoseconds - start) / 1e6
            best = min(best, passed, outcome.milliseconds)
            runs += 1
        }
        #expect(best < 10)
    }

    @Test("10 seconds without a change wake no thread")
    func atRest() async throws {
        let namespace = try TestNamespace()
        try namespace.addUplink("up0")
        let tool = try RunningProgram(namespace.executing([Shell.tool, "--json"]))
        _ = try #require(tool.line())
        // The kernel itself causes changes for a while: IPv6 waits before an address is unique.
        while tool.line(within: 3) != nil {}
        let before = tool.sum("voluntary_ctxt_switches")
        try await Task.sleep(for: .seconds(10))
        #expect(tool.sum("voluntary_ctxt_switches") - before == 0)
        tool.end()
    }

    @Test("100,000 changes leave the memory as it was")
    func memory() async throws {
        let namespace = try TestNamespace()
        try namespace.addUplink("up0")
        let tool = try RunningProgram(namespace.executing([Shell.tool, "--quiet"]))
        // The first tenth makes what is made once.
        let changes = (0..<5_000).flatMap { count in
            ["add", "del"].map { "addr \($0) 10.7.\(count % 250).1/24 dev up0" }
        }
        try namespace.batch(changes)
        try await Task.sleep(for: .milliseconds(500))
        let before = try #require(tool.number("VmRSS"))
        for _ in 0..<9 { try namespace.batch(changes) }
        try await Task.sleep(for: .milliseconds(500))
        let after = try #require(tool.number("VmRSS"))
        print("memory: \(before) kB before, \(after) kB after")
        #expect(after - before < 512)
        tool.end()
    }
}

/// The statuses that a listener received, with their times.
final class ReportedStatuses: Sendable {
    private let all = Mutex<[(status: NetworkReachabilityManager.NetworkReachabilityStatus, time: UInt64)]>([])

    var statuses: [NetworkReachabilityManager.NetworkReachabilityStatus] { all.withLock { $0.map(\.status) } }

    func append(_ status: NetworkReachabilityManager.NetworkReachabilityStatus) {
        all.withLock { $0.append((status, DispatchTime.now().uptimeNanoseconds)) }
    }

    /// Waits until the last status is `status`.
    @discardableResult
    func wait(for status: NetworkReachabilityManager.NetworkReachabilityStatus) async throws -> UInt64 {
        for _ in 0..<10_000 {
            if let last = all.withLock(\.last), last.status == status { return last.time }
            try await Task.sleep(for: .milliseconds(1))
        }
        throw Shell.Failure(description: "\(status) was not reported; reported: \(statuses)")
    }
}
