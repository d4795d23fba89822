internal import COpenSSL

/// What the certificate of a server must name.
///
/// OpenSSL takes an empty name for the wish to compare no names, and ignores one that it cannot read. Such hosts have no
/// requirement here, and are refused.
package enum HostRequirement: Sendable, Hashable {
    /// An address, by its 4 or 16 bytes.
    case address([UInt8])
    /// A name, without the dot at its end.
    case name(String)

    /// What a certificate for `host` must name; `nil` when nothing can.
    package init?(_ host: String) {
        if let bytes = AddressText.bytes(host) {
            self = .address(bytes)
            return
        }
        let name = host.hasSuffix(".") ? String(host.dropLast()) : host
        // With a dot before it OpenSSL takes a name for those of all hosts within.
        guard !name.isEmpty, !name.hasPrefix("."), !name.utf8.contains(0) else { return nil }
        self = .name(name)
    }

    /// Has OpenSSL compare; whether it will.
    func apply(to rules: OpaquePointer) -> Bool {
        switch self {
        case .address(let bytes):
            return X509_VERIFY_PARAM_set1_ip(rules, bytes, bytes.count) == 1
        case .name(let name):
            // The common name is no host name (RFC 9525 §2); wildcards stand for whole labels (RFC 9525 §6.3).
            let flags = X509_CHECK_FLAG_NEVER_CHECK_SUBJECT | X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS
            X509_VERIFY_PARAM_set_hostflags(rules, UInt32(flags))
            return X509_VERIFY_PARAM_set1_host(rules, name, name.utf8.count) == 1
        }
    }
}
