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

    /// Whether a handle can be told not to wait for a lookup that it gives up (`CURLOPT_QUICK_EXIT`, since 7.87.0).
    static let canAbandonLookups = (curl_version_info(CURLVERSION_FIRST)?.pointee.version_num ?? 0) >= 0x07_57_00

    // What every libcurl that this package builds against can do.
    private static let always: TransportFeatures = [
        .http1, .httpProxy, .socksProxy, .environmentProxy, .resolveOverrides, .localAddress, .networkInterface,
        .priority, .expectContinue, .requestTrailers, .responseTrailers, .informationalResponses, .fullDuplex,
        .deadline, .poolLimit, .connectLimit, .writeIdleLimit, .firstByteLimit, .readIdleLimit, .uploadSuspension,
        .socketSettings,
    ]

    // The TLS parts reach into OpenSSL's own structures; another backend would misread them.
    private static func isOpenSSL(_ version: UnsafePointer<CChar>?) -> Bool {
        version.map { String(cString: $0).hasPrefix("OpenSSL") } ?? false
    }

    /// Whether libcurl sends a second request by prior knowledge over the connection of the first.
    ///
    /// 7.88 begins HTTP/2 anew on the connection instead, within HTTP/2.
    static let keepsPriorKnowledge = version >= 0x080000

    /// Whether libcurl may speak HTTP/2 here: it must be certain that a truncated body is an error.
    static let offersHTTP2: Bool = {
        guard let information = curl_version_info(CURLVERSION_ELEVENTH) else { return false }
        guard Int(information.pointee.features) & Int(CURL_VERSION_HTTP2) != 0 else { return false }
        return HTTP2Probe.isObservable
    }()

    private static let version = curl_version_info(CURLVERSION_ELEVENTH)?.pointee.version_num ?? 0

    /// libcurl's words for a code.
    static func text(_ code: CURLcode) -> String { String(cString: curl_easy_strerror(code)) }

    /// libcurl's words for a code of the multi interface.
    static func text(_ code: CURLMcode) -> String { String(cString: curl_multi_strerror(code)) }
}
