public import AirframeTransport
public import Testing

/// One thing that every engine does in the same way.
public struct ConformanceCase: Sendable, Identifiable {
    typealias Check = @Sendable (ConformanceTrial) async throws -> Void

    /// The case's name: its group, and what it is about, such as `chunked.extension`.
    public let id: String
    /// What the case is about.
    public let group: ConformanceGroup
    /// What holds, in the words of the specification.
    public let title: String
    /// The level at which the case is counted: the last of those that it examines.
    public let level: ConformanceLevel
    /// The levels that an engine must claim for the case to be run.
    public let levels: Set<ConformanceLevel>
    /// What the engine must be able to do. An engine that says that it cannot excludes the case.
    public let needs: TransportFeatures
    /// How many connections to one host the engine may open; `nil` for any number.
    public let connectionLimit: Int?
    /// How the peer behaves.
    public let scenario: PeerScenario
    /// How long the case may take before it fails.
    public let limit: Duration
    let check: Check

    init(
        _ group: ConformanceGroup,
        _ name: String,
        _ title: String,
        needs: TransportFeatures = [],
        alsoAt further: Set<ConformanceLevel> = [],
        connectionLimit: Int? = nil,
        limit: Duration = .seconds(40),
        peer scenario: PeerScenario,
        check: @escaping Check
    ) {
        id = "\(group.rawValue).\(name)"
        self.group = group
        self.title = title
        let groupLevel = ConformanceLevel(group)
        // The number of connections is examined even where the group is not about them.
        let ofPool: Set<ConformanceLevel> = connectionLimit == nil ? [] : [.connections]
        levels = further.union(ofPool).union(ConformanceLevel.levels(for: needs)).union([groupLevel])
        level = levels.max() ?? groupLevel
        self.needs = needs
        self.connectionLimit = connectionLimit
        self.scenario = scenario
        self.limit = limit
        self.check = check
    }
}

extension ConformanceCase: CustomTestStringConvertible, CustomStringConvertible {
    /// Id and title.
    public var description: String { "\(id): \(title)" }
    /// Id and title.
    public var testDescription: String { description }
}

/// What an engine does otherwise than a case wants.
public struct ConformanceFailure: Sendable, Hashable, CustomStringConvertible {
    /// The case.
    public let caseID: String
    /// What was found, and what had been expected.
    public let message: String

    /// Case and message.
    public var description: String { "\(caseID): \(message)" }
}
