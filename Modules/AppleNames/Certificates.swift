public import AirframeSecurity
internal import AirframeTransport
public import Foundation

// Certificates and keys.

/// Creates a certificate from DER; `nil` if the data is not a certificate.
public func SecCertificateCreateWithData(_ allocator: CFAllocator?, _ data: CFData) -> SecCertificate? {
    try? Certificate(der: DER(Array(data)))
}

/// Returns the certificate in DER.
public func SecCertificateCopyData(_ certificate: SecCertificate) -> CFData { certificate.data }

/// Returns the certificate's public key.
public func SecCertificateCopyKey(_ certificate: SecCertificate) -> SecKey? { certificate.publicKey }

/// Returns the certificate's public key.
public func SecCertificateCopyPublicKey(_ certificate: SecCertificate) -> SecKey? { certificate.publicKey }

/// Returns a description of the subject.
public func SecCertificateCopySubjectSummary(_ certificate: SecCertificate) -> CFString? {
    "\(certificate.subject)"
}

/// Returns the key without its algorithm identifier, in Security's format: PKCS #1 for RSA (RFC 8017), an X9.63 point
/// for elliptic curves.
///
/// - Parameters:
///   - key: The key.
///   - error: Set if the key has no external representation.
public func SecKeyCopyExternalRepresentation(
    _ key: SecKey,
    _ error: UnsafeMutablePointer<CFError?>?
) -> CFData? {
    guard let bits = SubjectPublicKeyBits(key.der.bytes).bits else {
        error?.pointee = NSError(domain: NSOSStatusErrorDomain, code: Int(errSecDecode))
        return nil
    }
    return Data(bits)
}

/// Returns the bit string of a SubjectPublicKeyInfo (RFC 5280 §4.1.2.7): the last element of the outer sequence.
private struct SubjectPublicKeyBits {
    let bits: ArraySlice<UInt8>?

    init(_ bytes: some Collection<UInt8>) {
        var reader = Array(bytes)[...]
        guard let outer = Self.element(0x30, of: &reader) else {
            bits = nil
            return
        }
        var fields = outer
        // The bit string begins with the number of unused bits, which is 0 in keys.
        guard Self.element(0x30, of: &fields) != nil, let string = Self.element(0x03, of: &fields),
            string.first == 0
        else {
            bits = nil
            return
        }
        bits = string.dropFirst()
    }

    /// Removes the first element, which must have the tag, and returns its contents.
    private static func element(_ tag: UInt8, of bytes: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard bytes.popFirst() == tag, let first = bytes.popFirst() else { return nil }
        var length = Int(first)
        if first >= 0x80 {
            let count = Int(first & 0x7F)
            guard count >= 1, count <= 4, bytes.count >= count else { return nil }
            length = bytes.prefix(count).reduce(0) { $0 << 8 | Int($1) }
            bytes = bytes.dropFirst(count)
        }
        guard length <= bytes.count else { return nil }
        defer { bytes = bytes.dropFirst(length) }
        return bytes.prefix(length)
    }
}
