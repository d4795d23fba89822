extension RedactionPolicy {
    /// Returns `url` without its secrets: `https://user:•••@host/path?token=•••#access_token=•••`.
    ///
    /// Hides the password in the user information (or the user name if there is no password, because it is then a
    /// token), and the values of secret parameters in the query, in the fragment (where OAuth puts tokens), and after a
    /// `;` in the path. A parameter whose value is itself a URL with a secret, percent-encoded or not, is hidden as a
    /// whole.
    ///
    /// `url` need not be valid: the scheme may be missing, it may be a path with a query, and a password may contain an
    /// unescaped `/`, `?` or `#`.
    public func url(_ url: String) -> String {
        // Most URLs have nothing to hide, and one pass finds that out.
        guard url.utf8.contains(where: isMark) else { return url }
        let text = hidesPasswords ? hidingPasswords(in: url) : url
        return hidesParameters ? hidingParameters(in: text, isForm: false) : text
    }

    /// Returns a sentence without the secrets of its URLs: each word is redacted by ``url(_:)``.
    public func sentence(_ sentence: String) -> String {
        guard sentence.utf8.contains(where: isMark) else { return sentence }
        let words = sentence.split(separator: " ", omittingEmptySubsequences: false)
        return words.map { url(String($0)) }.joined(separator: " ")
    }

    private func isMark(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "@") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
            || byte == UInt8(ascii: ";")
    }

    /// Returns `url` without the passwords in user information, its own and those of URLs within it.
    func hidingPasswords(in url: String) -> String {
        // There is no password after the last `@`. Searched for once, because a search in the rest of each URL would be
        // quadratic for a string of many URLs.
        guard let lastAt = url.utf8.lastIndex(of: UInt8(ascii: "@")) else { return url }
        var result = ""
        var rest = url[...]
        var slashes = authoritySlashes(in: rest)
        repeat {
            let start = slashes?.upperBound ?? rest.startIndex
            let secret = password(after: start, in: rest, hasSlashes: slashes != nil, lastAt: lastAt)
            let end = secret?.upperBound ?? start
            result += rest[..<(secret?.lowerBound ?? end)] + (secret == nil ? "" : Self.placeholder)
            rest = rest[end...]
            slashes = end < lastAt ? schemeSlashes(in: rest) : nil
        } while slashes != nil
        return result + rest
    }

    private func password(
        after start: String.Index,
        in url: Substring,
        hasSlashes: Bool,
        lastAt: String.Index
    ) -> Range<String.Index>? {
        let bytes = url.utf8
        let end = bytes[start...].firstIndex(where: "/?#".utf8.contains) ?? url.endIndex
        let at = bytes[start..<end].indices.last {
            bytes[$0] == UInt8(ascii: "@") && (hasSlashes || !isWord($0, in: bytes))
        }
        let userInfo = bytes[start..<(at ?? end)]
        let name = hasSlashes ? userInfo : Self.withoutScheme(userInfo)
        guard let colon = name.firstIndex(of: UInt8(ascii: ":")) else {
            // A name without a password is a token, which Git servers accept.
            return hasSlashes && !name.isEmpty ? at.map { start..<$0 } : nil
        }
        let secret = bytes.index(after: colon)
        if let at {
            if secret < at { return secret..<at }
            // So is a name with an empty password. Without slashes, text such as `cc:@bob` is no URL.
            return hasSlashes ? start..<colon : nil
        }
        // A port follows a host's colon. Anything else is the beginning of an unescaped password.
        let isPort = secret < end && bytes[secret..<end].allSatisfy { (0x30...0x39).contains($0) }
        guard hasSlashes, !isPort, bytes[start] != UInt8(ascii: "["), lastAt >= end else { return nil }
        return secret..<lastAt
    }

    /// Returns whether a byte is a word by itself, as in `12:30 @ home`. In a form, `+` is a space.
    private func isWord(_ index: String.Index, in bytes: Substring.UTF8View) -> Bool {
        let neighbours = [bytes[..<index].last, bytes[bytes.index(after: index)...].first]
        return neighbours.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "+") }
    }

    /// The schemes whose addresses have a user and a host without slashes: RFC 6068, RFC 7565, RFC 3261, RFC 5122.
    private static let addressSchemes: Set = ["mailto", "acct", "sip", "sips", "xmpp"]

    /// Returns user information without the scheme of an address, whose colon precedes no password. In a form, the
    /// parameter's name precedes the scheme.
    private static func withoutScheme(_ userInfo: Substring.UTF8View) -> Substring.UTF8View {
        guard let colon = userInfo.firstIndex(of: UInt8(ascii: ":")) else { return userInfo }
        let scheme = userInfo[..<colon].split(omittingEmptySubsequences: false) { !isSchemeByte($0) }.last
        guard let scheme, addressSchemes.contains(String(Substring(scheme)).lowercased()) else { return userInfo }
        return userInfo[userInfo.index(after: colon)...]
    }

    /// Returns whether a scheme may contain the byte (RFC 3986 §3.1).
    private static func isSchemeByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "."):
            true
        default: false
        }
    }

    /// Returns the slashes before the authority, if there are any.
    private func authoritySlashes(in url: Substring) -> Range<String.Index>? {
        guard url.utf8.starts(with: "//".utf8) else { return schemeSlashes(in: url) }
        return url.startIndex..<url.utf8.index(url.startIndex, offsetBy: 2)
    }

    /// Returns the first slashes behind a colon.
    func schemeSlashes(in url: Substring) -> Range<String.Index>? {
        let bytes = url.utf8
        var index = bytes.startIndex
        while let colon = bytes[index...].firstIndex(of: UInt8(ascii: ":")) {
            index = bytes.index(after: colon)
            if bytes[index...].starts(with: "//".utf8) { return index..<bytes.index(index, offsetBy: 2) }
        }
        return nil
    }
}
