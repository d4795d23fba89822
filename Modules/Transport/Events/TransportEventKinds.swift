/// Groups of events, by which a sink declares the events that it wants.
///
/// Events of other groups are not constructed for the sink.
public struct TransportEventKinds: OptionSet, Sendable, Hashable {
    /// One bit a group.
    public let rawValue: UInt8

    /// Creates a set from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The start and the end of an exchange: `started`, `released`, `failed`
    public static let boundaries = TransportEventKinds(rawValue: 1 << 0)
    /// The acquisition of a connection: resolution, attempts to connect, proxy, TLS, acquisition, the decision to reuse
    /// a connection
    public static let connection = TransportEventKinds(rawValue: 1 << 1)
    /// The request's head and its end: `requestHeadSent`, `requestFinished`
    public static let request = TransportEventKinds(rawValue: 1 << 2)
    /// Each piece of the request's body
    public static let requestBody = TransportEventKinds(rawValue: 1 << 3)
    /// Heads and trailers of the response, informational ones included
    public static let response = TransportEventKinds(rawValue: 1 << 4)
    /// Each piece of the response's body, as received and as decoded
    public static let responseBody = TransportEventKinds(rawValue: 1 << 5)
    /// Decisions of engines, layers and sessions, other than the reuse of a connection
    public static let decisions = TransportEventKinds(rawValue: 1 << 6)

    /// Every event
    public static let all: TransportEventKinds = [
        .boundaries, .connection, .request, .requestBody, .response, .responseBody, .decisions,
    ]
}

extension TransportEvent.Kind {
    /// The group of the event.
    public var group: TransportEventKinds {
        switch self {
        case .started, .released, .failed: .boundaries
        case .resolveStarted, .resolveFinished, .connectStarted, .connectFinished, .connectFailed, .proxyStarted,
            .proxyFinished, .tlsStarted, .tlsFinished, .connectionAcquired:
            .connection
        case .requestHeadSent, .requestFinished: .request
        case .requestBodySent: .requestBody
        case .informationalResponse, .responseHead, .trailers: .response
        case .responseBodyReceived, .responseBodyDecoded: .responseBody
        case .decided(let decision): decision.isReuse ? .connection : .decisions
        }
    }
}
