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
        let at = bytes[start..<end].lastIndex(of: UInt8(ascii: "@"))
        let name = bytes[start..<(at ?? end)]
        guard let colon = name.firstIndex(of: UInt8(ascii: ":")) else {
            // A name without a password is a token, which Git servers accept.
            return hasSlashes && !name.isEmpty ? at.map { start..<$0 } : nil
        }
        let secret = bytes.index(after: colon)
        // So is a name with an empty password.
        if let at { return secret < at || !hasSlashes ? secret..<at : start..<colon }
        // A port follows a host's colon. Anything else is the beginning of an unescaped password.
        let isPort = secret < end && bytes[secret..<end].allSatisfy { (0x30...0x39).contains($0) }
        guard hasSlashes, !isPort, bytes[start] != UInt8(ascii: "["), lastAt >= end else { return nil }
        return secret..<lastAt
    }

    /// Returns the slashes before the authority, if there are any.
    private func authoritySlashes(in url: Substring) -> Range<String.Index>? {
        guard url.utf8.starts(with: "//".utf8) else { return schemeSlashes(in: url) }
        return url.startIndex..<url.utf8.index(url.startIndex, offsetBy: 2)
    }

    private func schemeSlashes(in url: Substring) -> Range<String.Index>? {
        let bytes = url.utf8
        var index = bytes.startIndex
        while let colon = bytes[index...].firstIndex(of: UInt8(ascii: ":")) {
            index = bytes.index(after: colon)
            if bytes[index...].starts(with: "//".utf8) { return index..<bytes.index(index, offsetBy: 2) }
        }
        return nil
    }
}
