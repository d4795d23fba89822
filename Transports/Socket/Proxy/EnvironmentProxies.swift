internal import AirframeTransport
internal import Glibc

/// The proxies that the environment names, by curl's rules: `http_proxy` (in lower case only: a CGI program gets the
/// header `Proxy` as `HTTP_PROXY`), `https_proxy`, `all_proxy` and `no_proxy`, the last three in either case.
///
/// Read once: the environment is not for threads, and looking through it costs as much as finding a connection.
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

    /// The proxy for `origin`, or `nil` when none is named or the host is excluded.
    ///
    /// - Throws: ``TransportError/Code/invalidRequest`` for a variable that names no proxy.
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
