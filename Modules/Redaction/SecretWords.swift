/// Recognizes secret names on no list by their words: `X-RapidAPI-Key`, `resetToken`, `user[db_password]`.
///
/// A name is split at every byte that is not a letter, and where the case changes (`userPIN`, `APIKey`). It is secret
/// if one of its words is, or two adjacent words joined (`pass-word`), or an unsplit compound (`dbpassword`).
enum SecretWords {
    /// Words that make a name secret in any position.
    private static let words: Set<String> = [
        "token", "tokens", "secret", "secrets", "password", "passwords", "passwd", "pwd", "passphrase", "passcode",
        "passkey", "signature", "signatures", "sig", "hmac", "auth", "oauth", "authorization", "authentication",
        "bearer", "assertion", "credential", "credentials", "cred", "creds", "session", "sessions", "sess", "sid",
        "sessid", "sessionid", "jsessionid", "phpsessid", "jwt", "jws", "jwe", "saml", "cookie", "cookies", "csrf",
        "xsrf", "otp", "totp", "pin", "sas", "ticket", "tickets", "verifier", "cvv", "cvc", "apikey", "apikeys",
        "accesskey", "accesskeys", "secretkey", "privatekey", "authkey", "signingkey", "encryptionkey",
        "subscriptionkey", "masterkey", "sharedkey", "accountkey", "clientkey", "licensekey", "appkey", "sshkey",
        "verificationcode", "securitycode", "accesscode", "resetcode", "recoverycode", "backupcode",
    ]

    /// Words that make a name secret in the last position: `key`, but not `key_id`.
    private static let lastWords: Set<String> = ["key", "pass"]

    /// The endings of secret compounds.
    private static let endings = [
        "token", "tokens", "password", "passwd", "passphrase", "secret", "secrets", "apikey", "accesskey",
        "secretkey", "privatekey", "signature", "credential", "credentials",
    ]

    /// The beginnings of secret compounds.
    private static let beginnings = ["password", "passwd", "secretkey", "apikey"]

    /// Names, and ends of names, that contain such a word but are not secret.
    static let standardExceptions: Set<String> = [
        "Idempotency-Key", "Sec-WebSocket-Key", "Surrogate-Key", "Cache-Key", "Public-Key", "Public-Key-Pins",
        "Public-Key-Pins-Report-Only", "Access-Control-Allow-Credentials", "primary_key", "foreign_key",
        "sort_key", "partition_key", "range_key", "object_key", "routing_key", "token_type", "token_endpoint",
        "authorization_endpoint", "end_session_endpoint", "page_token", "max_tokens", "prompt_tokens",
        "completion_tokens", "total_tokens", "input_tokens", "output_tokens", "token_count",
    ]

    /// The maximum number of words in an exception.
    private static let longestException = 6

    /// Returns whether `name` is the name of a secret.
    ///
    /// - Parameters:
    ///   - name: The name of a field or a parameter.
    ///   - exceptions: The ends of names that are not secret, folded.
    static func nameSecret(_ name: some Collection<UInt8>, exceptions: Set<String>) -> Bool {
        var split = split(name)
        guard !split.isEmpty else { return false }
        // Only the last few words are joined: a name from a peer may have a million.
        let first = max(0, split.count - longestException)
        if let start = (first..<split.count).first(where: { exceptions.contains(split[$0...].joined()) }) {
            split.removeSubrange(start...)
        }
        guard let last = split.last else { return false }
        if lastWords.contains(last) { return true }
        for (index, word) in split.enumerated() {
            if words.contains(word) || isJoined(word) { return true }
            if index > 0, words.contains(split[index - 1] + word) { return true }
        }
        return false
    }

    private static func isJoined(_ word: String) -> Bool {
        guard word.utf8.count > 5 else { return false }
        return endings.contains(where: word.hasSuffix) || beginnings.contains(where: word.hasPrefix)
    }

    private enum Kind {
        case lower
        case upper
        case other
    }

    /// Returns the words of a name in lower case. Digits separate words, as marks do: `token2` is a token.
    private static func split(_ name: some Collection<UInt8>) -> [String] {
        var words: [String] = []
        var word: [UInt8] = []
        var before = Kind.other
        func end() {
            if !word.isEmpty { words.append(String(decoding: word, as: UTF8.self)) }
            word.removeAll(keepingCapacity: true)
        }
        for byte in name {
            let kind = kind(of: byte)
            switch (before, kind) {
            case (_, .other), (.lower, .upper): end()
            case (.upper, .lower) where word.count > 1:
                // The last capital begins the next word: `APIKey`.
                let capital = word.removeLast()
                end()
                word.append(capital)
            default: break
            }
            if kind != .other { word.append(kind == .upper ? byte | 0x20 : byte) }
            before = kind
        }
        end()
        return words
    }

    private static func kind(of byte: UInt8) -> Kind {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): .upper
        case UInt8(ascii: "a")...UInt8(ascii: "z"), 0x80...: .lower
        default: .other
        }
    }
}
