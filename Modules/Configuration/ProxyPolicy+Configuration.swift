internal import AirframeTransport
internal import Foundation

extension ProxyPolicy {
    /// Reads `none`, `environment`, or the URL of a proxy: a scheme that names its kind, a host, a port, perhaps a user
    /// and a password.
    init?(configuration text: String) {
        switch text.lowercased() {
        case "none": self = .none
        case "environment": self = .environment
        default:
            guard let parts = URLComponents(string: text), let kind = parts.scheme?.lowercased(), let host = parts.host,
                !host.isEmpty, let port = parts.port, let kind = Proxy.Kind(rawValue: kind),
                parts.path.isEmpty || parts.path == "/"
            else { return nil }
            let credential = parts.user.map { Proxy.Credential(username: $0, password: parts.password ?? "") }
            let bare = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
            self = .proxy(Proxy(kind: kind, host: bare, port: port, credential: credential))
        }
    }
}
