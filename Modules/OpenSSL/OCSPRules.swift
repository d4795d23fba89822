internal import COpenSSL

/// The requirements of RFC 6960 on a response that OpenSSL does not check.
enum OCSPRules {
    /// Extensions that do not affect the status: the nonce (RFC 6960 §4.4.1), which requests here never have;
    /// references to CRLs (§4.4.2); archive cutoffs (§4.4.4); the responder's reading of "revoked" (§4.4.8), which
    /// OpenSSL knows by an older name; timestamps of logs (RFC 6962 §3.3); and the reason and date of a revocation (RFC
    /// 5280 §5.3.1, §5.3.2).
    private static let known: Set<Int32> = [
        NID_id_pkix_OCSP_Nonce, NID_id_pkix_OCSP_CrlID, NID_id_pkix_OCSP_archiveCutoff, NID_id_pkix_OCSP_valid,
        NID_ct_cert_scts, NID_crl_reason, NID_invalidity_date,
    ]

    /// Checks the requirements on the whole response.
    ///
    /// - Parameters:
    ///   - signer: The certificate of the signer.
    ///   - time: Seconds since 1970.
    ///   - tolerance: The tolerated difference of the clocks in seconds.
    static func check(
        _ basic: OpaquePointer,
        signedBy signer: OpaquePointer,
        time: Int,
        tolerance: Int
    ) throws(OCSPExchange.Failure) {
        for index in 0..<max(0, OCSP_BASICRESP_get_ext_count(basic)) {
            try check(OCSP_BASICRESP_get_ext(basic, index))
        }
        guard let date = OCSP_resp_get0_produced_at(basic),
            let produced = CertificateText.seconds(UnsafePointer(date))
        else { throw OCSPExchange.Failure(description: "the OCSP response has no date of its signature") }
        guard produced <= time + tolerance else {
            throw OCSPExchange.Failure(
                description: "the OCSP response was signed in the future: \(CertificateText.date(produced))")
        }
        guard let start = CertificateText.seconds(X509_get0_notBefore(signer)),
            let end = CertificateText.seconds(X509_get0_notAfter(signer)),
            produced >= start - tolerance, produced <= end + tolerance
        else {
            throw OCSPExchange.Failure(
                description: "the OCSP response was signed at \(CertificateText.date(produced)), when its signer "
                    + "(\(CertificateText.subject(of: signer))) had no valid certificate"
            )
        }
    }

    /// Checks the extensions of one answer.
    static func checkExtensions(of single: OpaquePointer) throws(OCSPExchange.Failure) {
        for index in 0..<max(0, OCSP_SINGLERESP_get_ext_count(single)) {
            try check(OCSP_SINGLERESP_get_ext(single, index))
        }
    }

    /// Throws for a critical extension that is not understood (RFC 6960 §4.4).
    private static func check(_ extension: OpaquePointer?) throws(OCSPExchange.Failure) {
        guard X509_EXTENSION_get_critical(`extension`) != 0 else { return }
        let object = X509_EXTENSION_get_object(`extension`)
        guard !known.contains(OBJ_obj2nid(object)) else { return }
        throw OCSPExchange.Failure(
            description: "the OCSP response has an unknown critical extension: \(text(object))")
    }

    private static func text(_ object: OpaquePointer?) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 128) { buffer in
            guard let start = buffer.baseAddress, OBJ_obj2txt(start, 128, object, 1) > 0 else { return "unreadable" }
            return String(cString: start)
        }
    }
}
