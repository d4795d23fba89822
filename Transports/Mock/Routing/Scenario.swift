/// A state that routes share: what one request changes, the next one finds changed.
///
/// ```swift
/// enum Outage { case down, up }
/// let outage = Scenario(startingAt: Outage.down)
/// let mock = MockTransport {
///     Route(.get, "/status").when(outage, is: .down).moving(outage, to: .up).reply(.status(503))
///     Route(.get, "/status").when(outage, is: .up).reply(.status(200))
/// }
/// ```
///
/// The state itself belongs to the transport: the same scenario starts anew in each. A request is matched and the state
/// moved in one step, so of requests that come at once only one finds the old state.
public struct Scenario<State: Sendable & Hashable>: Sendable {
    let identity = Identity()

    /// The name, for messages.
    public let name: String
    /// The state that a transport starts with.
    public let initial: State

    /// Makes a scenario.
    ///
    /// - Parameters:
    ///   - name: Its name, for messages.
    ///   - initial: The state that a transport starts with.
    public init(_ name: String = "scenario", startingAt initial: State) {
        self.name = name
        self.initial = initial
    }
}

/// The states of one transport's scenarios.
struct ScenarioStates: Sendable {
    private var states: [Identity: any Sendable] = [:]

    subscript<State>(scenario: Scenario<State>) -> State {
        get { states[scenario.identity] as? State ?? scenario.initial }
        set { states[scenario.identity] = newValue }
    }
}

/// What a route asks of a scenario, or does to it.
struct ScenarioCondition: Sendable {
    /// The line of a report when the scenario is in another state.
    let mismatch: @Sendable (ScenarioStates) -> Mismatch?
}
