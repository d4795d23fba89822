internal import AirframeTransport
internal import CCurl
internal import Glibc

/// A result of libcurl's in the terms of a ``TransportError``.
struct CurlFailure: Equatable {
    /// The facts that libcurl's result alone does not contain.
    struct Situation {
        var stage: Stage
        var host = ""
        var proxy: String?
        var unixSocketPath: String?
        /// The status by which a proxy declined a tunnel.
        var tunnelStatus: Int?
        var systemError: Int32 = 0
        var receivedCount: Int64 = 0
        var expectedLength: Int64?
    }

    let code: TransportError.Code
    let phase: TransportPhase
    let message: String
    /// Whether the server has reported that it did not process the request.
    private(set) var isUnprocessed = false

    private init(_ code: TransportError.Code, _ phase: TransportPhase, _ message: String) {
        self.code = code
        self.phase = phase
        self.message = message
    }

    /// Creates a failure from the number of a result.
    init(number: UInt32, words: String, situation: Situation) {
        self.init(CURLcode(rawValue: number), words: words, situation: situation)
    }

    init(_ result: CURLcode, words: String, situation: Situation) {
        if let status = situation.tunnelStatus, status >= 300, situation.stage <= .proxy {
            let meaning = status == 407 ? "the proxy requires credentials" : "the proxy refused a tunnel"
            self.init(.proxyFailed, .proxy, "\(meaning): it answered \(status)")
            return
        }
        if situation.stage >= .head, words.contains("chunk") || words.contains("hexadecimal") {
            self.init(.malformedResponse, .responseBody, "the response's chunked coding is malformed")
            return
        }
        switch result {
        case CURLE_COULDNT_RESOLVE_HOST:
            self.init(.nameResolutionFailed, .resolve, "the name \(situation.host) has no address")
        case CURLE_COULDNT_RESOLVE_PROXY:
            self.init(.proxyFailed, .proxy, "the proxy's name (\(situation.proxy ?? "")) has no address")
        case CURLE_COULDNT_CONNECT:
            self = Self.connectFailure(situation)
        case CURLE_PROXY:
            self.init(.proxyFailed, .proxy, "the proxy \(situation.proxy ?? "") opened no connection")
        case CURLE_PEER_FAILED_VERIFICATION:
            self.init(.trustRefused, .tls, "the server's certificate was refused")
        case CURLE_SSL_CLIENTCERT:
            self.init(.clientIdentityRefused, .tls, "the server requires a client certificate")
        case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CIPHER, CURLE_SSL_CERTPROBLEM, CURLE_USE_SSL_FAILED:
            self = Self.tlsFailure(words, situation)
        case CURLE_PARTIAL_FILE:
            self = Self.partial(situation)
        case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL, CURLE_BAD_CONTENT_ENCODING, CURLE_HTTP2:
            self.init(.malformedResponse, situation.responsePhase, "the response is not HTTP")
        case CURLE_HTTP2_STREAM:
            self = Self.streamFailure(words, situation)
        case CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_GOT_NOTHING, CURLE_WRITE_ERROR:
            self = Self.connectionFailure(result, words, situation)
        case CURLE_SEND_FAIL_REWIND:
            self.init(.bodyNotReplayable, .requestBody, "the request's body cannot be sent a second time")
        case CURLE_BAD_FUNCTION_ARGUMENT where situation.stage >= .send && situation.stage < .body:
            // libcurl's result for a header line that it cannot parse: a fold without a field, a line without a colon.
            self.init(.malformedResponse, .responseHead, "a line of the response's head is not a header field")
        case CURLE_OPERATION_TIMEDOUT:
            self.init(.timedOut, situation.stage.phase, "libcurl's own time limit was exceeded")
        case CURLE_URL_MALFORMAT:
            self.init(.invalidRequest, .options, "libcurl cannot parse the request's URL")
        case CURLE_OUT_OF_MEMORY where situation.stage == .respond || situation.stage == .head:
            // libcurl's result for a line above its limit of 100 KiB.
            self.init(.headTooLarge, .responseHead, "a line of the response's head is longer than libcurl allows")
        case CURLE_OUT_OF_MEMORY:
            self.init(.engineFailure, situation.stage.phase, "out of memory, or the request's head is above 1 MiB")
        default:
            self.init(.engineFailure, situation.stage.phase, "libcurl failed")
        }
    }

