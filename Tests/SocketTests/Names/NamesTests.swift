import AirframeConformance
import AirframeTestSupport
import AirframeTransport
import AirframeWire
import FoundationEssentials
import HTTPTypes
import Synchronization
import Testing

@testable import AirframeSocket

@Suite("Names and addresses", .timeLimit(.minutes(1)))
struct NamesTests {
    /// A resolver with fixed answers, which counts its calls.
    final class FixedResolver: NameResolver {
        private let answers: [String: [String]]
        private let delay: Duration
        private let count = Atomic(0)

        init(_ answers: [String: [String]], delay: Duration = .zero) {
            self.answers = answers
            self.delay = delay
        }

        var questionCount: Int { count.load(ordering: .relaxed) }

        func addresses(of host: String) async throws -> [String] {
            count.add(1, ordering: .relaxed)
            try await Task.sleep(for: delay)
            return answers[host] ?? []
        }
    }

    /// A resolver whose answer changes after the first call.
    final class MovingResolver: NameResolver {
        private let first: [String]
        private let later: [String]
        private let count = Atomic(0)

        init(from first: [String], to later: [String]) {
            self.first = first
            self.later = later
        }

        var questionCount: Int { count.load(ordering: .relaxed) }

        func addresses(of host: String) async throws -> [String] {
            count.add(1, ordering: .relaxed).newValue == 1 ? first : later
        }
    }

    private func transport(_ resolver: any NameResolver, age: Duration = .seconds(60)) -> SocketTransport {
        var configuration = SocketTransport.Configuration()
        configuration.resolver = resolver
        configuration.addressAge = age
        configuration.maximumIdleConnections = 0
        configuration.connectionAttemptDelay = .milliseconds(50)
        return SocketTransport(configuration: configuration)
    }

    @Test("a custom resolver is used, and its addresses are cached for `addressAge`", arguments: [60, 0])
    func cache(seconds: Int) async throws {
        let server = try ScriptedServer.answering()
        let resolver = FixedResolver(["made-up.test": ["127.0.0.1"]])
        let transport = transport(resolver, age: .seconds(seconds))
        for _ in 0..<3 {
            let request = TransportRequest(.get, "http://made-up.test:\(server.port)/")
            #expect(try await transport.text(request) == "ok")
        }
        #expect(resolver.questionCount == (seconds == 0 ? 3 : 1))
    }

    @Test("a host whose addresses all refuse fails without waiting for the delay between attempts")
    func refusals() async throws {
        var configuration = SocketTransport.Configuration()
        configuration.resolver = FixedResolver(["made-up.test": ["127.0.0.1", "127.0.0.2"]])
        configuration.connectionAttemptDelay = .seconds(600)
        let closed = try ScriptedServer.answering()
        let port = closed.port
        closed.stop()
        let request = TransportRequest(.get, "http://made-up.test:\(port)/")
        let error = try #require(await SocketTransport(configuration: configuration).failure(of: request))
        #expect(error.code == .connectFailed)
    }

