internal import AirframeTransport
internal import CCurl

/// What this process's libcurl is and can do.
enum CurlLibrary {
    /// Initializes libcurl once; its answer is kept.
    static let initialization: CURLcode = curl_global_init(Int(CURL_GLOBAL_DEFAULT))

    /// The capabilities of a transport over this libcurl.
    static let capabilities: TransportCapabilities = {
        _ = initialization
        guard let information = curl_version_info(CURLVERSION_ELEVENTH) else {
            return TransportCapabilities(engine: "curl", features: always)
        }
        let bits = Int(information.pointee.features)
        var features = always
        if bits & Int(CURL_VERSION_HTTP2) != 0 { features.formUnion([.http2, .http2PriorKnowledge]) }
        if bits & Int(CURL_VERSION_SSL) != 0, isOpenSSL(information.pointee.ssl_version) {
            features.formUnion([
                .tls, .trustEvaluation, .clientIdentity, .tlsVersionBounds, .customRoots, .tlsLimit,
            ])
        }
        if bits & Int(CURL_VERSION_HTTPS_PROXY) != 0 { features.insert(.httpsProxy) }
        if bits & Int(CURL_VERSION_UNIX_SOCKETS) != 0 { features.insert(.unixSocket) }
        let version = information.pointee.version.map { String(cString: $0) } ?? "of unknown version"
        return TransportCapabilities(engine: "curl \(version)", features: features)
    }()

    /// Whether a handle can be told not to wait for a lookup that it gives up (`CURLOPT_QUICK_EXIT`, since 7.87.0).
    static let canAbandonLookups = (curl_version_info(CURLVERSION_FIRST)?.pointee.version_num ?? 0) >= 0x07_57_00

    // What every libcurl that this package builds against can do.
    private static let always: TransportFeatures = [
        .http1, .httpProxy, .socksProxy, .environmentProxy, .resolveOverrides, .localAddress, .networkInterface,
        .priority, .expectContinue, .requestTrailers, .responseTrailers, .informationalResponses, .fullDuplex,
        .deadline, .poolLimit, .connectLimit, .writeIdleLimit, .firstByteLimit, .readIdleLimit,
    ]

    // The TLS parts reach into OpenSSL's own structures; another backend would misread them.
    private static func isOpenSSL(_ version: UnsafePointer<CChar>?) -> Bool {
        version.map { String(cString: $0).hasPrefix("OpenSSL") } ?? false
    }

    /// libcurl's words for a code.
    static func text(_ code: CURLcode) -> String { String(cString: curl_easy_strerror(code)) }

    /// libcurl's words for a code of the multi interface.
    static func text(_ code: CURLMcode) -> String { String(cString: curl_multi_strerror(code)) }
}
