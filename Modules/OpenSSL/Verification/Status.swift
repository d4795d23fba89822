/// OpenSSL's verification results (`X509_V_ERR_…`), with messages for operators.
package enum Status {
    package static let notYetValid: Int32 = 9
    package static let expired: Int32 = 10
    package static let revoked: Int32 = 23
    package static let hostMismatch: Int32 = 62
    package static let addressMismatch: Int32 = 64
    package static let authorityWithoutKeyUsage: Int32 = 92

    private static let signatureFailures: Set<Int32> = [4, 5, 6, 7, 8]
    private static let crlFailures: Set<Int32> = [3, 8, 11, 12, 15, 16, 23, 33, 35, 36, 44, 54]

    /// Returns whether a result is about revocation.
    package static func isRevocation(_ status: Int32) -> Bool { crlFailures.contains(status) }

    /// Returns whether no other policy and no other time could change the result.
    package static func isFatal(_ status: Int32) -> Bool {
        status == revoked || status == 0 || signatureFailures.contains(status)
    }

    /// Returns whether another path could avoid the fault, even one of the server's own certificate: no issuer (2, 20,
    /// 21), its key identifiers (29 to 31), name constraints (47 to 53), the length of the path (25).
    package static func concernsTheWay(_ status: Int32) -> Bool {
        [2, 7, 18, 19, 20, 21, 25, 29, 30, 31].contains(status) || (47...53).contains(status)
    }

    /// Returns whether the issuer of a certificate in the chain is unknown.
    package static func missesIssuer(_ status: Int32) -> Bool { [2, 20, 21].contains(status) }

    package static func sentence(_ fault: ChainVerification.Fault, _ certificate: Certificate?) -> String {
        guard let certificate else { return fault.words }
        let place = fault.depth == 0 ? "the server's certificate" : "certificate \(fault.depth) of the chain"
        let subject = "\(place) (\(certificate.subject))"
        switch fault.code {
        case expired: return "certificate has expired: \(subject) was valid until \(certificate.notAfter.timestamp)"
        case notYetValid:
            return "certificate is not yet valid: \(subject) is valid from \(certificate.notBefore.timestamp)"
        case 2, 20: return "\(fault.words): no trusted issuer has signed \(subject), issued by \(certificate.issuer)"
        case 18: return "\(fault.words): \(subject) has signed itself and is not trusted"
        case 19: return "\(fault.words): the chain ends in \(subject), which is not trusted"
        case revoked: return "certificate revoked: \(subject) is on its issuer's list"
        case 3: return "\(fault.words): there is no valid list from \(certificate.issuer) for \(subject)"
        default: return "\(fault.words): \(subject)"
        }
    }
}
