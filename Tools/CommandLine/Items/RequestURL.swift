/// The URL of a request from the typed text.
package enum RequestURL {
    /// The URL with its scheme and the items of a query.
    ///
    /// `:8080/path` is for `localhost`. Without a scheme it is `http` for `localhost` and loopback addresses, and
    /// `https` for all other hosts. Text with a malformed scheme stays as it is, and is rejected as a URL.
    package static func text(_ text: String, query: [RequestParts.Pair] = []) -> String {
        var url = text
        if url.hasPrefix(":") {
            let rest = url.dropFirst()
            let isPort = rest.first?.isNumber == true || rest.isEmpty || rest.hasPrefix("/")
            if isPort { url = rest.first?.isNumber == true ? "http://localhost:\(rest)" : "http://localhost\(rest)" }
        } else if !hasScheme(url) {
            url = (isLocal(url) ? "http://" : "https://") + url
        }
        guard !query.isEmpty else { return url }
        let pieces = url.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let base = pieces.first.map(String.init) ?? url
        let separator = !base.contains("?") ? "?" : base.hasSuffix("?") || base.hasSuffix("&") ? "" : "&"
        let fragment = pieces.count > 1 ? "#\(pieces[1])" : ""
        return base + separator + FormEncoding.text(query) + fragment
    }

    /// The name of the file of a download, from the last component of the URL's path without its percent-encoding;
    /// `nil` if it leads to another directory or names none.
    package static func fileName(_ component: String?) -> String? {
        guard let component, !component.isEmpty, component != ".", component != "..",
            // By scalars: a slash with a combining mark is another `Character`.
            !component.unicodeScalars.contains(where: { $0 == "/" || $0 == "\0" })
        else { return nil }
        return component
    }

    /// Whether the text begins with a scheme (RFC 3986 §3.1) and `//`, or is a `data:` URL.
    private static func hasScheme(_ text: String) -> Bool {
        // `://` before any path ends a scheme, valid or not: `ht!tp://h` is not the host `ht!tp`.
        let start = text.prefix { !"/?#".contains($0) }
        if start.hasSuffix(":"), text.dropFirst(start.count).hasPrefix("//") { return true }
        guard let colon = text.firstIndex(of: ":"), text.first?.isLetter == true else { return false }
        let isScheme = text[..<colon].allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
        return isScheme && (text[colon...].hasPrefix("://") || text[..<colon] == "data")
    }

    private static func isLocal(_ text: String) -> Bool {
        let host = text.prefix { !"/?#".contains($0) }
        let name = host.hasPrefix("[") ? host : host.prefix { $0 != ":" }
        return name == "localhost" || name.hasSuffix(".localhost") || name.hasPrefix("127.") || host.hasPrefix("[::1]")
    }
}
