public import AirframeCore
public import AirframeSecurity
internal import AirframeTransport
public import Foundation

// Trusts and policies.

/// Returns a policy that requires the chain to lead to a trusted root.
public func SecPolicyCreateBasicX509() -> SecPolicy { .basic }

/// Returns a policy for TLS.
///
/// - Parameters:
///   - server: Whether the certificate is a server's. For a client's, only the chain is evaluated.
///   - hostname: The required name of the certificate; `nil` for any.
public func SecPolicyCreateSSL(_ server: Bool, _ hostname: CFString?) -> SecPolicy {
    guard server, let hostname else { return .basic }
    return .hostname(hostname)
}

/// Returns a policy that rejects revoked certificates; `nil` if the flags select no method.
public func SecPolicyCreateRevocation(_ flags: CFOptionFlags) -> SecPolicy? {
    try? SecPolicy.af.revocation(options: RevocationOptions(rawValue: flags))
}

/// Creates a trust from certificates, leaf first.
///
/// - Parameters:
///   - certificates: A certificate, or several.
///   - policies: A policy, several, or `nil` for a chain that leads to a trusted root.
///   - trust: Receives the trust.
/// - Returns: `errSecParam` if there is no certificate, or if policies are given that are none, such as an array with
///   `nil` among them.
public func SecTrustCreateWithCertificates(
    _ certificates: CFTypeRef,
    _ policies: CFTypeRef?,
    _ trust: UnsafeMutablePointer<SecTrust?>
) -> OSStatus {
    guard let chain = certificates as? [SecCertificate] ?? (certificates as? SecCertificate).map({ [$0] }),
        !chain.isEmpty
    else { return errSecParam }
    guard let named = chosen(policies ?? SecPolicy.basic), !named.isEmpty else { return errSecParam }
    let host = named.lazy.compactMap { if case .hostname(let host) = $0 { host } else { nil } }.first
    let made = ServerTrust(certificates: chain, host: host ?? "")
    made.policies = named
    trust.pointee = made
    return errSecSuccess
}

/// Sets the policy or policies of the evaluation.
public func SecTrustSetPolicies(_ trust: SecTrust, _ policies: CFTypeRef) -> OSStatus {
    guard let policies = chosen(policies), !policies.isEmpty else { return errSecParam }
    trust.policies = policies
    return errSecSuccess
}

private func chosen(_ policies: CFTypeRef) -> [SecPolicy]? {
    policies as? [SecPolicy] ?? (policies as? SecPolicy).map { [$0] }
}

/// Sets the only certificates that chains may lead to.
public func SecTrustSetAnchorCertificates(_ trust: SecTrust, _ certificates: CFArray?) -> OSStatus {
    guard let certificates else {
        trust.anchorCertificates = nil
        return errSecSuccess
    }
    let anchors = certificates.compactMap { $0 as? SecCertificate }
    guard anchors.count == certificates.count else { return errSecParam }
    trust.anchorCertificates = anchors.map(\.der)
    return errSecSuccess
}

/// Sets whether only the given anchors are trusted. The system's roots cannot be trusted in addition: `false` fails.
public func SecTrustSetAnchorCertificatesOnly(_ trust: SecTrust, _ onlyAnchors: Bool) -> OSStatus {
    onlyAnchors || trust.anchorCertificates == nil ? errSecSuccess : errSecParam
}

/// Evaluates the trust by its policies.
///
/// - Parameters:
///   - trust: The trust.
///   - error: Set to the reason if the server is not trusted.
/// - Returns: Whether the server is trusted.
public func SecTrustEvaluateWithError(_ trust: SecTrust, _ error: UnsafeMutablePointer<CFError?>?) -> Bool {
    do {
        try trust.af.evaluate()
        return true
    } catch let refusal {
        let information = [NSLocalizedDescriptionKey: refusal.localizedDescription]
        error?.pointee = NSError(domain: NSOSStatusErrorDomain, code: Int(errSecNotTrusted), userInfo: information)
        return false
    }
}

/// Evaluates the trust by its policies.
///
/// - Parameters:
///   - trust: The trust.
///   - result: Receives the result of the evaluation.
@available(*, deprecated, renamed: "SecTrustEvaluateWithError")
public func SecTrustEvaluate(_ trust: SecTrust, _ result: UnsafeMutablePointer<SecTrustResultType>) -> OSStatus {
    result.pointee = SecTrustEvaluateWithError(trust, nil) ? .unspecified : .recoverableTrustFailure
    return errSecSuccess
}

/// Returns the certificates that signatures connect, leaf first.
public func SecTrustCopyCertificateChain(_ trust: SecTrust) -> CFArray? { trust.af.certificates }

/// Returns the number of certificates of ``SecTrustCopyCertificateChain(_:)``.
public func SecTrustGetCertificateCount(_ trust: SecTrust) -> CFIndex { trust.af.certificates.count }

/// Returns a certificate of the chain; `nil` beyond its end.
public func SecTrustGetCertificateAtIndex(_ trust: SecTrust, _ index: CFIndex) -> SecCertificate? {
    let certificates = trust.af.certificates
    return certificates.indices.contains(index) ? certificates[index] : nil
}

/// Returns the server's public key.
public func SecTrustCopyKey(_ trust: SecTrust) -> SecKey? { trust.af.publicKeys.first }

/// Returns the server's public key.
public func SecTrustCopyPublicKey(_ trust: SecTrust) -> SecKey? { trust.af.publicKeys.first }
