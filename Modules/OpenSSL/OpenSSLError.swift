internal import COpenSSL

/// Messages of OpenSSL.
package enum OpenSSLError {
    /// Empties the thread's error queue and returns its messages; `nil` if it has none.
    package static func takeMessage() -> String? {
        var text: String?
        while true {
            let code = ERR_get_error()
            guard code != 0 else { return text }
            if text == nil, let reason = ERR_reason_error_string(code) { text = String(cString: reason) }
        }
    }

    /// Returns whether `words` name an alert with which a server refuses the client's certificate (RFC 8446 §6.2).
    package static func blamesIdentity(_ words: String) -> Bool {
        [
            "alert certificate required", "alert bad certificate", "alert unknown ca", "alert certificate unknown",
            "alert certificate expired", "alert certificate revoked", "alert unsupported certificate",
        ].contains { words.contains($0) }
    }
}