    private static func connectFailure(_ situation: Situation) -> CurlFailure {
        let words = situation.systemError == 0 ? "" : ": \(String(cString: strerror(situation.systemError)))"
        if let proxy = situation.proxy {
            return CurlFailure(.proxyFailed, .proxy, "the proxy \(proxy) cannot be reached\(words)")
        }
        if let path = situation.unixSocketPath {
            // libcurl 7.88 waits for a connection that Linux refuses because the server's queue is full (EAGAIN,
            // connect(2)), and has no error then.
            let reason = words.isEmpty ? ": its queue may be full" : words
            return CurlFailure(.connectFailed, .connect, "the Unix socket \(path) accepts no connection\(reason)")
        }
        if [ENETUNREACH, EHOSTUNREACH, ENETDOWN].contains(situation.systemError) {
            return CurlFailure(.networkUnreachable, .connect, "there is no route to \(situation.host)\(words)")
        }
        return CurlFailure(.connectFailed, .connect, "no address of \(situation.host) accepts a connection\(words)")
    }

    private static func tlsFailure(_ words: String, _ situation: Situation) -> CurlFailure {
        if situation.stage < .tls, situation.proxy != nil {
            return CurlFailure(.proxyFailed, .proxy, "the TLS handshake with the proxy failed")
        }
        if Self.blamesIdentity(words) {
            return CurlFailure(.clientIdentityRefused, .tls, "the server requires a client certificate that it trusts")
        }
        return CurlFailure(.tlsFailed, .tls, "the TLS handshake failed")
    }

    // Alerts that a server sends about the client's certificate (RFC 8446 §6.2).
    private static func blamesIdentity(_ words: String) -> Bool {
        [
            "alert certificate required", "alert bad certificate", "alert unknown ca", "alert certificate unknown",
            "alert certificate expired", "alert certificate revoked", "alert unsupported certificate",
        ].contains { words.contains($0) }
    }

    private static func partial(_ situation: Situation) -> CurlFailure {
        guard situation.stage == .body else {
            return CurlFailure(.connectionLost, situation.stage.phase, "the connection ended before a response arrived")
        }
        let announced = situation.expectedLength.map { " of \($0)" } ?? ""
        return CurlFailure(
            .bodyTruncated,
            .responseBody,
            "the response's body ended after \(situation.receivedCount)\(announced) bytes"
        )
    }

    private static func streamFailure(_ words: String, _ situation: Situation) -> CurlFailure {
        if words.contains("PROTOCOL_ERROR") || words.contains("before getting") {
            return CurlFailure(.malformedResponse, situation.responsePhase, "the HTTP/2 stream violates the protocol")
        }
        var failure = CurlFailure(.connectionLost, situation.responsePhase, "the server reset the HTTP/2 stream")
        failure.isUnprocessed = words.contains("REFUSED_STREAM")
        return failure
    }

    private static func connectionFailure(_ result: CURLcode, _ words: String, _ situation: Situation) -> CurlFailure {
        if blamesIdentity(words) {
            return CurlFailure(.clientIdentityRefused, .tls, "the server requires a client certificate that it trusts")
        }
        if situation.stage <= .proxy, let proxy = situation.proxy {
            return CurlFailure(.proxyFailed, .proxy, "the connection to the proxy \(proxy) was lost")
        }
        if result == CURLE_WRITE_ERROR {
            return CurlFailure(.malformedResponse, situation.responsePhase, "the response cannot be parsed")
        }
        switch situation.stage {
        case .tls: return CurlFailure(.tlsFailed, .tls, "the connection was lost during the TLS handshake")
        case .body:
            return CurlFailure(.connectionLost, .responseBody, "the connection was lost within the response's body")
        case .head:
            return CurlFailure(.connectionLost, .responseHead, "the connection was lost within the response's head")
        case .send:
            return CurlFailure(.connectionLost, .requestBody, "the connection was lost while the request was sent")
        default:
            return CurlFailure(
                .connectionLost, situation.stage.phase, "the connection was lost before a response arrived")
        }
    }
}

extension CurlFailure.Situation {
    fileprivate var responsePhase: TransportPhase { stage == .body ? .responseBody : .responseHead }
}
