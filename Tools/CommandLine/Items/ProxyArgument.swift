package import AirframeTransport
internal import Foundation

/// The proxy that an argument names.
package enum ProxyArgument {
    /// Reads `[scheme://][user:password@]host[:port]`, or `none`.
    ///
    /// - Parameters:
    ///   - text: The argument. Schemes are those of ``Proxy/Kind``; `http` without one.
    ///   - credential: `name:password`, in place of those in the URL.
    ///   - excluded: Hosts that are reached without the proxy, separated by commas.
    /// - Throws: ``ItemError`` when it is not a proxy.
    package static func policy(
        _ text: String,
        credential: String? = nil,
        excluded: String? = nil
    ) throws(ItemError) -> ProxyPolicy {
        if text == "none" || text.isEmpty { return .none }
        return .proxy(try proxy(text, credential, excluded))
    }

    /// The proxies of the environment, with a credential and hosts from the command line.
    ///
    /// - Parameters:
    ///   - credential: `name:password`, in place of those in the variables.
    ///   - excluded: Hosts that are reached without a proxy, in place of those in `no_proxy`, as in curl.
    ///   - variables: The environment.
    /// - Throws: ``ItemError`` when a variable names no proxy.
    package static func environment(
        credential: String?,
        excluded: String?,
        _ variables: [String: String]
    ) throws(ItemError) -> ProxyPolicy {
        guard credential != nil || excluded != nil else { return .environment }
        let excluded = excluded ?? variables["no_proxy"] ?? variables["NO_PROXY"]
        func policy(_ names: [String]) throws(ItemError) -> ProxyPolicy {
            for name in names {
                guard let value = variables[name], !value.isEmpty else { continue }
                return .proxy(try proxy(value, credential, excluded))
            }
            return .none
        }
        // `HTTP_PROXY` is ignored: a CGI program receives the request field `Proxy` under that name.
        return .schemes(
            http: try policy(["http_proxy", "all_proxy", "ALL_PROXY"]),
            https: try policy(["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]))
    }

    private static func proxy(
        _ text: String,
        _ credential: String?,
        _ excluded: String?
    ) throws(ItemError) -> Proxy {
        let url = text.contains("://") ? text : "http://\(text)"
        guard let components = URLComponents(string: url), let host = components.host, !host.isEmpty,
            let scheme = components.scheme?.lowercased()
        else { throw ItemError("the proxy is not a URL: write http://HOST:PORT") }
        guard let kind = Proxy.Kind(rawValue: scheme == "socks" ? "socks4" : scheme) else {
            let known = Proxy.Kind.allCases.map(\.rawValue).joined(separator: ", ")
            throw ItemError("there are no proxies of the kind '\(scheme)': write one of \(known)")
        }
        var proxy = Proxy(
            kind: kind,
            host: host.trimmingCharacters(in: CharacterSet(charactersIn: "[]")),
            // curl's default ports, as for the proxies of the environment.
            port: components.port ?? (kind == .https ? 443 : 1080),
            excludedHosts: (excluded ?? "").split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        )
        if let credential {
            let parts = credential.split(separator: ":", maxSplits: 1).map(String.init)
            proxy.credential = .init(username: parts.first ?? "", password: parts.count > 1 ? parts[1] : "")
        } else if let user = components.user {
            proxy.credential = .init(username: user, password: components.password ?? "")
        }
        return proxy
    }

    /// Reads `HOST:PORT:ADDRESS[,ADDRESS…]`, as curl writes it.
    ///
    /// - Throws: ``ItemError`` when a part is missing.
    package static func resolveOverride(_ text: String) throws(ItemError) -> ResolveOverride {
        let parts = text.split(separator: ":", maxSplits: 2).map(String.init)
        guard parts.count == 3, let port = Int(parts[1]), (1...65535).contains(port) else {
            throw ItemError("'\(text)' names no address for a host: write HOST:PORT:ADDRESS")
        }
        let addresses = parts[2].split(separator: ",")
            .map { $0.trimmingCharacters(in: CharacterSet(charactersIn: "[] ")) }
        return ResolveOverride(host: parts[0], port: port, addresses: addresses)
    }
}
