extension TransportError {
    /// The kind of failure. An open set: engines and layers may add codes.
    public struct Code: Sendable, Hashable, RawRepresentable, CustomStringConvertible {
        /// The code's name.
        public let rawValue: String

        /// Names a code.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The code's name.
        public var description: String { rawValue }
    }
}

extension TransportError.Code {
    private init(_ name: String) { rawValue = name }

    /// The request cannot be sent as it is: no host, a malformed field, a forbidden combination
    public static let invalidRequest = Self("invalidRequest")
    /// No engine for the URL's scheme
    public static let unsupportedScheme = Self("unsupportedScheme")
    /// The engine does not support an option
    public static let unsupportedOption = Self("unsupportedOption")
    /// The body must be sent again and cannot be replayed
    public static let bodyNotReplayable = Self("bodyNotReplayable")
    /// The source of the request's body threw, or its file could not be read
    public static let bodyFailed = Self("bodyFailed")
    /// The request's body had fewer or more bytes than announced
    public static let bodyLengthMismatch = Self("bodyLengthMismatch")
    /// The caller ended the exchange
    public static let cancelled = Self("cancelled")
    /// A limit or the deadline elapsed; the phase says which
    public static let timedOut = Self("timedOut")
    /// Too many requests wait for a connection
    public static let poolExhausted = Self("poolExhausted")
    /// The host has no address
    public static let nameResolutionFailed = Self("nameResolutionFailed")
    /// No address of the host accepts a connection
    public static let connectFailed = Self("connectFailed")
    /// There is no route
    public static let networkUnreachable = Self("networkUnreachable")
    /// The proxy cannot be reached or refuses
    public static let proxyFailed = Self("proxyFailed")
    /// The TLS handshake failed
    public static let tlsFailed = Self("tlsFailed")
    /// The server's certificates were refused
    public static let trustRefused = Self("trustRefused")
    /// The server requires a client certificate and accepted none
    public static let clientIdentityRefused = Self("clientIdentityRefused")
    /// The connection broke, or the server reset the HTTP/2 stream
    public static let connectionLost = Self("connectionLost")
    /// The response is not HTTP, or violates its rules
    public static let malformedResponse = Self("malformedResponse")
    /// The response's head is larger than the limit
    public static let headTooLarge = Self("headTooLarge")
    /// The response's body ended before the length that its head announced, its last chunk, or END_STREAM
    public static let bodyTruncated = Self("bodyTruncated")
    /// The response's body exceeds the caller's limit
    public static let bodyTooLarge = Self("bodyTooLarge")
    /// Two readers read the response's body concurrently
    public static let bodyInUse = Self("bodyInUse")
    /// The response's body cannot be decoded
    public static let contentDecodingFailed = Self("contentDecodingFailed")
    /// A chain of redirects did not end
    public static let tooManyRedirects = Self("tooManyRedirects")
    /// A redirect's location is empty, malformed or not HTTP
    public static let invalidRedirect = Self("invalidRedirect")
    /// The redirect rules forbid the redirect: from `https` to `http`, or with content to another origin
    public static let redirectRefused = Self("redirectRefused")
    /// A challenge cannot be answered, or the server failed to prove that it knows the password
    public static let authenticationFailed = Self("authenticationFailed")
    /// Only a cache may answer the request, and it has no suitable response
    public static let cacheMiss = Self("cacheMiss")
    /// The server's circuit breaker is open
    public static let circuitOpen = Self("circuitOpen")
    /// The transport was shut down
    public static let transportShutDown = Self("transportShutDown")
    /// The engine itself failed: out of descriptors, out of memory
    public static let engineFailure = Self("engineFailure")

    /// The raw value of the matching `URLError.Code` (`NSURLError…`).
    var urlErrorCode: Int { Self.urlErrorCodes[self] ?? -1 }

    private static let urlErrorCodes: [Self: Int] = [
        .invalidRequest: -1000, .unsupportedScheme: -1002, .unsupportedOption: -1000, .bodyNotReplayable: -1021,
        .bodyFailed: -1021, .bodyLengthMismatch: -1021, .cancelled: -999, .timedOut: -1001, .poolExhausted: -1001,
        .nameResolutionFailed: -1003, .connectFailed: -1004, .networkUnreachable: -1009, .proxyFailed: -1004,
        .tlsFailed: -1200, .trustRefused: -1202, .clientIdentityRefused: -1206, .connectionLost: -1005,
        .malformedResponse: -1017, .headTooLarge: -1103, .bodyTruncated: -1005, .bodyTooLarge: -1103,
        .contentDecodingFailed: -1016, .tooManyRedirects: -1007, .invalidRedirect: -1010,
        .redirectRefused: -1010,
        .authenticationFailed: -1013, .transportShutDown: -1005, .cacheMiss: -1008, .circuitOpen: -1008,
        .engineFailure: -1,
    ]
}

extension TransportError.Code {
    /// Whether the message is a report of several lines that quotes no peer: the mock's for an unmatched request.
    var isReport: Bool { rawValue == "unmatchedRequest" }
}
