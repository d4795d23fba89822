import AirframeCache
import AirframeCurl
import AirframeSocket
import AirframeTransport
import Foundation
import Testing

/// The engines that the suite is played over.
enum SuiteEngine: String, Sendable, CaseIterable {
    case socket
    case curl

    func make() -> any Transport {
        switch self {
        case .socket: SocketTransport()
        case .curl: CurlTransport()
        }
    }
}

@Suite("The public suite for HTTP caches", .timeLimit(.minutes(5)), .enabled(if: SuiteCase.all != nil))
struct PublicSuiteTests {
    @Test("a private cache passes all required and all optimal cases", arguments: SuiteEngine.allCases)
    func privateCache(engine: SuiteEngine) async throws {
        let cases = try #require(SuiteCase.all).filter(\.isForPrivateCaches)
        let verdicts = try await play(cases, .private, engine)
        #expect(cases.count { $0.importance == "required" } == 137)
        #expect(cases.count { $0.importance == "optimal" } == 77)
        for (test, verdict) in verdicts where verdict != .passed && test.importance != "check" {
            Issue.record("\(test.importance) \(test.id): \(verdict)")
        }
    }

    @Test("a shared cache passes the required cases that apply to it", arguments: [SuiteEngine.socket])
    func sharedCache(engine: SuiteEngine) async throws {
        let cases = try #require(SuiteCase.all).filter(\.isForSharedCaches)
        let verdicts = try await play(cases, .shared, engine)
        for (test, verdict) in verdicts where verdict != .passed && test.importance == "required" {
            Issue.record("\(test.importance) \(test.id): \(verdict)")
        }
    }

    private func play(
        _ cases: [SuiteCase], _ policy: CachePolicy, _ engine: SuiteEngine
    ) async throws -> [(SuiteCase, SuitePlayer.Verdict)] {
        let origin = try SuiteOrigin()
        let player = SuitePlayer(origin: origin, engine: engine.make(), policy: policy) { MemoryCacheStore() }
        var verdicts: [(SuiteCase, SuitePlayer.Verdict)] = []
        for test in cases {
            verdicts.append((test, try await player.play(test)))
        }
        for kind in ["required", "optimal", "check"] {
            let own = verdicts.filter { $0.0.importance == kind }
            print("\(engine) \(policy.kind) \(kind): \(own.count { $0.1 == .passed }) of \(own.count)")
        }
        if ProcessInfo.processInfo.environment["AIRFRAME_CACHE_VERBOSE"] != nil {
            for (test, verdict) in verdicts where verdict != .passed {
                print("  \(test.importance) \(test.id): \(verdict)")
            }
        }
        return verdicts
    }
}
