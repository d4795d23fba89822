internal import AirframeTransport
public import HTTPTypes

/// A rule of a mock: the requests that it matches, and its reply to them.
///
/// ```swift
/// Route(.get, "/users/:id") { request in .json(["id": request.captures["id"]]) }
/// Route(.post, "https://api.test/login").when(header: .authorization, is: "Bearer x").reply(.status(204))
/// ```
///
/// A route is a value. Several transports may have it, and each counts its requests separately.
public struct Route: Sendable {
    /// Answers a request.
    public typealias Handler = @Sendable (RecordedRequest) async throws -> Reply

    let identity = Identity()
    let method: HTTPRequest.Method?
    let target: RouteTarget
    var conditions: [Condition] = []
    var scenarioConditions: [ScenarioCondition] = []
    var transitions: [@Sendable (inout ScenarioStates) -> Void] = []
    var answer = Reply.status(.ok)
    var expectation: HitExpectation?

    /// The name for messages and for ``MockTransport/requests(toRouteNamed:)``: method and pattern, unless
    /// ``named(_:)`` has set it.
    public private(set) var name: String

    /// Creates a route that answers `200` without a body until ``reply(_:)`` sets another reply.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - pattern: The path, percent-decoded. `:name` and `*` stand for one segment, `**` for any number. A scheme and
    ///     a host may come before (`https://*.api.test:8443/users`), query items after (`/users?page=2`; others may be
    ///     there too).
    public init(_ method: HTTPRequest.Method, _ pattern: String) {
        self.init(anyOf: method, pattern)
    }

    /// Creates a route for any method that answers `200` without a body until ``reply(_:)`` sets another reply.
    ///
    /// - Parameter pattern: The path; see ``init(_:_:)``.
    public init(_ pattern: String) {
        self.init(anyOf: nil, pattern)
    }

    init(anyOf method: HTTPRequest.Method?, _ pattern: String) {
        self.method = method
        target = RouteTarget(pattern)
        name = "\(method?.rawValue ?? "*") \(pattern)"
        conditions = target.query.map { Condition.query($0.name, $0.value) }
    }

    /// Creates a route that a closure answers.
    ///
    /// - Parameters:
    ///   - method: The method.
    ///   - pattern: The path; see ``init(_:_:)``.
    ///   - handler: Called when the request has arrived whole. What it throws fails the exchange: a `TransportError` as
    ///     it is, another error as ``TransportError/Code/engineFailure`` with it beneath.
    public init(_ method: HTTPRequest.Method, _ pattern: String, handler: @escaping Handler) {
        self.init(anyOf: method, pattern)
        answer = .handler(handler)
    }

    /// Creates a route for any method that a closure answers.
    ///
    /// - Parameters:
    ///   - pattern: The path; see ``init(_:_:)``.
    ///   - handler: Answers the request.
    public init(_ pattern: String, handler: @escaping Handler) {
        self.init(anyOf: nil, pattern)
        answer = .handler(handler)
    }

    /// Returns the route with another reply.
    public func reply(_ reply: Reply) -> Route {
        with { $0.answer = reply }
    }

    /// Returns the route with a closure that answers.
    public func reply(_ handler: @escaping Handler) -> Route {
        reply(.handler(handler))
    }

    /// Returns the route with another name.
    public func named(_ name: String) -> Route {
        with { $0.name = name }
    }

    /// Returns the route with an expected number of requests; see ``MockTransport/verify()``.
    public func expected(_ expectation: HitExpectation) -> Route {
        with { $0.expectation = expectation }
    }

    func with(_ change: (inout Route) -> Void) -> Route {
        var changed = self
        change(&changed)
        return changed
    }
}

/// The expected number of requests to a route.
public struct HitExpectation: Sendable, Hashable, CustomStringConvertible {
    let range: ClosedRange<Int>
    /// The expectation in words.
    public let description: String

    /// Once.
    public static let once = HitExpectation(range: 1...1, description: "once")
    /// Never.
    public static let never = HitExpectation(range: 0...0, description: "never")

    /// Exactly that many times.
    public static func exactly(_ count: Int) -> HitExpectation {
        HitExpectation(range: max(0, count)...max(0, count), description: "\(count) times")
    }

    /// At least that many times.
    public static func atLeast(_ count: Int) -> HitExpectation {
        HitExpectation(range: max(0, count)...Int.max, description: "at least \(count) times")
    }

    /// At most that many times.
    public static func atMost(_ count: Int) -> HitExpectation {
        HitExpectation(range: 0...max(0, count), description: "at most \(count) times")
    }
}
