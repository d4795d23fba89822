internal import AirframeTransport
public import FoundationEssentials
public import HTTPTypes

extension Route {
    /// Returns the route for requests to `host` only: `api.test`, `api.test:8443`, or `*.api.test` for all names below.
    public func when(host: String) -> Route {
        adding(.host(host))
    }

    /// The route for requests whose query has `name` with `value`, percent-decoded.
    public func when(query name: String, is value: String) -> Route {
        adding(.query(name, value))
    }

    /// The route for requests whose query is these items in any order, and no others.
    public func when(exactQuery items: KeyValuePairs<String, String>) -> Route {
        let expected = items.map { QueryItem(name: $0.key, value: $0.value) }.inOrder
        return adding(
            Condition(.query, expected.shown) { request in
                let actual = request.query.inOrder
                return actual == expected ? nil : actual.shown
            }
        )
    }

    /// The route for requests whose field `name` is `value`.
    public func when(header name: HTTPField.Name, is value: String) -> Route {
        adding(.header(name, "\(name): \(Redaction.value(value, of: name.rawName))") { $0 == value })
    }

    /// The route for requests that have the field `name`.
    public func when(header name: HTTPField.Name) -> Route {
        adding(.header(name, "\(name), any value") { _ in true })
    }

    /// The route for requests whose field `name` satisfies `predicate`.
    public func when(header name: HTTPField.Name, matches predicate: @escaping @Sendable (String) -> Bool) -> Route {
        adding(.header(name, "\(name) that satisfies the predicate", predicate))
    }

    /// The route for requests that lack the field `name`.
    public func when(noHeader name: HTTPField.Name) -> Route {
        adding(
            Condition(.header, "no \(name)") { request in
                request.headerFields[name].map { "\(name): \(Redaction.value($0, of: name.rawName))" }
            }
        )
    }

    /// The route for requests with this body, byte for byte.
    public func when(body: Data) -> Route {
        adding(Condition(.body, body.preview) { $0.body == body ? nil : $0.body.preview })
    }

    /// The route for requests with this text as their body.
    public func when(body text: String) -> Route {
        when(body: Data(text.utf8))
    }

    /// The route for requests whose body means the same as `value` in JSON: white space, the order of members and the
    /// spelling of numbers do not matter.
    public func when(json value: JSONValue) -> Route {
        adding(
            Condition(.body, value.description) { request in
                let actual = JSONValue(parsing: request.body)
                return actual == value ? nil : actual?.description ?? "no JSON: \(request.body.preview)"
            }
        )
    }

    /// The route for requests whose body means the same as `value` does when it is encoded.
    ///
    /// - Parameters:
    ///   - value: The value. If it cannot be encoded, the route matches nothing, and the report has the reason.
    ///   - encoder: The encoder.
    public func when<Value: Encodable>(json value: Value, encoder: JSONEncoder = JSONEncoder()) -> Route {
        do {
            return when(json: try JSONValue(encoding: value, with: encoder))
        } catch {
            let reason = "a value that cannot be encoded: \(error)"
            return adding(Condition(.body, reason) { $0.body.preview })
        }
    }

    /// The route for requests whose body satisfies `predicate`.
    ///
    /// - Parameters:
    ///   - description: The required value in words, for messages.
    ///   - predicate: Returns whether the body meets the condition.
    public func when(
        body description: String = "a body that satisfies the predicate",
        matches predicate: @escaping @Sendable (Data) -> Bool
    ) -> Route {
        adding(Condition(.body, description) { predicate($0.body) ? nil : $0.body.preview })
    }

    /// The route for requests that satisfy `predicate`.
    ///
    /// - Parameters:
    ///   - description: The required value in words, for messages.
    ///   - predicate: Returns whether the request, with its body, meets the condition.
    public func when(
        _ description: String = "a request that satisfies the predicate",
        matches predicate: @escaping @Sendable (RecordedRequest) -> Bool
    ) -> Route {
        adding(Condition(.condition, description) { predicate($0) ? nil : "one that does not" })
    }

    /// Returns the route, which matches while `scenario` is in `state`.
    public func when<State>(_ scenario: Scenario<State>, is state: State) -> Route {
        with { route in
            route.scenarioConditions.append(
                ScenarioCondition { states in
                    let actual = states[scenario]
                    if actual == state { return nil }
                    let weight = Condition.Aspect.scenario.weight
                    let expected = "\(scenario.name) in \(state)"
                    return Mismatch(aspect: .scenario, expected: expected, actual: "\(actual)", distance: weight)
                }
            )
        }
    }

    /// Returns the route, which sets `scenario` to `state` when it answers.
    public func moving<State>(_ scenario: Scenario<State>, to state: State) -> Route {
        with { $0.transitions.append { $0[scenario] = state } }
    }

    private func adding(_ condition: Condition) -> Route {
        with { $0.conditions.append(condition) }
    }
}

extension Condition {
    static func host(_ host: String) -> Condition {
        let pattern = HostPattern(text: host)
        return Condition(.host, host) { request in
            guard let origin = Origin(request.head) else { return request.shownAuthority }
            return pattern.matches(origin) ? nil : request.shownAuthority
        }
    }

    static func query(_ name: String, _ value: String) -> Condition {
        Condition(.query, [QueryItem(name: name, value: value)].shown) { request in
            let values = request.query.filter { $0.name == name }
            return values.contains { $0.value == value } ? nil : values.shown
        }
    }

    static func header(
        _ name: HTTPField.Name,
        _ expected: String,
        _ predicate: @escaping @Sendable (String) -> Bool
    ) -> Condition {
        Condition(.header, expected) { request in
            let values = request.headerFields[values: name]
            if values.contains(where: predicate) { return nil }
            let shown = values.map { Redaction.value($0, of: name.rawName) }.joined(separator: ", ")
            return values.isEmpty ? "none" : "\(name): \(shown)"
        }
    }
}

extension Data {
    /// Returns the bytes for a message: as text if they are text, and shortened if they are many.
    var preview: String {
        if isEmpty { return "no body" }
        let start = prefix(200)
        let rest = count > start.count ? "… (\(count) bytes)" : ""
        guard let text = String(validating: start, as: UTF8.self) else { return "\(count) bytes that are not text" }
        return text + rest
    }
}
