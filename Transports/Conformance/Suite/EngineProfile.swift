internal import AirframeTransport

/// An engine's name, features and claims, which decide on the cases that are run.
struct EngineProfile: Sendable, Codable {
    let name: String
    let claims: Set<ConformanceLevel>
    private let features: UInt64
    private let isLimitable: Bool

    /// - Throws: The error of a transport that cannot be made.
    init(_ engine: ConformanceEngine) throws {
        let capabilities = try engine.make().capabilities
        name = capabilities.engine
        features = capabilities.features.rawValue
        claims = engine.claims.intersection(ConformanceLevel.permitted(by: capabilities.features))
        isLimitable = engine.makeLimited != nil
    }

    /// A profile for a report over an engine that could not be made.
    init(unknown reason: String) {
        name = reason
        claims = []
        features = 0
        isLimitable = false
    }

    /// The reason to skip a case, or `nil` for a case that the engine must pass.
    func reasonToSkip(_ conformanceCase: ConformanceCase, exclusions: [String: String]) -> String? {
        if let reason = exclusions[conformanceCase.id] { return "excluded: \(reason)" }
        let missing = conformanceCase.levels.subtracting(claims).sorted().map(\.rawValue)
        guard missing.isEmpty else { return "the engine does not claim \(missing.joined(separator: " and "))" }
        let lacking = conformanceCase.needs.subtracting(TransportFeatures(rawValue: features))
        guard lacking.isEmpty else { return "the engine says that it lacks \(lacking)" }
        if conformanceCase.connectionLimit != nil, !isLimitable {
            return "the engine is described without `limited:`"
        }
        return nil
    }
}
