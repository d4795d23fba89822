/// The limits of a ``CircuitBreaker``.
public struct CircuitThresholds: Sendable, Hashable {
    /// The share of failures, above 0 and up to 1, at which a circuit opens.
    public var failureRatio: Double
    /// The number of exchanges within the window below which a circuit does not open.
    public var minimumExchanges: Int
    /// The length of the window in which exchanges are counted.
    public var window: Duration
    /// The time that an open circuit rejects requests for.
    public var openDuration: Duration
    /// The number of requests that a half-open circuit admits, and that must all succeed to close it.
    public var probes: Int

    /// Sets the limits. A count below 1 counts as 1.
    ///
    /// - Parameters:
    ///   - failureRatio: The share of failures at which a circuit opens.
    ///   - minimumExchanges: The number of exchanges within the window below which a circuit does not open.
    ///   - window: The length of the window in which exchanges are counted.
    ///   - openDuration: The time that an open circuit rejects requests for.
    ///   - probes: The number of requests that a half-open circuit admits, and that must all succeed to close it.
    public init(
        failureRatio: Double = 0.5,
        minimumExchanges: Int = 10,
        window: Duration = .seconds(30),
        openDuration: Duration = .seconds(15),
        probes: Int = 1
    ) {
        self.failureRatio = failureRatio
        self.minimumExchanges = max(1, minimumExchanges)
        self.window = max(.milliseconds(1), window)
        self.openDuration = max(.zero, openDuration)
        self.probes = max(1, probes)
    }
}
