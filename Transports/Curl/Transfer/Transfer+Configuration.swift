internal import AirframeTransport
internal import AirframeWire
internal import CCurl
internal import FoundationEssentials
internal import HTTPTypes

/// The settings of libcurl that a transfer makes before it begins.
extension Transfer {
    /// Sets the handle up for the request. A handle that is set up for the same purpose keeps the shared settings.
    func configure() throws(TransportError) {
        let purpose = plan.purpose
        if easy.purpose != purpose {
            setStanding()
            easy.purpose = purpose
        }
        // A reused handle may be set up to join connections.
        if separatesPriorKnowledge { easy.set(CURLOPT_HTTP_VERSION, plan.httpVersion.curlVersion) }
        if purpose == .particular { easy.set(CURLOPT_URL, plan.url) } else { easy.setAddress(plan.url) }
        easy.set(CURLOPT_HTTPHEADER, list: plan.headers)
        guard easy.failure == CURLE_OK else {
            throw plan.error(
                .invalidRequest,
                phase: .options,
                message: "libcurl rejects the request's settings",
                library: "libcurl: \(CurlLibrary.text(easy.failure))"
            )
        }
    }

    /// Creates the settings that all requests of one purpose and context share.
    private func setStanding() {
        easy.set(CURLOPT_NOSIGNAL, true)
        easy.set(CURLOPT_PROTOCOLS_STR, "http,https")
        easy.set(CURLOPT_PATH_AS_IS, true)
        // The engine reads chunks, and responses after empty lines: see ChunkDecoder and MisplacedHead.
        easy.set(CURLOPT_HTTP_TRANSFER_DECODING, false)
        easy.set(CURLOPT_HTTP09_ALLOWED, true)
        easy.set(CURLOPT_HTTP_VERSION, plan.httpVersion.curlVersion)
        if let target = plan.target { easy.set(CURLOPT_REQUEST_TARGET, target) }
        setBody()
        setConnection()
        setCallbacks()
        easy.setRoute(plan.route, to: plan.origin)
        if let authentication = plan.authentication { setAuthentication(authentication) }
        if plan.origin.isSecure || plan.route.proxy?.kind == .https { setTLS() }
    }

    private func setBody() {
        let method = plan.method.rawValue
        switch plan.body {
        case .none:
            if plan.method == .head {
                easy.set(CURLOPT_NOBODY, true)
            } else {
                easy.set(CURLOPT_HTTPGET, true)
                if plan.method != .get { easy.set(CURLOPT_CUSTOMREQUEST, method) }
            }
        case .memory(let data):
            easy.set(CURLOPT_POST, true)
            easy.set(CURLOPT_POSTFIELDSIZE_LARGE, offset: Int64(data.count))
            if data.isEmpty {
                easy.set(CURLOPT_COPYPOSTFIELDS, "")
            } else {
                data.withUnsafeBytes { easy.set(CURLOPT_COPYPOSTFIELDS, pointer: $0.baseAddress) }
            }
            if plan.method != .post { easy.set(CURLOPT_CUSTOMREQUEST, method) }
        case .upload(_, let length):
            easy.set(CURLOPT_UPLOAD, true)
            easy.set(CURLOPT_INFILESIZE_LARGE, offset: length ?? -1)
            if plan.method != .put { easy.set(CURLOPT_CUSTOMREQUEST, method) }
            if length ?? .max > 64 * 1024 { easy.set(CURLOPT_UPLOAD_BUFFERSIZE, 256 * 1024) }
        }
        guard !plan.body.isNone else { return }
        // An early response does not end the request: the server may still read it.
        easy.set(CURLOPT_KEEP_SENDING_ON_ERROR, true)
        if case .always(let wait) = plan.options.expectContinue {
            easy.set(CURLOPT_EXPECT_100_TIMEOUT_MS, max(0, Int(clamping: wait.wholeNanoseconds / 1_000_000)))
        }
    }

    private func setConnection() {
        let configuration = engine.configuration
        let options = plan.options
        // The engine enforces the limits. libcurl's default of 300 s must not end a transfer before them.
        easy.set(CURLOPT_CONNECTTIMEOUT_MS, Int(Int32.max))
        easy.set(CURLOPT_MAXAGE_CONN, configuration.idleSeconds)
        easy.setReceiveBufferSize(configuration.receiveBufferSize)
        // libcurl would replace the probes that the options name by its own.
        easy.set(CURLOPT_TCP_KEEPALIVE, options.socket.keepAlive == nil)
        easy.set(CURLOPT_SHARE, pointer: context.share.pointer)
        // Requests of a burst to a server that may speak HTTP/2 wait for its first connection and share it.
        let mayMultiplex = plan.httpVersion == .http2PriorKnowledge || plan.origin.isSecure
        if mayMultiplex, plan.httpVersion != .http1Only { easy.set(CURLOPT_PIPEWAIT, true) }
        if let path = options.unixSocketPath { easy.set(CURLOPT_UNIX_SOCKET_PATH, path) }
        // libcurl takes a cache of 0 connections for one without a limit.
        if configuration.maximumIdleConnections <= 0 { easy.set(CURLOPT_FORBID_REUSE, true) }
        easy.set(CURLOPT_RESOLVE, list: context.resolveList)
        // The same delay as `SocketTransport.Configuration.connectionAttemptDelay`.
        easy.set(CURLOPT_HAPPY_EYEBALLS_TIMEOUT_MS, 250)
        // libcurl looks few names up itself. Such a lookup must not block the loop when its transfer is cancelled.
        if CurlLibrary.canAbandonLookups { easy.set(CURLOPT_QUICK_EXIT, true) }
    }

    private func setTLS() {
        // TLSHandshake decides on trust, in the callback of the TLS context. If libcurl never called that, every server
        // would fail, because libcurl's own store of roots is empty.
        easy.set(CURLOPT_CAINFO, nil)
        easy.set(CURLOPT_CAPATH, nil)
        easy.set(CURLOPT_CA_CACHE_TIMEOUT, 0)
        easy.set(CURLOPT_SSL_VERIFYPEER, true)
        easy.set(CURLOPT_SSL_VERIFYHOST, 0)
        easy.set(CURLOPT_SSL_SESSIONID_CACHE, context.key.resumesSessions)
        easy.set(CURLOPT_SSL_CTX_DATA, pointer: easy.owner)
        easy.setTLSContext { _, context, pointer in
            guard let transfer = Transfer.of(pointer), let context else { return CURLE_ABORTED_BY_CALLBACK }
            return transfer.prepareTLS(OpaquePointer(context))
        }
    }
}

extension HTTPVersionPolicy {
    fileprivate var curlVersion: Int {
        switch self {
        case .automatic where !CurlLibrary.offersHTTP2: Int(CURL_HTTP_VERSION_1_1)
        case .automatic, .http2Only: Int(CURL_HTTP_VERSION_2TLS)
        case .http1Only: Int(CURL_HTTP_VERSION_1_1)
        case .http2PriorKnowledge: Int(CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE)
        }
    }
}
