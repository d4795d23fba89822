public import AirframeTransport
internal import FoundationEssentials

extension MockTransport {
    /// The settings of a mock.
    public struct Configuration: Sendable {
        /// The clock of the mock. Several transports may share one.
        public var clock: VirtualClock

        /// The seed of random values (``Reply/random(of:)``, ``Reply/delayed(by:in:)`` with a range). They depend only
        /// on it, on the route and on the number of the route's requests.
        public var seed: UInt64 = 0

        /// The name of the engine for messages.
        public var engine = "mock"

        /// The features of the engine, ``TransportFeatures/mock`` by default. Remove features to test the behaviour
        /// over an engine without them: options that need them are refused, and the engine does nothing that depends on
        /// them.
        public var features: TransportFeatures = .mock

        /// The content codings that the engine claims to decode. A session asks for these only.
        public var contentCodings: [String] = []

        /// The options that apply where a request sets none.
        public var defaultOptions = TransportOptions()

        /// The answer to a request that matches no route.
        public var unmatched: Unmatched = .fail

        /// The version of HTTP for requests that name none.
        public var httpVersion: HTTPVersion = .http1_1

        /// The newest TLS version of the servers.
        public var tlsVersion: TLSVersion = .tls1_3

        /// The certificates of the servers.
        public var certificates = ServerCertificates()

        /// The maximum number of concurrent connections to one host, or `nil` for no limit. Requests beyond it wait in
        /// the phase ``TransportPhase/pool``.
        public var maximumConnectionsPerHost: Int?

        /// The size of the pieces in which request bodies are taken, unless a reply says otherwise.
        public var requestChunkSize = 64 * 1024

        /// The maximum number of bytes of a request's body that the history keeps.
        public var recordedBodyLimit = 64 * 1024 * 1024

        /// Creates the default settings: all features, and its own automatic clock.
        public init(clock: VirtualClock = VirtualClock()) { self.clock = clock }
    }

    /// The answer to a request that matches no route.
    public enum Unmatched: Sendable {
        /// An error with the difference from the nearest route: ``TransportError/Code/unmatchedRequest``.
        case fail
        /// This reply.
        case reply(Reply)
    }
}

extension TransportFeatures {
    /// The features of a mock: those of every engine, except ``http3``, ``preparation`` and
    /// ``connectionAuthentication``. Layers add ``connectivityWait`` and ``responseCache``.
    public static let mock: TransportFeatures = [
        .http1, .http2, .http2PriorKnowledge, .tls, .trustEvaluation, .clientIdentity, .tlsVersionBounds, .customRoots,
        .httpProxy, .httpsProxy, .socksProxy, .environmentProxy, .resolveOverrides, .localAddress, .networkInterface,
        .unixSocket, .priority, .expectContinue, .requestTrailers, .responseTrailers, .informationalResponses,
        .fullDuplex, .deadline, .poolLimit, .connectLimit, .tlsLimit, .writeIdleLimit, .firstByteLimit, .readIdleLimit,
        .upgrade, .uploadSuspension, .priorityUpdates, .tlsAlgorithms, .socketSettings,
    ]
}

extension TransportError.Code {
    /// A request that matches no route of a mock
    public static let unmatchedRequest = Self(rawValue: "unmatchedRequest")
}
