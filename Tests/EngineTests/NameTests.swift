import AirframeConformance
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import NamespaceSupport
import Synchronization
import Testing

@Suite("Slow lookups", .timeLimit(.minutes(1)), .serialized)
struct NameTests {
    /// A resolver that blocks its thread, as the C library does, until the test ends.
    private final class BlockedLookups: Sendable {
        private struct LookupState {
            var running = 0
            var most = 0
            var count = 0
            var isOpen = false
        }

        private let state = Mutex(LookupState())

        @Sendable func lookUp(_ host: String) -> LookupPool.Answer {
            guard host.hasPrefix("silent") else { return .success(["127.0.0.1"]) }
            state.withLock { state in
                state.count += 1
                state.running += 1
                state.most = max(state.most, state.running)
            }
            while !state.withLock({ $0.isOpen }) { usleep(2000) }
            state.withLock { $0.running -= 1 }
            return .failure(NameResolutionError(host: host, message: "no answer"))
        }

        func open() { state.withLock { $0.isOpen = true } }
        var most: Int { state.withLock { $0.most } }
        var running: Int { state.withLock { $0.running } }
        var count: Int { state.withLock { $0.count } }
    }

    @Test(
        "abandoned lookups delay no other exchange, and occupy few threads",
        arguments: TestedEngine.allCases
    )
    func abandoned(_ engine: TestedEngine) async throws {
        let lookups = BlockedLookups()
        defer { lookups.open() }
        let pool = LookupPool(threadLimit: 4, lookUp: lookups.lookUp)
        let transport = engine.transport(resolver: SystemNameResolver(pool: pool))
        let server = try ScriptedServer.answering()
        let other = TransportRequest(.get, at: "127.0.0.1:\(server.port)")
        #expect(try await transport.text(other) == "ok")
        let threads = ProcessResources.threadCount
        let descriptors = ProcessResources.descriptorCount
        let waiting = (0..<300).map { number in
            Task { await transport.failure(of: TransportRequest(.get, at: "silent\(number).test")) }
        }
        while lookups.running < 4 { try await Task.sleep(for: .milliseconds(2)) }
        try await Task.sleep(for: .milliseconds(100))
        #expect(ProcessResources.threadCount - threads < 20)
        #expect(ProcessResources.descriptorCount - descriptors < 10)
        var slowest = Duration.zero
        for (number, task) in waiting.enumerated() {
            task.cancel()
            guard number % 30 == 0 else { continue }
            let start = ContinuousClock.now
            #expect(try await transport.text(other) == "ok")
            slowest = max(slowest, ContinuousClock.now - start)
        }
        for task in waiting { #expect(await task.value?.isCancellation == true) }
        #expect(slowest < .seconds(1))
        #expect(lookups.most == 4)
        // Names without waiters are not resolved.
        lookups.open()
        while pool.threadCount > 0 { try await Task.sleep(for: .milliseconds(2)) }
        #expect(lookups.count < 300)
        #expect(try await transport.text(TransportRequest(.get, at: "good.test:\(server.port)")) == "ok")
    }

    @Test("the wait of a name in the queue counts towards the limit for connecting", arguments: TestedEngine.allCases)
    func queued(_ engine: TestedEngine) async throws {
        let lookups = BlockedLookups()
        defer { lookups.open() }
        let pool = LookupPool(threadLimit: 1, lookUp: lookups.lookUp)
        let transport = engine.transport(resolver: SystemNameResolver(pool: pool))
        let first = Task { await transport.failure(of: TransportRequest(.get, at: "silent.test")) }
        while lookups.running < 1 { try await Task.sleep(for: .milliseconds(2)) }
        var request = TransportRequest(.get, at: "good.test")
        request.options.limits.connect = .milliseconds(100)
        let error = await transport.failure(of: request)
        #expect(error?.code == .timedOut)
        #expect(error?.phase == .resolve)
        first.cancel()
        _ = await first.value
    }

    @Test("requests for one name share one lookup", arguments: TestedEngine.allCases)
    func shared(_ engine: TestedEngine) async throws {
        let lookups = BlockedLookups()
        defer { lookups.open() }
        let pool = LookupPool(threadLimit: 8, lookUp: lookups.lookUp)
        let transport = engine.transport(resolver: SystemNameResolver(pool: pool))
        let tasks = (0..<50).map { _ in
            Task { await transport.failure(of: TransportRequest(.get, at: "silent.test")) }
        }
        while lookups.running < 1 { try await Task.sleep(for: .milliseconds(2)) }
        try await Task.sleep(for: .milliseconds(50))
        lookups.open()
        for task in tasks { #expect(await task.value?.code == .nameResolutionFailed) }
        #expect(lookups.most == 1)
    }

    @Test("a request on a kept connection resolves no name", arguments: TestedEngine.allCases)
    func kept(_ engine: TestedEngine) async throws {
        let asked = Atomic(0)
        struct OnceResolver: NameResolver {
            let next: @Sendable () -> Int
            func addresses(of host: String) async throws -> [String] {
                guard next() == 1 else { throw NameResolutionError(host: host, message: "asked again") }
                return ["127.0.0.1"]
            }
        }
        let transport = engine.transport(resolver: OnceResolver { asked.add(1, ordering: .relaxed).newValue })
        let server = try ScriptedServer.answering()
        for _ in 0..<3 {
            #expect(try await transport.text(TransportRequest(.get, at: "once.test:\(server.port)")) == "ok")
        }
        #expect(asked.load(ordering: .relaxed) == 1)
        #expect(server.connections.count == 1)
    }

    @Test(
        "300 names in the system's resolver occupy few threads and descriptors", .namespaces,
        arguments: TestedEngine.allCases
    )
    func census(_ engine: TestedEngine) async throws {
        let namespace = try TestNamespace()
        let folder = "/etc/netns/\(namespace.name)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try Data("nameserver 127.0.0.1\n".utf8).write(to: URL(filePath: "\(folder)/resolv.conf"))
        let probe = Command.built("engine-probe", ["names", engine.rawValue])
        let outcome = try await Command(namespace.executing([probe.path] + probe.arguments)).run()
        #expect(outcome.status == 0, "\(outcome.output)")
        func number(_ word: String) throws -> Int {
            let line = outcome.output.split(separator: "\n").first { $0.hasPrefix("\(word) ") }
            return try #require(line?.split(separator: " ").last.flatMap { Int($0) }, "\(outcome.output)")
        }
        #expect(outcome.output.contains("questions true"), "\(outcome.output)")
        #expect(outcome.output.contains("outcomes cancelled\n"), "\(outcome.output)")
        #expect(try number("threads") < 48, "\(outcome.output)")
        #expect(try number("descriptors") < 80, "\(outcome.output)")
        #expect(try number("slowest") < 1000, "\(outcome.output)")
    }
}
