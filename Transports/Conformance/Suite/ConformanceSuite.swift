internal import AirframeTransport

/// The cases that every engine must pass, and how to run them.
///
/// ```swift
/// @Test(arguments: ConformanceSuite.cases)
/// func conforms(to conformanceCase: ConformanceCase) async {
///     await ConformanceSuite.expect(conformanceCase, over: { MyTransport() }, exclusions: MyExclusions.all)
/// }
/// ```
public enum ConformanceSuite {
    /// All cases for an engine.
    public static let cases: [ConformanceCase] = [
        ConformanceCase.events, ConformanceCase.backpressure, ConformanceCase.cancellation, ConformanceCase.halfRead,
        ConformanceCase.replay, ConformanceCase.requestBodies, ConformanceCase.request, ConformanceCase.expectations,
        ConformanceCase.informational, ConformanceCase.content, ConformanceCase.surplus, ConformanceCase.length,
        ConformanceCase.chunked, ConformanceCase.cuts,
        ConformanceCase.head, ConformanceCase.headSize, ConformanceCase.garbage, ConformanceCase.broken,
        ConformanceCase.limits, ConformanceCase.reuse, ConformanceCase.concurrency, ConformanceCase.duplex,
        ConformanceCase.options, ConformanceCase.trust, ConformanceCase.resources, ConformanceCase.upgrade,
        ConformanceCase.faults, ConformanceCase.http2Endings, ConformanceCase.http2Cuts, ConformanceCase.http2Floods,
        ConformanceCase.http2Exchanges, ConformanceCase.http2Heads, ConformanceCase.http2Connections,
    ].flatMap(\.self)

    /// Faults that concern the layers above an engine: redirects and content codings. Run them over your layers.
    public static let layerCases: [ConformanceCase] = ConformanceCase.layerFaults

    /// Runs one case.
    ///
    /// - Parameters:
    ///   - conformanceCase: The case.
    ///   - engine: The engine.
    /// - Returns: What the engine does otherwise; nothing when it passes.
    public static func run(_ conformanceCase: ConformanceCase, on engine: ConformanceEngine) async
        -> [ConformanceFailure]
    {
        switch await examine(conformanceCase, on: engine) {
        case .failures(let failures): failures
        case .inexpressible(let reason): [ConformanceFailure(caseID: conformanceCase.id, message: reason)]
        }
    }

    /// What a case found.
    enum Finding: Sendable {
        /// The deviations from what the case expects.
        case failures([ConformanceFailure])
        /// The case cannot be run with this engine or its peer, for this reason.
        case inexpressible(String)
    }

    static func examine(_ conformanceCase: ConformanceCase, on engine: ConformanceEngine) async -> Finding {
        let trial: ConformanceTrial
        do {
            trial = try await ConformanceTrial(conformanceCase, on: engine)
        } catch let scenario as InexpressibleScenario {
            return .inexpressible("\(scenario)")
        } catch {
            return .failures([ConformanceFailure(caseID: conformanceCase.id, message: "\(error)")])
        }
        do {
            try await Waiting.bounded(by: conformanceCase.limit) { try await conformanceCase.check(trial) }
        } catch is ConformanceTrial.Broken {
            // Its failure is recorded.
        } catch {
            trial.fail("\(error)")
        }
        trial.peer.stop()
        return .failures(trial.failures)
    }

    /// Runs one case over transports that a closure makes.
    public static func run(
        _ conformanceCase: ConformanceCase,
        over make: @escaping ConformanceEngine.Make
    ) async -> [ConformanceFailure] {
        await run(conformanceCase, on: ConformanceEngine(make))
    }

    /// The ids among `exclusions` that no case has: exclusions that outlived their case.
    public static func unknownIDs(in exclusions: [String: String]) -> [String] {
        exclusions.keys.filter { id in !(cases + layerCases).contains { $0.id == id } }.sorted()
    }
}
