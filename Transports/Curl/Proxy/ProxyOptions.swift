internal import AirframeTransport
internal import AirframeWire
internal import CCurl

extension EasyHandle {
    /// Sends the request along `route`.
    func setRoute(_ route: ProxyRoute, to origin: Origin) {
        guard case .through(let proxy) = route else {
            // An empty string, because libcurl would read the environment without the option.
            set(CURLOPT_PROXY, "")
            return
        }
        let host = proxy.host.contains(":") ? "[\(proxy.host)]" : proxy.host
        set(CURLOPT_PROXY, host)
        set(CURLOPT_PROXYPORT, proxy.port)
        set(CURLOPT_PROXYTYPE, Int(proxy.kind.curlType.rawValue))
        // ProxyRoute has applied the list of excluded hosts. An empty list keeps libcurl from reading `no_proxy`.
        set(CURLOPT_NOPROXY, "")
        if let credential = proxy.credential {
            set(CURLOPT_PROXYUSERNAME, credential.username)
            set(CURLOPT_PROXYPASSWORD, credential.password)
        }
        if route.tunnels(to: origin) {
            set(CURLOPT_HTTPPROXYTUNNEL, true)
            // Asking the proxy for its schemes costs a round trip for each tunnel. A forwarded request would pay it
            // every time and send its body twice, so it carries the credential immediately, by Basic.
            set(CURLOPT_PROXYAUTH, Int(bitPattern: CURLAUTH_ANY_BITS))
        }
        if proxy.kind == .https {
            // Its certificate is checked in the TLS context's callback, as the server's is.
            set(CURLOPT_PROXY_CAINFO, nil)
            set(CURLOPT_PROXY_CAPATH, nil)
            set(CURLOPT_PROXY_SSL_VERIFYHOST, 0)
        }
    }
}

// `CURLAUTH_ANY`, a macro that Swift does not import: all but `CURLAUTH_DIGEST_IE`.
private let CURLAUTH_ANY_BITS = ~UInt(1 << 4)

extension Proxy.Kind {
    fileprivate var curlType: curl_proxytype {
        switch self {
        case .http: CURLPROXY_HTTP
        case .https: CURLPROXY_HTTPS
        case .socks4: CURLPROXY_SOCKS4
        case .socks4a: CURLPROXY_SOCKS4A
        case .socks5: CURLPROXY_SOCKS5
        case .socks5h: CURLPROXY_SOCKS5_HOSTNAME
        }
    }
}
