import AirframeTestSupport
import Foundation
import Testing

/// Runs each test of a suite over each engine in turn.
///
/// A test that fails reports the engine only where its message does: run it with `AIRFRAME_ENGINE=curl` or `sockets` to
/// see which one it is.
struct EachEngineTrait: SuiteTrait, TestTrait, TestScoping {
    /// The engine of sessions that ``makeSession(startRequestsImmediately:_:)`` makes.
    @TaskLocal static var current = TestedEngine.sockets

    let isRecursive = true

    private static let engines: [TestedEngine] = {
        let name = ProcessInfo.processInfo.environment["AIRFRAME_ENGINE"]
        return TestedEngine.allCases.filter { name == nil || $0.rawValue == name }
    }()

    func scopeProvider(for test: Test, testCase: Test.Case?) -> EachEngineTrait? { testCase == nil ? nil : self }

    func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable () async throws -> Void
    ) async throws {
        for engine in Self.engines {
            try await Self.$current.withValue(engine) { try await function() }
        }
    }
}

extension Trait where Self == EachEngineTrait {
    /// Runs each test over sockets and over libcurl.
    static var overEachEngine: Self { EachEngineTrait() }
}
