package import AirframeTransport

/// The exit statuses of `airframe`. Those for failures are curl's, which scripts know.
package enum ExitStatus: Int32, Sendable, CaseIterable {
    /// Success: a response, with `--fail` one with a status below 400.
    case success = 0
    /// Any other failure.
    case failure = 1
    /// The server is refused (`airframe trust`).
    case untrusted = 2
    /// The proxy cannot be reached or refuses.
    case proxy = 5
    /// The host has no address.
    case nameResolution = 6
    /// The connection failed.
    case connect = 7
    /// With `--fail`: the status is 400 or above.
    case httpError = 22
    /// The output cannot be written: the disk is full.
    case write = 23
    /// A file to send could not be read.
    case read = 26
    /// A time limit or the deadline passed.
    case timeout = 28
    /// The TLS handshake failed.
    case tls = 35
    /// Too many redirects, or one that the rules do not allow.
    case redirects = 47
    /// The connection was lost before the end of the response.
    case connectionLost = 56
    /// The server wants a client certificate.
    case identity = 58
    /// The server's certificates are refused.
    case trust = 60
    /// The response's content coding cannot be decoded.
    case decoding = 61
    /// The command line is wrong.
    case usage = 64
    /// The reader closed standard output: the status of SIGPIPE.
    case brokenPipe = 141

    /// The status for a failed exchange.
    package init(_ code: TransportError.Code) {
        switch code {
        case .nameResolutionFailed: self = .nameResolution
        case .connectFailed, .networkUnreachable: self = .connect
        case .proxyFailed: self = .proxy
        case .bodyFailed, .bodyLengthMismatch: self = .read
        case .timedOut, .poolExhausted: self = .timeout
        case .tlsFailed: self = .tls
        case .trustRefused: self = .trust
        case .clientIdentityRefused: self = .identity
        case .tooManyRedirects, .invalidRedirect, .redirectRefused: self = .redirects
        case .connectionLost, .bodyTruncated, .malformedResponse: self = .connectionLost
        case .contentDecodingFailed: self = .decoding
        default: self = .failure
        }
    }
}
