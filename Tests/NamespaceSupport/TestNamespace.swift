package import AirframeReachability
internal import Foundation
internal import Glibc
internal import Synchronization
package import Testing

/// A network namespace of a test's own, with `ip` to change it and to say what is in it.
package final class TestNamespace: Sendable {
    private static let count = Atomic<Int>(0)

    /// Whether the kernel lets this process make namespaces. Where it does not, the tests that need them are skipped.
    package static let areAllowed: Bool = (try? TestNamespace()) != nil

    package static let reason: Comment = "the kernel, or the lack of privileges, forbids network namespaces"

    package let name: String

    package init() throws {
        name = "airframe-\(getpid())-\(Self.count.add(1, ordering: .relaxed).newValue)"
        try Shell.check(["ip", "netns", "add", name])
        try ip("link set lo up")
    }

    deinit { _ = try? Shell.run(["ip", "netns", "del", name]) }

    /// For monitors of this process.
    package var configuration: NetworkPathMonitor.Configuration {
        var configuration = NetworkPathMonitor.Configuration()
        configuration.namespace = NetworkNamespace(path: "/run/netns/\(name)")
        return configuration
    }

    /// A cable to nowhere: an interface `name` whose other end, `name`-p, is a separate switch.
    package func addCable(_ name: String, up: Bool = true) throws {
        try ip("link add \(name) type veth peer name \(name)-p")
        try ip("link set \(name)-p up")
        if up { try ip("link set \(name) up") }
    }

    /// A cable with an address and a default route of IPv4.
    package func addUplink(_ name: String, network: Int = 1, metric: Int = 0) throws {
        try addCable(name)
        try ip("addr add 10.0.\(network).2/24 dev \(name)")
        try ip("route add default via 10.0.\(network).1 dev \(name) metric \(metric)")
    }

    /// Runs `ip` in the namespace.
    package func ip(_ arguments: String) throws {
        try Shell.check(["ip", "-n", name] + arguments.split(separator: " ").map(String.init))
    }

    /// Runs many commands of `ip`, whether they succeed or not.
    package func batch(_ lines: [String]) throws {
        _ = try Shell.run(["ip", "-force", "-n", name, "-batch", "-"], input: lines.joined(separator: "\n") + "\n")
    }

    /// What `ip -json` says.
    package func json<Value: Decodable>(_ arguments: String, as type: Value.Type) throws -> Value {
        let words = ["ip", "-json", "-details", "-n", name] + arguments.split(separator: " ").map(String.init)
        let text = try Shell.check(words)
        return try JSONDecoder().decode(type, from: Data((text.isEmpty ? "[]" : text).utf8))
    }

    /// The words to run a program in the namespace with.
    package func executing(_ words: [String]) -> [String] { ["ip", "netns", "exec", name] + words }
}

extension Trait where Self == ConditionTrait {
    /// Skips a test where the kernel forbids namespaces.
    package static var namespaces: Self { .enabled(if: TestNamespace.areAllowed, TestNamespace.reason) }
}
