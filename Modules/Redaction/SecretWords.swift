/// Recognizes the names of secrets by the words in them: `X-RapidAPI-Key`, `resetToken` and `user[db_password]` are on
/// no list, and name secrets all the same.
///
/// A name is split at everything that is no letter, and where the case changes (`userPIN`, `APIKey`). It names a secret
/// if one of its words does, or two neighbours joined (`pass-word`), or a word that was not split (`dbpassword`).
enum SecretWords {
    /// Words that name a secret wherever they stand.
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

    /// Words that name a secret at the end of a name: a `key` is one, a `key_id` is none.
    private static let lastWords: Set<String> = ["key", "pass"]

    /// What a word ends in that was joined from several.
    private static let endings = [
        "token", "tokens", "password", "passwd", "passphrase", "secret", "secrets", "apikey", "accesskey",
        "secretkey", "privatekey", "signature", "credential", "credentials",
    ]

    /// What a word begins with that was joined from several.
    private static let beginnings = ["password", "passwd", "secretkey", "apikey"]

    /// Names, and ends of names, that look like those of secrets and are none.
    static let standardExceptions: Set<String> = [
        "Idempotency-Key", "Sec-WebSocket-Key", "Surrogate-Key", "Cache-Key", "Public-Key", "Public-Key-Pins",
        "Public-Key-Pins-Report-Only", "Access-Control-Allow-Credentials", "primary_key", "foreign_key",
        "sort_key", "partition_key", "range_key", "object_key", "routing_key", "token_type", "token_endpoint",
        "authorization_endpoint", "end_session_endpoint", "page_token", "max_tokens", "prompt_tokens",
        "completion_tokens", "total_tokens", "input_tokens", "output_tokens", "token_count",
    ]

    /// The most words that an exception has.
    private static let longestException = 6

    /// Whether `name` names a secret.
    ///
    /// - Parameters:
    ///   - name: The name of a field or a parameter.
    ///   - exceptions: The ends of names that name none, folded.
    static func nameSecret(_ name: some Collection<UInt8>, exceptions: Set<String>) -> Bool {
        var split = split(name)
        guard !split.isEmpty else { return false }
        // Of the last few words alone: what a peer sends as a name may have a million.
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

    /// The words of a name in lower case. Digits separate, as marks do: `token2` is a token.
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
