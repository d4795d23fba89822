package import AirframeTransport
internal import COpenSSL

/// The cipher suites and groups of a TLS context.
package enum TLSAlgorithms {
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
        }
        if let suites = options.legacyCipherSuites {
            let list = suites.joined(separator: ":")
            guard !suites.isEmpty, SSL_CTX_set_cipher_list(context, list) == 1 else {
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
}
