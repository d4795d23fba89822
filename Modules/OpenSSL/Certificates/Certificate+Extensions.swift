// The values of the extensions. A missing or malformed extension has no value; ``Certificate/malformedExtensions``
// names the malformed ones, and an evaluation refuses them.

/// The permitted uses of a certificate's key (RFC 5280 §4.2.1.3).
public struct KeyUsage: OptionSet, Sendable, Hashable {
    /// One bit a use.
    public let rawValue: UInt32

    /// Creates a set from its bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// Signatures other than on certificates and CRLs
    public static let digitalSignature = KeyUsage(rawValue: 1 << 0)
    /// Signatures that the signer cannot deny later
    public static let contentCommitment = KeyUsage(rawValue: 1 << 1)
    /// Encrypting keys
    public static let keyEncipherment = KeyUsage(rawValue: 1 << 2)
    /// Encrypting data
    public static let dataEncipherment = KeyUsage(rawValue: 1 << 3)
    /// Agreeing on keys
    public static let keyAgreement = KeyUsage(rawValue: 1 << 4)
    /// Signing certificates
    public static let certificateSigning = KeyUsage(rawValue: 1 << 5)
    /// Signing CRLs
    public static let crlSigning = KeyUsage(rawValue: 1 << 6)
}

/// Whether a certificate may issue others (RFC 5280 §4.2.1.9).
public struct BasicConstraints: Sendable, Hashable {
    /// Whether the certificate belongs to an authority.
    public let isAuthority: Bool
    /// How many intermediates may follow it; `nil` for any number.
    public let pathLength: Int?
}

/// The names for which an authority may issue (RFC 5280 §4.2.1.10).
public struct NameConstraints: Sendable, Hashable {
    /// The permitted subtrees: a name of a listed kind must be within one.
    public let permitted: [GeneralName]
    /// The excluded subtrees: no name may be within one.
    public let excluded: [GeneralName]
}

extension Certificate {
    /// The subject alternative names: of hosts, addresses and others (RFC 5280 §4.2.1.6).
    public var subjectAlternativeNames: [GeneralName] { value(ExtensionReader.subjectAlternativeNames) ?? [] }

    /// The permitted uses of the key; `nil` for any use.
    public var keyUsage: KeyUsage? { value(ExtensionReader.keyUsage) }

    /// The object identifiers of purposes; `nil` for any (RFC 5280 §4.2.1.12).
    public var extendedKeyUsages: [String]? { value(ExtensionReader.extendedKeyUsages) }

    /// Whether it may issue others.
    public var basicConstraints: BasicConstraints? { value(ExtensionReader.basicConstraints) }

    /// The names for which it may issue; `nil` for all.
    public var nameConstraints: NameConstraints? { value(ExtensionReader.nameConstraints) }

    /// The object identifiers of the policies that it was issued under (RFC 5280 §4.2.1.4).
    public var policies: [String] { value(ExtensionReader.policies) ?? [] }

    /// The URLs of the OCSP responders (RFC 5280 §4.2.2.1).
    public var ocspResponders: [String] { access("1.3.6.1.5.5.7.48.1") }

    /// The URLs of the issuer's certificate (RFC 5280 §4.2.2.1).
    public var issuerLocations: [String] { access("1.3.6.1.5.5.7.48.2") }

    /// The URLs of the issuer's CRL (RFC 5280 §4.2.1.13).
    public var crlDistributionPoints: [String] { value(ExtensionReader.distributionPoints) ?? [] }

    /// Whether a server that presents the certificate must staple an OCSP response (RFC 7633).
    public var mustStaple: Bool { value(ExtensionReader.tlsFeatures)?.contains(5) ?? false }

    /// The embedded SCTs (RFC 6962 §3.3).
    public var signedCertificateTimestamps: [SignedCertificateTimestamp] {
        value(ExtensionReader.timestamps) ?? []
    }

    /// The identifier of its key (RFC 5280 §4.2.1.2).
    public var subjectKeyIdentifier: [UInt8]? { value(ExtensionReader.subjectKeyIdentifier) }

    /// The identifiers of the extensions whose value cannot be read.
    public var malformedExtensions: [String] { ExtensionReader.malformed(in: self) }

    private func access(_ method: String) -> [String] {
        (value(ExtensionReader.informationAccess) ?? []).compactMap { entry in
            guard entry.method == method, case .uri(let uri) = entry.location else { return nil }
            return uri
        }
    }

    private func value<Value>(_ reader: ExtensionReader.Kind<Value>) -> Value? {
        extensions.first { $0.identifier == reader.identifier }.flatMap { try? reader.read($0.value) }
    }
}
