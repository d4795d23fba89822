package import AirframeTransport

/// The exit statuses of `airframe`. Those for failures are curl's, which scripts know.
package enum ExitStatus: Int32, Sendable, CaseIterable {
    /// The response came, with `--fail` with a status below 400.
    case success = 0
    /// The request failed in another way than those below.
    case failure = 1
    /// The server is refused (`airframe trust`).
    case untrusted = 2
    /// The proxy cannot be reached or refuses.
    case proxy = 5
    /// The host has no address.
    case nameResolution = 6
    /// No connection came about.
    case connect = 7
    /// With `--fail`: the status is 400 or above.
    case httpError = 22
    /// The output cannot be written: the disk is full.
    case write = 23
    /// A file to send cannot be read.
    case read = 26
    /// A limit or the deadline ran out.
    case timeout = 28
    /// The TLS handshake failed.
    case tls = 35
    /// Redirects did not end, or lead where the rules do not allow.
    case redirects = 47
    /// The connection broke before the response was whole.
    case connectionLost = 56
    /// The server wants a client certificate.
    case identity = 58
    /// The server's certificates are refused.
    case trust = 60
    /// The response's content coding cannot be decoded.
    case decoding = 61
    /// The command line cannot be understood.
    case usage = 64
    /// The reader of standard output has gone: as if by SIGPIPE.
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
