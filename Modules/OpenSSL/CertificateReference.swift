package import AirframeTransport
internal import COpenSSL

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Seconds since 1970.
func currentTime() -> Int { time(nil) }

/// An OpenSSL certificate that is freed with its owner.
///
/// `@unchecked Sendable`: the certificate is immutable once it is parsed, and OpenSSL guards the values that it caches.
package final class CertificateReference: @unchecked Sendable {
    package let pointer: OpaquePointer

    /// Parses a certificate in DER; `nil` if it is malformed.
    package init?(_ der: DER) {
        let parsed = der.bytes.withUnsafeBufferPointer { bytes -> OpaquePointer? in
            var start = bytes.baseAddress
            return d2i_X509(nil, &start, bytes.count)
        }
        guard let parsed else {
            ERR_clear_error()
            return nil
        }
        pointer = parsed
    }

    deinit { X509_free(pointer) }

    /// Returns whether the key of `issuer` signed the certificate.
    package func isSigned(by issuer: CertificateReference) -> Bool {
        defer { ERR_clear_error() }
        guard let key = X509_get0_pubkey(issuer.pointer) else { return false }
        return X509_verify(pointer, key) == 1
    }
}

/// The text of certificates for messages.
package enum CertificateText {
    /// Its subject's common name, or its whole subject.
    package static func subject(of certificate: OpaquePointer) -> String {
        X509_get_subject_name(certificate).flatMap(text)?.printable ?? "no subject"
    }

    private static func text(_ name: OpaquePointer) -> String? {
        if let common = commonName(name) { return "CN=\(common)" }
        guard let line = X509_NAME_oneline(name, nil, 0) else { return nil }
        defer { CRYPTO_free(line, #file, #line) }
        return String(cString: line)
    }

    private static func commonName(_ name: OpaquePointer) -> String? {
        let index = X509_NAME_get_index_by_NID(name, NID_commonName, -1)
        guard index >= 0, let entry = X509_NAME_get_entry(name, index),
            let data = X509_NAME_ENTRY_get_data(entry)
        else { return nil }
        var bytes: UnsafeMutablePointer<UInt8>?
        let count = ASN1_STRING_to_UTF8(&bytes, data)
        guard count >= 0, let bytes else { return nil }
        defer { CRYPTO_free(bytes, #file, #line) }
        return String(decoding: UnsafeBufferPointer(start: bytes, count: Int(count)), as: UTF8.self)
    }

    /// The end of its validity, such as `2026-01-31 12:00:00 UTC`.
    package static func notAfter(of certificate: OpaquePointer) -> String { date(X509_get0_notAfter(certificate)) }

    /// The start of its validity.
    package static func notBefore(of certificate: OpaquePointer) -> String { date(X509_get0_notBefore(certificate)) }

    private static func date(_ time: UnsafePointer<ASN1_TIME>?) -> String {
        var parts = tm()
        guard ASN1_TIME_to_tm(time, &parts) == 1 else { return "an unreadable date" }
        return text(parts)
    }

    /// A date in seconds since 1970.
    static func date(_ seconds: Int) -> String {
        var parts = tm()
        var time = time_t(seconds)
        guard gmtime_r(&time, &parts) != nil else { return "an unreadable date" }
        return text(parts)
    }

    private static func text(_ parts: tm) -> String {
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let day = "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
        return "\(day) \(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec)) UTC"
    }

    /// A date in seconds since 1970.
    static func seconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int? {
        guard let time, let epoch = ASN1_TIME_set(nil, 0) else { return nil }
        defer { ASN1_STRING_free(epoch) }
        var days: Int32 = 0
        var seconds: Int32 = 0
        guard ASN1_TIME_diff(&days, &seconds, epoch, time) == 1 else { return nil }
        return Int(days) * 86_400 + Int(seconds)
    }

    /// The host names that the certificate is valid for (RFC 5280 §4.2.1.6).
    package static func hosts(of certificate: OpaquePointer) -> [String] {
        guard let names = X509_get_ext_d2i(certificate, NID_subject_alt_name, nil, nil) else { return [] }
        let list = OpaquePointer(names)
        defer { GENERAL_NAMES_free(list) }
        return (0..<airframe_general_names_count(list)).compactMap { index in
            guard let name = airframe_general_name(list, index) else { return nil }
            var type: Int32 = 0
            guard let value = GENERAL_NAME_get0_value(name, &type) else { return nil }
            let string = value.assumingMemoryBound(to: ASN1_STRING.self)
            guard let bytes = ASN1_STRING_get0_data(string) else { return nil }
            let buffer = UnsafeBufferPointer(start: bytes, count: Int(ASN1_STRING_length(string)))
            switch type {
            case GEN_DNS: return String(decoding: buffer, as: UTF8.self)
            case GEN_IPADD: return address(Array(buffer))
            default: return nil
            }
        }
    }

    private static func address(_ bytes: [UInt8]) -> String? {
        AddressText.text(bytes)
    }

    /// The certificate's bytes.
    package static func der(of certificate: OpaquePointer) -> DER? {
        var bytes: UnsafeMutablePointer<UInt8>?
        let count = i2d_X509(certificate, &bytes)
        guard count > 0, let bytes else { return nil }
        defer { CRYPTO_free(bytes, #file, #line) }
        return DER(Array(UnsafeBufferPointer(start: bytes, count: Int(count))))
    }

    /// The bytes of all certificates of a stack, in order.
    ///
    /// A certificate that cannot be encoded has no bytes, which no parser accepts: without it, the next certificate
    /// would take its position, and the first one is the server's.
    package static func chain(_ stack: OpaquePointer?) -> [DER] {
        guard let stack else { return [] }
        return (0..<max(0, airframe_certificates_count(stack))).map { index in
            airframe_certificate(stack, index).flatMap { der(of: $0) } ?? DER([])
        }
    }
}
