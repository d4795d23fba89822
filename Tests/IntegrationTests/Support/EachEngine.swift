import AirframeCurl
import AirframeSocket
import AirframeTransport
import Foundation
import Testing

/// An engine that reaches servers.
enum RealEngine: String, CaseIterable, Sendable {
    case sockets, curl

    /// The engine of sessions that ``makeSession(startRequestsImmediately:_:)`` makes.
    @TaskLocal static var current = RealEngine.sockets

    func makeTransport() -> any Transport { self == .curl ? CurlTransport() : SocketTransport() }
}

/// Runs each test of a suite over each engine in turn.
///
/// A test that fails reports the engine only where its message does: run it with `AIRFRAME_ENGINE=curl` or `sockets` to
/// see which one it is.
struct EachEngineTrait: SuiteTrait, TestTrait, TestScoping {
    let isRecursive = true

    private static let engines: [RealEngine] = {
        let name = ProcessInfo.processInfo.environment["AIRFRAME_ENGINE"]
        return RealEngine.allCases.filter { name == nil || $0.rawValue == name }
    }()

    func scopeProvider(for test: Test, testCase: Test.Case?) -> EachEngineTrait? { testCase == nil ? nil : self }

    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        for engine in Self.engines {
            try await RealEngine.$current.withValue(engine) { try await function() }
        }
    }
}

extension Trait where Self == EachEngineTrait {
    /// Runs each test over sockets and over libcurl.
    static var overEachEngine: Self { EachEngineTrait() }
}
