internal import AirframeTransport
internal import CCurl

/// The version and the capabilities of the process's libcurl.
enum CurlLibrary {
    /// The result of initializing libcurl, which happens once.
    static let initialization: CURLcode = curl_global_init(Int(CURL_GLOBAL_DEFAULT))

    /// The capabilities of a transport over this libcurl.
    static let capabilities: TransportCapabilities = {
        _ = initialization
        guard let information = curl_version_info(CURLVERSION_ELEVENTH) else {
            return TransportCapabilities(engine: "curl", features: always)
        }
        let bits = Int(information.pointee.features)
        var features = always
        if offersHTTP2 { features.formUnion([.http2, .http2PriorKnowledge]) }
        if bits & Int(CURL_VERSION_SSL) != 0, isOpenSSL(information.pointee.ssl_version) {
            features.formUnion([
                .tls, .trustEvaluation, .clientIdentity, .tlsVersionBounds, .customRoots, .tlsLimit, .tlsAlgorithms,
            ])
        }
        if bits & Int(CURL_VERSION_HTTPS_PROXY) != 0 { features.insert(.httpsProxy) }
        if bits & Int(CURL_VERSION_UNIX_SOCKETS) != 0 { features.insert(.unixSocket) }
        if !connectionSchemes.isEmpty { features.insert(.connectionAuthentication) }
        let version = information.pointee.version.map { String(cString: $0) } ?? "of unknown version"
        return TransportCapabilities(engine: "curl \(version)", features: features)
    }()

    /// The schemes of connection authentication that libcurl was built with.
    static let connectionSchemes: Set<ConnectionAuthentication.Scheme> = {
        let bits = Int(curl_version_info(CURLVERSION_FIRST)?.pointee.features ?? 0)
        var schemes: Set<ConnectionAuthentication.Scheme> = []
        if bits & Int(CURL_VERSION_SPNEGO) != 0 { schemes.insert(.negotiate) }
        if bits & Int(CURL_VERSION_NTLM) != 0 { schemes.insert(.ntlm) }
        return schemes
    }()

    /// Whether a handle need not wait for a lookup that it abandons (`CURLOPT_QUICK_EXIT`, since 7.87.0).
    static let canAbandonLookups = (curl_version_info(CURLVERSION_FIRST)?.pointee.version_num ?? 0) >= 0x07_57_00

    // The features of every libcurl that this package builds against.
    private static let always: TransportFeatures = [
        .http1, .httpProxy, .socksProxy, .environmentProxy, .resolveOverrides, .localAddress, .networkInterface,
        .priority, .expectContinue, .requestTrailers, .responseTrailers, .informationalResponses, .fullDuplex,
        .deadline, .poolLimit, .connectLimit, .writeIdleLimit, .firstByteLimit, .readIdleLimit, .uploadSuspension,
        .socketSettings,
    ]

    // The TLS code uses OpenSSL's structures, which other backends do not have.
    private static func isOpenSSL(_ version: UnsafePointer<CChar>?) -> Bool {
        version.map { String(cString: $0).hasPrefix("OpenSSL") } ?? false
    }

    /// Whether libcurl sends a second request with prior knowledge over the connection of the first.
    ///
    /// 7.88 starts HTTP/2 again within the HTTP/2 connection instead.
    static let keepsPriorKnowledge = version >= 0x080000

    /// Whether libcurl may use HTTP/2 in this process: truncated bodies must be detectable.
    static let offersHTTP2: Bool = {
        guard let information = curl_version_info(CURLVERSION_ELEVENTH) else { return false }
        guard Int(information.pointee.features) & Int(CURL_VERSION_HTTP2) != 0 else { return false }
        return HTTP2Probe.isObservable
    }()

    private static let version = curl_version_info(CURLVERSION_ELEVENTH)?.pointee.version_num ?? 0

    /// Returns libcurl's text for a code.
    static func text(_ code: CURLcode) -> String { String(cString: curl_easy_strerror(code)) }

    /// Returns libcurl's text for a code of the multi interface.
    static func text(_ code: CURLMcode) -> String { String(cString: curl_multi_strerror(code)) }
}
