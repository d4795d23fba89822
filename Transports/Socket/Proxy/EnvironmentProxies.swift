internal import AirframeTransport
internal import Glibc

/// The environment's proxies, by curl's rules: `http_proxy` (only in lower case, since a CGI program receives the
/// header `Proxy` as `HTTP_PROXY`), `https_proxy`, `all_proxy` and `no_proxy`, the last three in either case.
///
/// The environment is read once, because `getenv` is not safe beside `setenv` on another thread.
struct EnvironmentProxies: Sendable {
    private struct Variable: Sendable {
        let name: String
        let value: String
    }

    private let plain: Variable?
    private let secure: Variable?
    private let excluded: NoProxyRules

    /// Reads the environment.
    init(_ variable: (String) -> String? = { getenv($0).map { String(cString: $0) } }) {
        func first(_ names: [String]) -> Variable? {
            for name in names {
                if let value = variable(name), !value.isEmpty { return Variable(name: name, value: value) }
            }
            return nil
        }
        plain = first(["http_proxy", "all_proxy", "ALL_PROXY"])
        secure = first(["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"])
        excluded = NoProxyRules(variable("no_proxy") ?? variable("NO_PROXY") ?? "")
    }

    /// Returns the proxy for `origin`; `nil` if there is none or the host is excluded.
    ///
    /// - Throws: ``TransportError/Code/invalidRequest`` if the variable's value is not a proxy URL.
    func proxy(for origin: Origin) throws(TransportError) -> Proxy? {
        guard let variable = origin.isSecure ? secure : plain, !excluded.contains(origin.host) else { return nil }
        guard let proxy = Proxy(url: variable.value) else {
            throw TransportError(
                .invalidRequest,
                phase: .options,
                processing: .notSent,
                message: "the variable \(variable.name) names no proxy: \(Redaction.invalidURL(variable.value))",
                origin: origin
            )
        }
        return proxy
    }
}
