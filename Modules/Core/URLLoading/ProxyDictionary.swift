internal import AirframeTransport
internal import Foundation

/// The proxies of `URLSessionConfiguration.connectionProxyDictionary`, by the keys of CFNetwork.
struct ProxyDictionary: Sendable, Equatable {
    private struct Entry: Sendable, Equatable {
        var isEnabled: Bool?
        var host: String?
        var port: Int?
    }

    /// The prefixes of the keys.
    private static let kinds = ["HTTP", "HTTPS", "SOCKS"]

    private var entries: [String: Entry] = [:]
    private var exceptions: [String]?

    /// Reads the known keys.
    init(_ dictionary: [AnyHashable: Any]) {
        for kind in Self.kinds {
            let entry = Entry(
                isEnabled: Self.flag(dictionary["\(kind)Enable"]),
                host: dictionary["\(kind)Proxy"] as? String,
                port: Self.number(dictionary["\(kind)Port"])
            )
            if entry != Entry() { entries[kind] = entry }
        }
        exceptions = dictionary["ExceptionsList"] as? [String]
    }

    /// The keys and values that were read.
    var dictionary: [AnyHashable: Any] {
        var result: [AnyHashable: Any] = [:]
        for (kind, entry) in entries {
            if let isEnabled = entry.isEnabled { result["\(kind)Enable"] = isEnabled ? 1 : 0 }
            if let host = entry.host { result["\(kind)Proxy"] = host }
            if let port = entry.port { result["\(kind)Port"] = port }
        }
        if let exceptions { result["ExceptionsList"] = exceptions }
        return result
    }

    /// The policy: for each scheme its own proxy, else SOCKS, else none.
    var policy: ProxyPolicy {
        let (http, https) = (policy(for: "HTTP"), policy(for: "HTTPS"))
        return http == https ? https : .schemes(http: http, https: https)
    }

    private func policy(for kind: String) -> ProxyPolicy {
        if let proxy = proxy(kind, as: .http, defaultPort: 80) { return .proxy(proxy) }
        if let proxy = proxy("SOCKS", as: .socks5h, defaultPort: 1080) { return .proxy(proxy) }
        return .none
    }

    private func proxy(_ kind: String, as proxyKind: Proxy.Kind, defaultPort: Int) -> Proxy? {
        guard let entry = entries[kind], entry.isEnabled ?? true,
            let host = entry.host, !host.isEmpty
        else { return nil }
        // CFNetwork's `*.test` is `test` in a transport's list: a name and its subdomains.
        let excluded = (exceptions ?? []).map { $0.hasPrefix("*.") ? String($0.dropFirst(2)) : $0 }
        return Proxy(kind: proxyKind, host: host, port: entry.port ?? defaultPort, excludedHosts: excluded)
    }

    private static func number(_ value: Any?) -> Int? {
        switch value {
        case let number as Int: number
        case let number as NSNumber: number.intValue
        case let text as String: Int(text)
        default: nil
        }
    }

    private static func flag(_ value: Any?) -> Bool? {
        if let flag = value as? Bool { return flag }
        return number(value).map { $0 != 0 }
    }
}
