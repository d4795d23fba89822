/// Decides whether a certificate is valid for a host (RFC 9525 §6).
///
/// Only DNS names and addresses among the alternative names count. The common name is not a host name.
package enum HostMatch {
    /// - Parameter host: In lower case and ASCII, without a dot at its end.
    package static func matches(_ certificate: Certificate, host: String) -> Bool {
        if let address = AddressText.bytes(host) {
            return certificate.subjectAlternativeNames.contains(.ipAddress(address))
        }
        guard isName(host) else { return false }
        return certificate.subjectAlternativeNames.contains { name in
            if case .dns(let pattern) = name { matches(pattern: pattern, name: host) } else { false }
        }
    }

    /// The error message for a certificate that is not valid for the host.
    package static func mismatch(_ certificate: Certificate, host: String) -> String {
        let names = certificate.subjectAlternativeNames.filter {
            switch $0 {
            case .dns, .ipAddress: true
            default: false
            }
        }
        guard names.isEmpty else {
            let shown = names.prefix(8).map(\.description) + (names.count > 8 ? ["\(names.count - 8) more"] : [])
            return "the certificate (\(certificate.subject)) is for \(shown.joined(separator: ", ")), not for \(host)"
        }
        return "the certificate (\(certificate.subject)) names no host, and its common name is none (RFC 9525 §2)"
    }

    /// Returns whether a pattern matches: a wildcard is the whole leftmost label and matches one label (RFC 9525 §6.3).
    private static func matches(pattern: String, name: String) -> Bool {
        let pattern = pattern.lowercased()
        guard pattern.hasPrefix("*.") else { return isName(pattern) && pattern == name }
        let suffix = pattern.dropFirst(2)
        // `*.test` would match a whole registry.
        guard suffix.contains("."), isName(String(suffix)), let dot = name.firstIndex(of: ".") else { return false }
        return name[name.index(after: dot)...] == suffix
    }

    /// Returns whether all labels consist of letters, digits, hyphens and underscores. Host names must not contain
    /// underscores (RFC 952), but some do.
    static func isName(_ name: String) -> Bool {
        guard !name.isEmpty, name.utf8.count <= 253 else { return false }
        return name.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { label in
            (1...63).contains(label.utf8.count)
                && label.utf8.allSatisfy {
                    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
                        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "-")
                        || $0 == UInt8(ascii: "_")
                }
        }
    }
}
