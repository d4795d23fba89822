/// The requirements on issuers that go beyond safe use: RFC 5280's profile, and the CA/Browser Forum's baseline
/// requirements. The strict profile enforces them.
package enum IssuanceRules {
    /// Returns the rules that `certificate` violates, each with its section.
    package static func broken(by certificate: Certificate, depth: Int, isRoot: Bool) -> [String] {
        (isRoot ? [] : serialNumber(certificate)) + keyIdentifiers(certificate, isRoot: isRoot) + key(certificate)
            + constraints(certificate) + (depth == 0 ? server(certificate) : [])
            + (isRoot && certificate.extendedKeyUsages != nil ? ["a root is for certain purposes (BR §7.1.2.1)"] : [])
    }

    private static func serialNumber(_ certificate: Certificate) -> [String] {
        let bytes = certificate.serialNumber
        let isPositive = bytes.first.map { $0 & 0x80 == 0 } ?? false
        guard isPositive, bytes.contains(where: { $0 != 0 }) else {
            return ["a serial number is not positive (RFC 5280 §4.1.2.2)"]
        }
        // The octet of the sign does not count.
        return bytes.drop { $0 == 0 }.count > 20 || bytes.count > 21
            ? ["a serial number is longer than 20 octets (RFC 5280 §4.1.2.2)"] : []
    }

    private static func keyIdentifiers(_ certificate: Certificate, isRoot: Bool) -> [String] {
        let found = certificate.extensions.first { $0.identifier == ExtensionReader.authorityKeyIdentifier.identifier }
        guard let found, let identifier = try? ExtensionReader.authorityKeyIdentifier.read(found.value) else {
            return isRoot || certificate.isSelfIssued
                ? [] : ["a key identifier of the issuer is missing (RFC 5280 §4.2.1.1)"]
        }
        guard isRoot, certificate.isSelfIssued else { return [] }
        // A root's authority key identifier, if present, must be its own.
        let isOwn = identifier.key != nil && identifier.key == certificate.subjectKeyIdentifier
        return isOwn && !identifier.namesIssuer && !identifier.namesSerial
            ? [] : ["a root names another key as its signer (BR §7.1.2.1.3)"]
    }

    private static func key(_ certificate: Certificate) -> [String] {
        let key = certificate.publicKey
        switch key.algorithm {
        case "DSA": return ["a DSA key (BR §6.1.5)"]
        case "RSA" where key.bitCount < 2048 || key.bitCount % 8 != 0:
            return ["an RSA key of \(key.bitCount) bits (BR §6.1.5)"]
        case "EC" where key.bitCount < 256: return ["an EC key of \(key.bitCount) bits (BR §6.1.5)"]
        default: return []
        }
    }

    private static func constraints(_ certificate: Certificate) -> [String] {
        var broken: [String] = []
        if certificate.nameConstraints != nil, certificate.basicConstraints?.isAuthority != true {
            broken.append("name constraints of a certificate that is not an authority's (RFC 5280 §4.2.1.10)")
        }
        let constraints = (certificate.nameConstraints?.permitted ?? []) + (certificate.nameConstraints?.excluded ?? [])
        if constraints.contains(where: { if case .dns(let name) = $0 { name.hasPrefix(".") } else { false } }) {
            broken.append("a constraint on names begins with a dot (RFC 5280 §4.2.1.10)")
        }
        if certificate.extensions.contains(where: { $0.identifier == "2.5.29.36" && !$0.isCritical }) {
            broken.append("policy constraints are not critical (RFC 5280 §4.2.1.11)")
        }
        return broken
    }

    // MARK: The server's certificate

    private static func server(_ certificate: Certificate) -> [String] {
        var broken: [String] = []
        func isCritical(_ identifier: String) -> Bool {
            certificate.extensions.contains { $0.identifier == identifier && $0.isCritical }
        }
        if certificate.basicConstraints?.isAuthority == true {
            broken.append("an authority's certificate is a server's (BR §7.1.2.7.6)")
        }
        if isCritical(ExtensionReader.subjectAlternativeNames.identifier), !certificate.subject.isEmpty {
            broken.append("alternative names are critical although there is a subject (BR §7.1.2.7.12)")
        }
        if isCritical(ExtensionReader.extendedKeyUsages.identifier) {
            broken.append("purposes are critical (BR §7.1.2.7.6)")
        }
        if certificate.extendedKeyUsages?.contains("2.5.29.37.0") == true {
            broken.append("a server's certificate is for any purpose (BR §7.1.2.7.10)")
        }
        let names = certificate.subjectAlternativeNames
        for case .dns(let name) in names where !isPreferred(name) {
            broken.append("\(GeneralName.dns(name)) is not a host name (RFC 5280 §4.2.1.6)")
        }
        if let name = certificate.subject.commonName, !isInPlace(name, beside: names) {
            broken.append("the common name \(name.debugDescription) is not among the alternative names (BR §7.1.4.3)")
        }
        return broken
    }

    /// Returns whether a name has only letters, digits and inner hyphens (RFC 1034 §3.5), with an optional wildcard as
    /// the first label.
    private static func isPreferred(_ name: String) -> Bool {
        var labels = name.split(separator: ".", omittingEmptySubsequences: false)
        if labels.count > 1, labels.first == "*" { labels.removeFirst() }
        return labels.allSatisfy { label in
            (1...63).contains(label.utf8.count) && label.first != "-" && label.last != "-"
                && label.utf8.allSatisfy { byte in
                    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                        || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
                }
        }
    }

    /// Returns whether a common name either is not a host name or equals one of the alternative names exactly. The name
    /// of a domain may also represent names within it.
    private static func isInPlace(_ name: String, beside names: [GeneralName]) -> Bool {
        guard !name.contains(" ") else { return true }
        if name.contains(":") || name.hasPrefix("0x") || name.utf8.allSatisfy({ "0123456789.".utf8.contains($0) }) {
            return names.contains {
                if case .ipAddress(let bytes) = $0 { AddressText.text(bytes) == name } else { false }
            }
        }
        let hosts = names.compactMap { if case .dns(let host) = $0 { host } else { nil } }
        return !name.contains(".") || hosts.isEmpty || hosts.contains { $0 == name || $0.hasSuffix("." + name) }
    }
}
