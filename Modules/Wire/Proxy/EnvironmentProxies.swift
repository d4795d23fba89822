package import AirframeTransport
internal import Glibc

/// The proxies named by the environment, by curl's rules: `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy`.
///
/// The last three are read in either case. `HTTP_PROXY` is ignored: a CGI program receives the request field `Proxy`
/// under that name. An empty variable counts as one that is not set.
///
/// An engine reads the environment once: `getenv` is not safe while another thread calls `setenv`.
package struct EnvironmentProxies: Sendable {
    private struct Variable: Sendable {
        let name: String
        let value: String
    }

    private let plain: Variable?
    private let secure: Variable?
    private let excluded: NoProxyRules

    /// Reads the environment.
    ///
    /// - Parameter variable: Returns the value of a variable; `nil` if it is not set.
    package init(_ variable: (String) -> String? = { getenv($0).map { String(cString: $0) } }) {
        func first(_ names: [String]) -> Variable? {
            for name in names {
                if let value = variable(name), !value.isEmpty { return Variable(name: name, value: value) }
            }
            return nil
        }
        plain = first(["http_proxy", "all_proxy", "ALL_PROXY"])
        secure = first(["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"])
        excluded = NoProxyRules(first(["no_proxy", "NO_PROXY"])?.value ?? "")
    }

    /// Returns the proxy for `origin`; `nil` if none is named or the host is excluded.
    ///
    /// - Throws: ``TransportError/Code/invalidRequest`` if the variable's value is not a proxy's URL.
    package func proxy(for origin: Origin) throws(TransportError) -> Proxy? {
        guard let variable = origin.isSecure ? secure : plain, !excluded.contains(origin.host) else { return nil }
        guard let proxy = Proxy(url: variable.value) else {
            throw TransportError(
                .invalidRequest,
                phase: .options,
                processing: .notSent,
                message: "the variable \(variable.name) does not name a proxy: \(Redaction.invalidURL(variable.value))",
                origin: origin
            )
        }
        return proxy
    }
}
