public import AirframeTransport
internal import FoundationEssentials

extension MockTransport {
    /// How a mock behaves.
    public struct Configuration: Sendable {
        /// The clock that everything happens on. Several transports may share one.
        public var clock: VirtualClock

        /// What is drawn (``Reply/random(of:)``, ``Reply/delayed(by:in:)`` with a range) depends on this, on the
        /// route and on how often it was asked, and on nothing else.
        public var seed: UInt64 = 0

        /// The name of the engine for messages.
        public var engine = "mock"

        /// What the engine can do: everything but HTTP/3. Take features away to see how a poorer engine
        /// fares: what it lacks is refused, or does not happen.
        public var features: TransportFeatures = .mock

        /// The content codings that the engine claims to decode; a session asks for these and no others.
        public var contentCodings: [String] = []

        /// What requests leave open.
        public var defaultOptions = TransportOptions()

        /// What a request gets that no route expects.
        public var unmatched: Unmatched = .fail

        /// The version of HTTP that is spoken where the request names none.
        public var httpVersion: HTTPVersion = .http1_1

        /// The newest version of TLS that the servers speak.
        public var tlsVersion: TLSVersion = .tls1_3

        /// The certificates that the servers show.
        public var certificates = ServerCertificates()

        /// The most connections to one host at once, or `nil` for as many as are asked for. Requests beyond it wait in
        /// the phase ``TransportPhase/pool``.
        public var maximumConnectionsPerHost: Int?

        /// The size of the pieces in which request bodies are taken, unless a reply says otherwise.
        public var requestChunkSize = 64 * 1024

        /// How many bytes of a request's body are remembered.
        public var recordedBodyLimit = 64 * 1024 * 1024

        /// The defaults: all features, a clock of its own that runs by itself.
        public init(clock: VirtualClock = VirtualClock()) { self.clock = clock }
    }

    /// What a request gets that no route expects.
    public enum Unmatched: Sendable {
        /// An error with the difference from the nearest route: ``TransportError/Code/unmatchedRequest``.
        case fail
        /// This reply.
        case reply(Reply)
    }
}

extension TransportFeatures {
    /// What a mock can do: everything but ``http3`` and ``preparation``.
    public static let mock: TransportFeatures = [
        .http1, .http2, .http2PriorKnowledge, .tls, .trustEvaluation, .clientIdentity, .tlsVersionBounds, .customRoots,
        .httpProxy, .httpsProxy, .socksProxy, .environmentProxy, .resolveOverrides, .localAddress, .networkInterface,
        .unixSocket, .priority, .expectContinue, .requestTrailers, .responseTrailers, .informationalResponses,
        .fullDuplex, .deadline, .poolLimit, .connectLimit, .tlsLimit, .writeIdleLimit, .firstByteLimit, .readIdleLimit,
        .upgrade, .uploadSuspension, .priorityUpdates, .tlsAlgorithms, .socketSettings,
    ]
}

extension TransportError.Code {
    /// A request that no route of a mock expects
    public static let unmatchedRequest = Self(rawValue: "unmatchedRequest")
}
