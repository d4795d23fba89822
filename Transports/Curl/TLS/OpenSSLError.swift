internal import COpenSSL

/// OpenSSL's words.
enum OpenSSLError {
    /// What the thread's error queue says, which is emptied; `nil` when it says nothing.
    static func takeMessage() -> String? {
        var text: String?
        while true {
            let code = ERR_get_error()
            guard code != 0 else { return text }
            if text == nil, let reason = ERR_reason_error_string(code) { text = String(cString: reason) }
        }
    }
}
