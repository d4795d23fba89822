internal import Synchronization

/// The identity of one exchange: one request on its way to one server, and its response.
///
/// Every event carries it, so that one sink can observe the hops of a redirect chain, the attempts of a retry and a
/// revalidation that continues after its response was served. It is unique within the process.
public struct ExchangeIdentifier: Sendable, Hashable {
    // A relaxed counter: only uniqueness matters, not the order in which threads draw numbers.
    private static let last = Atomic<UInt64>(0)

    /// The number of the exchange; later exchanges of one thread have greater numbers.
    public let rawValue: UInt64

    /// The identifier of no exchange.
    static let none = ExchangeIdentifier(rawValue: 0)

    private init(rawValue: UInt64) { self.rawValue = rawValue }

    /// Creates an identifier that no other exchange of the process has.
    public init() { rawValue = Self.last.wrappingAdd(1, ordering: .relaxed).newValue }
}

extension ExchangeIdentifier: CustomStringConvertible {
    /// The number.
    public var description: String { "\(rawValue)" }
}
