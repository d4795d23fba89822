/// The time after which ``HedgingLayer`` sends a second attempt.
public enum HedgeDelay: Sendable, Hashable {
    /// A fixed duration.
    case fixed(Duration)

    /// A percentile of the latest response times of the same origin: with 95, one request in twenty is hedged.
    ///
    /// - Parameters:
    ///   - percentile: The percentile, from 0 to 100.
    ///   - initial: The delay until ``minimumSamples`` response times of the origin are known.
    case percentile(Double, initial: Duration)

    /// The minimum number of response times from which a percentile is computed.
    public static let minimumSamples = 20
}
