public import AirframeTransport
public import Testing

/// A rule that every engine follows.
public struct ConformanceCase: Sendable, Identifiable {
    typealias Check = @Sendable (ConformanceTrial) async throws -> Void

    /// The case's name: its group and its subject, such as `chunked.extension`.
    public let id: String
    /// The subject of the case.
    public let group: ConformanceGroup
    /// The rule, in the words of the specification.
    public let title: String
    /// The level at which the case is counted: the last of those that it examines.
    public let level: ConformanceLevel
    /// The levels that an engine must claim for the case to be run.
    public let levels: Set<ConformanceLevel>
    /// The features that the engine needs. The case is skipped for an engine whose capabilities lack one.
    public let needs: TransportFeatures
    /// The maximum number of connections to one host that the engine may open; `nil` for any number.
    public let connectionLimit: Int?
    /// The behaviour of the peer.
    public let scenario: PeerScenario
    /// The longest time that the case may take.
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
    /// The id and the title.
    public var description: String { "\(id): \(title)" }
    /// The id and the title.
    public var testDescription: String { description }
}

/// A deviation of an engine from a case.
public struct ConformanceFailure: Sendable, Hashable, CustomStringConvertible {
    /// The case.
    public let caseID: String
    /// The observation and the expectation.
    public let message: String

    /// The case and the message.
    public var description: String { "\(caseID): \(message)" }
}
