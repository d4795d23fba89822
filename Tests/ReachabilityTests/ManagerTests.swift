import AirframeReachability
import Dispatch
import Foundation
import NamespaceSupport
import Synchronization
import Testing

@Suite("NetworkReachabilityManager", .timeLimit(.minutes(1)))
struct ManagerTests {
    private let queue = DispatchQueue(label: "listener")

    @Test("a listener receives the status immediately, and then only changes", .namespaces)
    func listener() async throws {
        let namespace = try TestNamespace()
        let manager = try #require(NetworkReachabilityManager(namespace.configuration))
        #expect(manager.status == .notReachable && !manager.isReachable)
        let reported = ReportedStatuses()
        #expect(manager.startListening(onQueue: queue) { reported.append($0) })
        try await reported.wait(for: .notReachable)
        // A change of the path that changes nothing about the status.
        try namespace.addCable("up1")
        try namespace.addUplink("up0")
        try await reported.wait(for: .reachable(.ethernetOrWiFi))
        #expect(manager.isReachable && manager.isReachableOnEthernetOrWiFi && !manager.isReachableOnCellular)
        #expect(manager.flags == .reachable)
        try namespace.ip("link set up0 down")
        try await reported.wait(for: .notReachable)
        #expect(reported.statuses == [.notReachable, .reachable(.ethernetOrWiFi), .notReachable])
    }

    @Test("after stopListening no status is delivered, and listening can start again", .namespaces)
    func stopping() async throws {
        let namespace = try TestNamespace()
        let manager = try #require(NetworkReachabilityManager(namespace.configuration))
        let first = ReportedStatuses()
        manager.startListening(onQueue: queue) { first.append($0) }
        try await first.wait(for: .notReachable)
        manager.stopListening()
        let second = ReportedStatuses()
        manager.startListening(onQueue: queue) { second.append($0) }
        try namespace.addUplink("up0")
        try await second.wait(for: .reachable(.ethernetOrWiFi))
        #expect(first.statuses == [.notReachable])
        let third = ReportedStatuses()
        // A new listener replaces the old one.
        manager.startListening(onQueue: queue) { third.append($0) }
        try await third.wait(for: .reachable(.ethernetOrWiFi))
        try namespace.ip("route del default")
        try await third.wait(for: .notReachable)
        #expect(second.statuses.last == .reachable(.ethernetOrWiFi))
    }

    @Test("a listener that starts while another one starts receives the status")
    func concurrentStart() async throws {
        let manager = try #require(InterleavedManager(NetworkPathMonitor.Configuration()))
        let status = manager.status
        let (outer, inner) = (ReportedStatuses(), ReportedStatuses())
        let queue = self.queue
        InterleavedManager.afterStopping.withLock { body in
            body = { manager in
                let isReported = DispatchSemaphore(value: 0)
                manager.startListening(onQueue: queue) {
                    inner.append($0)
                    isReported.signal()
                }
                _ = isReported.wait(timeout: .now() + 10)
            }
        }
        #expect(manager.startListening(onQueue: queue) { outer.append($0) })
        try await outer.wait(for: status)
        #expect(inner.statuses == [status])
        manager.stopListening()
    }

    @Test("a manager that is released ends its watch", .namespaces)
    func release() async throws {
        let namespace = try TestNamespace()
        weak var released: NetworkReachabilityManager?
        let reported = ReportedStatuses()
        do {
            let manager = try #require(NetworkReachabilityManager(namespace.configuration))
            manager.startListening(onQueue: queue) { reported.append($0) }
            try await reported.wait(for: .notReachable)
            released = manager
        }
        for _ in 0..<100 where released != nil { try await Task.sleep(for: .milliseconds(10)) }
        #expect(released == nil)
    }

    @Test("this machine is reachable as a host, without a network and without a listener")
    func ownHost() throws {
        let manager = try #require(NetworkReachabilityManager(host: "localhost"))
        #expect(manager.isReachable)
        #expect(manager.flags?.isSuperset(of: [.reachable, .isLocalAddress, .isDirect]) == true)
    }

    @Test("a name that does not exist is not reachable")
    func unknownHost() throws {
        let manager = try #require(NetworkReachabilityManager(host: "no-such-host.invalid"))
        #expect(manager.status == .notReachable)
    }

    @Test("an invalid host has no manager", arguments: ["", "a b", "a\nb"])
    func noHost(host: String) {
        #expect(NetworkReachabilityManager(host: host) == nil)
    }

    @Test("the default manager exists and has a status")
    func defaultManager() {
        #expect(NetworkReachabilityManager.default?.status != .unknown)
    }
}

/// Runs a closure once a call of `startListening` has ended the earlier watch, where another call may come between.
/// `@unchecked Sendable` like its superclass: the closure is behind a lock.
private final class InterleavedManager: NetworkReachabilityManager, @unchecked Sendable {
    /// Guards the closure, which runs once.
    static let afterStopping = Mutex<(@Sendable (NetworkReachabilityManager) -> Void)?>(nil)

    override func stopListening() {
        super.stopListening()
        let body = Self.afterStopping.withLock { $0.take() }
        body?(self)
    }
}
