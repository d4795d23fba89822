import Airframe
import AirframeReachability
import AirframeTestSupport
import AirframeTransport
import Foundation
import NamespaceSupport
import Synchronization
import Testing

@Suite("Connectivity from the kernel", .timeLimit(.minutes(1)), .namespaces)
struct NetworkConnectivityTests {
    private func target(_ host: String) throws -> ConnectivityTarget {
        try #require(ConnectivityTarget(Origin(scheme: "http", host: host), options: TransportOptions()) { _ in nil })
    }

    /// Starts to wait, and returns once the wait has begun.
    private func wait(
        for host: String,
        _ network: NetworkConnectivity
    ) async throws -> (task: Task<Bool, any Error>, reason: NetworkPath.Reason) {
        let target = try target(host)
        let (reasons, continuation) = AsyncStream<NetworkPath.Reason>.makeStream()
        let task = Task {
            defer { continuation.finish() }
            return try await network.waitForPath(to: target, clock: SystemClock.shared) { continuation.yield($0) }
        }
        for await reason in reasons { return (task, reason) }
        throw NeverHappened("the wait for \(host)")
    }

    @Test("follows the default routes")
    func online() async throws {
        let namespace = try TestNamespace()
        let network = NetworkConnectivity(namespace.configuration)
        #expect(!network.isOnline)
        try namespace.addUplink("up0")
        try await eventually("online") { network.isOnline }
        try namespace.ip("route del default")
        try await eventually("offline") { !network.isOnline }
    }

    @Test("returns immediately if there is a path, even a link-local one")
    func reachable() async throws {
        let namespace = try TestNamespace()
        try namespace.addCable("up0")
        try namespace.ip("addr add 10.0.1.2/24 dev up0")
        let network = NetworkConnectivity(namespace.configuration)
        let target = try target("10.0.1.1")
        let hasWaited = try await network.waitForPath(to: target, clock: SystemClock.shared) { _ in
            Issue.record("the path is blocked")
        }
        #expect(!hasWaited && !network.isOnline)
    }

    @Test("waits for the host's own route, regardless of the default route")
    func ownRoute() async throws {
        let namespace = try TestNamespace()
        try namespace.addUplink("up0")
        try namespace.ip("route add unreachable 192.0.2.0/24")
        let network = NetworkConnectivity(namespace.configuration)
        #expect(network.isOnline)
        let (task, _) = try await wait(for: "192.0.2.1", network)
        try namespace.ip("route del unreachable 192.0.2.0/24")
        #expect(try await task.value)
    }

    @Test("a monitor's host is watched instead of the request's server")
    func monitoredHost() async throws {
        let namespace = try TestNamespace()
        try namespace.addUplink("up0")
        try namespace.ip("route add unreachable 192.0.2.0/24")
        var configuration = namespace.configuration
        configuration.host = "192.0.2.1"
        let network = NetworkConnectivity(configuration)
        let (task, _) = try await wait(for: "198.51.100.1", network)
        try namespace.batch(["route del unreachable 192.0.2.0/24", "route add unreachable 198.51.100.0/24"])
        #expect(try await task.value)
        let target = try target("198.51.100.1")
        let hasWaited = try await network.waitForPath(to: target, clock: SystemClock.shared) { _ in }
        #expect(!hasWaited)
    }

    @Test("all requests that wait for one host resume when there is a path")
    func many() async throws {
        let namespace = try TestNamespace()
        try namespace.addUplink("up0")
        try namespace.ip("link set up0-p down")
        let network = NetworkConnectivity(namespace.configuration)
        var tasks: [Task<Bool, any Error>] = []
        for _ in 0..<50 {
            let (task, reason) = try await wait(for: "192.0.2.1", network)
            #expect(reason == .noCarrier)
            tasks.append(task)
        }
        try namespace.ip("link set up0-p up")
        for task in tasks { #expect(try await task.value) }
    }

    @Test("a wait that is cancelled ends")
    func cancelled() async throws {
        let namespace = try TestNamespace()
        let network = NetworkConnectivity(namespace.configuration)
        let (task, reason) = try await wait(for: "192.0.2.1", network)
        #expect(reason == .noInterface)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test("a request waits if its name cannot be resolved without a network, not if the name does not exist")
    func names() async throws {
        let namespace = try TestNamespace()
        let network = NetworkConnectivity(namespace.configuration)
        let (task, reason) = try await wait(for: "no-such-host.invalid", network)
        #expect(reason == .noInterface)
        try namespace.addUplink("up0")
        // The lookup is repeated for a while, since name servers return later than links; then the engine decides.
        #expect(try await task.value)
        let target = try target("no-such-host.invalid")
        let hasWaited = try await network.waitForPath(to: target, clock: SystemClock.shared) { _ in }
        #expect(!hasWaited)
    }

    @Test("a network of another kind than is wanted does not count", .timeLimit(.minutes(1)))
    func kinds() async throws {
        let namespace = try TestNamespace()
        try namespace.ip("link add br0 type bridge")
        try namespace.addUplink("up0")
        let wireless = NetworkConnectivity(namespace.configuration) { $0.primaryInterface?.kind == .wifi }
        #expect(!wireless.isOnline)
        let wired = NetworkConnectivity(namespace.configuration) { $0.primaryInterface?.kind == .virtualEthernet }
        #expect(wired.isOnline)
        let (task, _) = try await wait(for: "192.0.2.1", wireless)
        task.cancel()
    }
}
