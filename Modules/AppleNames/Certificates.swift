public import AirframeSecurity
internal import AirframeTransport
public import Foundation

// Certificates and keys.

/// The certificate in DER, or `nil` when the data is none.
public func SecCertificateCreateWithData(_ allocator: CFAllocator?, _ data: CFData) -> SecCertificate? {
    try? Certificate(der: DER(Array(data)))
}

/// The certificate's bytes, in DER.
public func SecCertificateCopyData(_ certificate: SecCertificate) -> CFData { certificate.data }

/// The certificate's key.
public func SecCertificateCopyKey(_ certificate: SecCertificate) -> SecKey? { certificate.publicKey }

/// The certificate's key.
public func SecCertificateCopyPublicKey(_ certificate: SecCertificate) -> SecKey? { certificate.publicKey }

/// The subject's name in words.
public func SecCertificateCopySubjectSummary(_ certificate: SecCertificate) -> CFString? {
    "\(certificate.subject)"
}

/// The key's bits without the algorithm around them: PKCS #1 for RSA (RFC 8017), an X9.63 point for elliptic curves, as
/// Security gives them.
///
/// - Parameters:
///   - key: The key.
///   - error: Set where the key cannot be represented.
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

/// The bit string of a SubjectPublicKeyInfo (RFC 5280 §4.1.2.7): the last element of the outer sequence.
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

    /// Takes an element with a tag off the front, and returns its contents.
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
