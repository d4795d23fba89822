package import AirframeTransport
internal import COpenSSL

/// An OCSP request about one certificate, and the verification of responses (RFC 6960).
package struct OCSPExchange {
    /// The status that a responder reports.
    package enum Status: Sendable, Hashable {
        case good
        /// Revoked since the date, in seconds since 1970, for the reason (RFC 5280 §5.3.1), if the responder reports
        /// them.
        case revoked(time: Int?, reason: Int32?)
        /// The responder does not know the certificate.
        case unknown
    }

    /// A verified status that is in force.
    package struct Answer: Sendable {
        package let status: Status
        /// The end of the answer's validity, in seconds since 1970; `nil` if the responder always has newer answers.
        package let nextUpdate: Int?
        /// The extension with timestamps of logs (RFC 6962 §3.3), in DER.
        package let timestamps: [UInt8]?
    }

    /// The reason why a response is refused.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    private let certificate: CertificateReference
    private let issuer: CertificateReference

    /// - Parameters:
    ///   - certificate: The certificate.
    ///   - issuer: The certificate of its issuer.
    package init(certificate: CertificateReference, issuer: CertificateReference) {
        self.certificate = certificate
        self.issuer = issuer
    }

    /// The request in DER. It has no nonce, so that responders may send prepared responses (RFC 5019 §2.1.1).
    package func request() -> [UInt8]? {
        guard let request = OCSP_REQUEST_new() else { return nil }
        defer {
            OCSP_REQUEST_free(request)
            ERR_clear_error()
        }
        guard let id = OCSP_cert_to_id(nil, certificate.pointer, issuer.pointer) else { return nil }
        guard OCSP_request_add0_id(request, id) != nil else {
            OCSP_CERTID_free(id)
            return nil
        }
        var bytes: UnsafeMutablePointer<UInt8>?
        let count = i2d_OCSP_REQUEST(request, &bytes)
        guard count > 0, let bytes else { return nil }
        defer { CRYPTO_free(bytes, #file, #line) }
        return Array(UnsafeBufferPointer(start: bytes, count: Int(count)))
    }

    /// Verifies a response: it must be signed by the issuer or by a delegated responder (RFC 6960 §4.2.2.2), concern
    /// this certificate, and be in force.
    ///
    /// - Parameters:
    ///   - response: The response in DER.
    ///   - time: Seconds since 1970; `nil` for now.
    ///   - tolerance: The tolerated difference of the clocks in seconds.
    package func read(_ response: DER, time: Int?, tolerance: Int = 300) throws(Failure) -> Answer {
        defer { ERR_clear_error() }
        let parsed = response.bytes.withUnsafeBufferPointer { bytes -> OpaquePointer? in
            var start = bytes.baseAddress
            return d2i_OCSP_RESPONSE(nil, &start, bytes.count)
        }
        guard let parsed else { throw Failure(description: "the OCSP response cannot be read") }
        defer { OCSP_RESPONSE_free(parsed) }
        let outcome = OCSP_response_status(parsed)
        guard outcome == OCSP_RESPONSE_STATUS_SUCCESSFUL else {
            let words = OCSP_response_status_str(Int(outcome)).map { String(cString: $0) } ?? "\(outcome)"
            throw Failure(description: "the OCSP responder declined: \(words)")
        }
        guard let basic = OCSP_response_get1_basic(parsed) else {
            throw Failure(description: "the OCSP response has no content")
        }
        defer { OCSP_BASICRESP_free(basic) }
        let signer = try verifySigner(of: basic, time: time)
        try OCSPRules.check(basic, signedBy: signer, time: time ?? currentTime(), tolerance: tolerance)
        return try status(in: basic, time: time, tolerance: tolerance)
    }

    /// Verifies the signature.
    ///
    /// - Returns: The signer's certificate, which belongs to the response or to `issuer`.
    private func verifySigner(of basic: OpaquePointer, time: Int?) throws(Failure) -> OpaquePointer {
        // The issuer is the only root: it signed the response or the certificate of the delegated responder.
        guard let store = X509_STORE_new(), let helpers = airframe_certificates_new() else {
            throw Failure(description: "OpenSSL is out of memory")
        }
        defer {
            X509_STORE_free(store)
            airframe_certificates_free(helpers)
        }
        X509_STORE_add_cert(store, issuer.pointer)
        X509_STORE_set_flags(store, UInt(X509_V_FLAG_PARTIAL_CHAIN))
        if let time, let rules = X509_STORE_get0_param(store) { X509_VERIFY_PARAM_set_time(rules, time) }
        _ = airframe_certificates_push(helpers, issuer.pointer)
        var signer: OpaquePointer?
        guard OCSP_basic_verify(basic, helpers, store, UInt(OCSP_PARTIAL_CHAIN)) == 1,
            OCSP_resp_get0_signer(basic, &signer, helpers) == 1, let signer
        else {
            let words = OpenSSLError.takeMessage().map { ": \($0)" } ?? ""
            throw Failure(description: "the OCSP response is not signed by the certificate's issuer\(words)")
        }
        return signer
    }

    private func status(in basic: OpaquePointer, time: Int?, tolerance: Int) throws(Failure) -> Answer {
        let singles = singles(in: basic)
        guard let single = singles.first else {
            throw Failure(description: "the OCSP response is about another certificate")
        }
        guard singles.count == 1 else {
            // An expired response proves nothing, except that its signer has revoked the certificate at some time.
            let revoked = singles.lazy.map { Self.reading($0) }.first { $0.code == V_OCSP_CERTSTATUS_REVOKED }
            if let revoked { return revoked.answer(.revoked(time: revoked.revoked, reason: revoked.reason)) }
            throw Failure(description: "the OCSP response has \(singles.count) answers about one certificate")
        }
        try OCSPRules.checkExtensions(of: single)
        let reading = Self.reading(single)
        try Self.checkValidity(from: reading.this, to: reading.next, time: time, tolerance: tolerance)
        switch reading.code {
        case V_OCSP_CERTSTATUS_GOOD: return reading.answer(.good)
        case V_OCSP_CERTSTATUS_REVOKED: return reading.answer(.revoked(time: reading.revoked, reason: reading.reason))
        case V_OCSP_CERTSTATUS_UNKNOWN: return reading.answer(.unknown)
        default: throw Failure(description: "the OCSP response says nothing about the certificate")
        }
    }

    /// Returns the response's answers about the certificate. A responder may add prepared answers about others (RFC
    /// 6960 §4.2.2.3).
    private func singles(in basic: OpaquePointer) -> [OpaquePointer] {
        // Responders choose the digest of the identifier (RFC 6960 §4.3): usually SHA-1, sometimes SHA-256.
        let identifiers = [EVP_sha1(), EVP_sha256(), EVP_sha384(), EVP_sha512()].compactMap {
            OCSP_cert_to_id($0, certificate.pointer, issuer.pointer)
        }
        defer { for identifier in identifiers { OCSP_CERTID_free(identifier) } }
        return (0..<max(0, OCSP_resp_count(basic))).compactMap { index in
            guard let single = OCSP_resp_get0(basic, index), let about = OCSP_SINGLERESP_get0_id(single),
                identifiers.contains(where: { OCSP_id_cmp($0, about) == 0 })
            else { return nil }
            return single
        }
    }

    /// A single answer of a response.
    private struct Reading {
        let code: Int32
        let this: Int?
        let next: Date
        let revoked: Int?
        let reason: Int32?
        let timestamps: [UInt8]?

        /// The end of an answer's validity.
        enum Date {
            case none
            case unreadable
            case at(Int)
        }

        func answer(_ status: Status) -> Answer {
            let nextUpdate: Int? = if case .at(let end) = next { end } else { nil }
            return Answer(status: status, nextUpdate: nextUpdate, timestamps: timestamps)
        }
    }

    private static func reading(_ single: OpaquePointer) -> Reading {
        var reason: Int32 = -1
        var revoked: UnsafeMutablePointer<ASN1_GENERALIZEDTIME>?
        var this: UnsafeMutablePointer<ASN1_GENERALIZEDTIME>?
        var next: UnsafeMutablePointer<ASN1_GENERALIZEDTIME>?
        let code = OCSP_single_get0_status(single, &reason, &revoked, &this, &next)
        return Reading(
            code: code,
            this: seconds(this),
            next: next == nil ? .none : seconds(next).map { .at($0) } ?? .unreadable,
            revoked: seconds(revoked),
            reason: reason < 0 ? nil : reason,
            timestamps: timestamps(single)
        )
    }

    private static func checkValidity(
        from this: Int?,
        to next: Reading.Date,
        time: Int?,
        tolerance: Int
    ) throws(Failure) {
        guard let start = this else { throw Failure(description: "the OCSP response has no date") }
        let now = time ?? currentTime()
        guard start <= now + tolerance else {
            throw Failure(description: "the OCSP response is from the future: \(CertificateText.date(start))")
        }
        switch next {
        case .unreadable: throw Failure(description: "the OCSP response has no date")
        case .at(let end) where end < now - tolerance:
            let date = CertificateText.date(end)
            throw Failure(description: "the OCSP response is out of date: it held until \(date)")
        case .none where now - start > 7 * 86_400:
            // Responders with constant updates omit the end of validity (RFC 6960 §4.2.2.1). After a week the answer
            // counts as outdated.
            throw Failure(description: "the OCSP response is a week old: it is of \(CertificateText.date(start))")
        case .at, .none: break
        }
    }

    private static func timestamps(_ single: OpaquePointer) -> [UInt8]? {
        let place = OCSP_SINGLERESP_get_ext_by_NID(single, NID_ct_cert_scts, -1)
        guard place >= 0, let value = X509_EXTENSION_get_data(OCSP_SINGLERESP_get_ext(single, place)),
            let bytes = ASN1_STRING_get0_data(value)
        else { return nil }
        return Array(UnsafeBufferPointer(start: bytes, count: Int(ASN1_STRING_length(value))))
    }

    private static func seconds(_ date: UnsafeMutablePointer<ASN1_GENERALIZEDTIME>?) -> Int? {
        guard let date else { return nil }
        return CertificateText.seconds(UnsafePointer(date))
    }
}
