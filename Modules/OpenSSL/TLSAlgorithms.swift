package import AirframeTransport
internal import COpenSSL

/// The cipher suites and groups of a TLS context.
package enum TLSAlgorithms {
    /// The suite of TLS 1.3 that every implementation has (RFC 8446 §9.1), and that is offered first.
    private static let preferredSuite = "TLS_AES_128_GCM_SHA256"

    /// Restricts a context to the cipher suites and groups that `options` name.
    ///
    /// - Parameters:
    ///   - options: The options.
    ///   - context: An `SSL_CTX`.
    /// - Returns: A message that names the option that OpenSSL rejected; `nil` if it accepted all.
    package static func install(_ options: TLSOptions, in context: OpaquePointer) -> String? {
        if let suites = options.cipherSuites {
            let list = suites.joined(separator: ":")
            guard !suites.isEmpty, SSL_CTX_set_ciphersuites(context, list) == 1 else {
                return "the cipher suites \(list.debugDescription) of TLS 1.3"
            }
        } else {
            preferShortKeys(in: context)
        }
        if let suites = options.legacyCipherSuites {
            let list = suites.joined(separator: ":")
            // Lists such as `HIGH` contain suites without a certificate, or without encryption, at security level 0.
            guard !suites.isEmpty, SSL_CTX_set_cipher_list(context, "\(list):!aNULL:!eNULL") == 1 else {
                return "the cipher suites \(list.debugDescription) of TLS 1.2"
            }
        }
        if let groups = options.groups {
            let list = groups.joined(separator: ":")
            guard !groups.isEmpty, airframe_ctx_set_groups(context, list) == 1 else {
                return "the groups \(list.debugDescription)"
            }
        }
        return nil
    }

    /// Offers AES with keys of 128 bits before AES with keys of 256 bits, which OpenSSL offers first.
    ///
    /// Suites that the system's configuration of OpenSSL excludes stay excluded
    /// (`Docs/Decisions/0132-aes-with-128-bits-is-offered-first.md`).
    private static func preferShortKeys(in context: OpaquePointer) {
        var suites = suites(of: context)
        guard let index = suites.firstIndex(of: preferredSuite), index > 0 else { return }
        suites.insert(suites.remove(at: index), at: 0)
        // If OpenSSL refuses, its own order stays.
        SSL_CTX_set_ciphersuites(context, suites.joined(separator: ":"))
    }

    /// Returns the suites of TLS 1.3 in a context's order. Only their names begin with "TLS_".
    private static func suites(of context: OpaquePointer) -> [String] {
        let ciphers = SSL_CTX_get_ciphers(context)
        return (0..<OPENSSL_sk_num(ciphers)).compactMap { index in
            guard let cipher = OPENSSL_sk_value(ciphers, index).map(OpaquePointer.init),
                let name = SSL_CIPHER_get_name(cipher).map({ String(cString: $0) })
            else { return nil }
            return name.hasPrefix("TLS_") ? name : nil
        }
    }
}