    @Test("concurrent requests for one name share one lookup")
    func sharing() async throws {
        let server = try ScriptedServer.answering()
        let resolver = FixedResolver(["made-up.test": ["127.0.0.1"]], delay: .milliseconds(200))
        let transport = transport(resolver, age: .zero)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 {
                group.addTask {
                    _ = try await transport.fetch(TransportRequest(.get, "http://made-up.test:\(server.port)/"))
                }
            }
            try await group.waitForAll()
        }
        #expect(resolver.questionCount < 20)
    }

    @Test("a name without an address is an error that names it")
    func unknown() async throws {
        let transport = transport(FixedResolver([:]))
        let error = try #require(await transport.failure(of: TransportRequest(.get, "http://nowhere.test/")))
        #expect(error.code == .nameResolutionFailed)
        #expect(error.phase == .resolve)
        #expect(error.processing == .notSent)
        #expect(error.message.contains("nowhere.test"))
    }

    @Test("the wait for a resolver ends with the limit or the task's cancellation")
    func slow() async throws {
        struct SleepingResolver: NameResolver {
            func addresses(of host: String) async throws -> [String] {
                try await Task.sleep(for: .seconds(60))
                return []
            }
        }
        let transport = transport(SleepingResolver())
        let limited = TransportRequest(.get, "http://slow.test/").with {
            $0.options.limits.connect = .milliseconds(100)
        }
        let error = try #require(await transport.failure(of: limited))
        #expect(error.code == .timedOut)
        #expect(error.phase == .resolve)
        #expect(error.message.contains("100 ms"))
        let task = Task { await transport.failure(of: TransportRequest(.get, "http://slow.test/")) }
        try await Task.sleep(for: .milliseconds(50))
        task.cancel()
        #expect(await task.value?.isCancellation == true)
    }

    @Test("addresses that refuse a connection are skipped, and each attempt is reported")
    func fallback() async throws {
        let server = try ScriptedServer.answering()
        let transport = transport(FixedResolver(["two.test": ["::1", "127.0.0.2", "127.0.0.1"]]))
        let log = EventLog()
        let request = TransportRequest(.get, "http://two.test:\(server.port)/").with { $0.events = log }
        #expect(try await transport.text(request) == "ok")
        #expect(log.names.contains("resolveFinished"))
        #expect(log.names.count { $0 == "connectFinished" } == 1)
        #expect(log.endCount == 1)
    }

    @Test("an address that drops packets does not delay the next one (RFC 8305 §5)")
    func race() async throws {
        let server = try ScriptedServer.answering()
        let full = try FullListener(on: "127.0.0.3", port: server.port)
        let transport = transport(FixedResolver(["race.test": ["127.0.0.3", "127.0.0.1"]]))
        let log = EventLog()
        let request = TransportRequest(.get, "http://race.test:\(full.port)/").with {
            $0.events = log
            $0.options.limits.connect = .seconds(20)
        }
        #expect(try await transport.text(request) == "ok")
        #expect(log.names.count { $0 == "connectStarted" } == 2)
        #expect(log.names.count { $0 == "connectFailed" } == 1)
        let names = log.names
        #expect(names.firstIndex(of: "connectFailed") ?? 0 < names.firstIndex(of: "connectionAcquired") ?? 0)
    }

    @Test("addresses that did not answer in time are not used again", arguments: [1, 2])
    func moved(count: Int) async throws {
        let server = try ScriptedServer.answering()
        let lost = (0..<count).map { "127.0.0.\(4 + $0)" }
        let full = try lost.map { try FullListener(on: $0, port: server.port) }
        let resolver = MovingResolver(from: lost, to: ["127.0.0.1"])
        let transport = transport(resolver)
        let request = TransportRequest(.get, "http://moved.test:\(server.port)/")
        let limited = request.with { $0.options.limits.connect = .milliseconds(200) }
        let error = try #require(await transport.failure(of: limited))
        #expect(error.code == .timedOut)
        #expect(error.phase == .connect)
        #expect(try await transport.text(request.with { $0.options.limits.connect = .seconds(20) }) == "ok")
        #expect(resolver.questionCount == 2)
        #expect(full.allSatisfy { $0.port == server.port })
    }

    @Test("an override applies to a proxy, whose host may have capital letters", arguments: ["over.test", "OVER.test"])
    func overriddenProxy(host: String) async throws {
        let proxy = try ScriptedServer.answering()
        let resolver = FixedResolver([:])
        let request = TransportRequest(.get, "http://nowhere.test/").with {
            $0.options.proxy = .proxy(Proxy(host: "OVER.test", port: proxy.port))
            $0.options.resolveOverrides = [
                ResolveOverride(host: host, port: proxy.port, addresses: ["127.0.0.1"])
            ]
        }
        #expect(try await transport(resolver).text(request) == "ok")
        #expect(resolver.questionCount == 0)
    }

    @Test("an override replaces the resolver for its host and port only")
    func overrides() async throws {
        let server = try ScriptedServer.answering()
        let resolver = FixedResolver([:])
        let transport = transport(resolver)
        let request = TransportRequest(.get, "http://over.test:\(server.port)/").with {
            $0.options.resolveOverrides = [
                ResolveOverride(host: "OVER.test", port: server.port, addresses: ["127.0.0.1"])
            ]
        }
        #expect(try await transport.text(request) == "ok")
        #expect(server.connections[0].receivedText.contains("Host: over.test:\(server.port)"))
        #expect(resolver.questionCount == 0)
        #expect(
            await transport.failure(of: TransportRequest(.get, "http://over.test:\(server.port)/"))?.code
                == .nameResolutionFailed
        )
    }

    @Test("an address that does not fit the local address does not hide why the others failed")
    func localAddress() async throws {
        let server = try ScriptedServer.answering()
        server.stop()
        let request = TransportRequest(.get, "http://two.test:\(server.port)/").with {
            $0.options.localAddress = "127.0.0.1"
        }
        let resolver = FixedResolver(["two.test": ["127.0.0.1", "::1"]])
        let error = try #require(await transport(resolver).failure(of: request))
        #expect(error.code == .connectFailed)
        #expect(error.message.contains("no address of two.test accepts a connection"), "\(error)")
    }

    @Test("address families alternate, starting with the resolver's first (RFC 8305 §4)")
    func interleaving() throws {
        let addresses = try ["::1", "::2", "::3", "10.0.0.1", "10.0.0.2"].map { try #require(IPAddress($0)) }
        #expect(
            AddressOrder.interleaved(addresses).map(\.description) == ["::1", "10.0.0.1", "::2", "10.0.0.2", "::3"]
        )
        #expect(AddressOrder.interleaved([]).isEmpty)
    }
}
