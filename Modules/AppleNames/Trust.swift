public import AirframeCore
public import AirframeSecurity
internal import AirframeTransport
public import Foundation

// Trusts and policies.

/// A policy that wants the chain to lead to a trusted root.
public func SecPolicyCreateBasicX509() -> SecPolicy { .basic }

/// A policy for servers.
///
/// - Parameters:
///   - server: Whether a server's certificate is evaluated. Certificates of clients are not evaluated here: the chain
///     alone counts for them.
///   - hostname: The name that the certificate must be for; `nil` for any.
public func SecPolicyCreateSSL(_ server: Bool, _ hostname: CFString?) -> SecPolicy {
    guard server, let hostname else { return .basic }
    return .hostname(hostname)
}

/// A policy that wants no certificate to be revoked; `nil` where the flags name no way to find out.
public func SecPolicyCreateRevocation(_ flags: CFOptionFlags) -> SecPolicy? {
    try? SecPolicy.af.revocation(options: RevocationOptions(rawValue: flags))
}

/// Makes a trust from certificates, the server's own first.
///
/// - Parameters:
///   - certificates: A certificate, or several.
///   - policies: A policy, several, or `nil`.
///   - trust: Receives the trust.
public func SecTrustCreateWithCertificates(
    _ certificates: CFTypeRef,
    _ policies: CFTypeRef?,
    _ trust: UnsafeMutablePointer<SecTrust?>
) -> OSStatus {
    guard let chain = certificates as? [SecCertificate] ?? (certificates as? SecCertificate).map({ [$0] }),
        !chain.isEmpty
    else { return errSecParam }
    let named = chosen(policies ?? [SecPolicy]()) ?? []
    let host = named.lazy.compactMap { if case .hostname(let host) = $0 { host } else { nil } }.first
    let made = ServerTrust(certificates: chain, host: host ?? "")
    made.policies = named.isEmpty ? [.basic] : named
    trust.pointee = made
    return errSecSuccess
}

/// Sets what the trust is evaluated by: a policy, or several.
public func SecTrustSetPolicies(_ trust: SecTrust, _ policies: CFTypeRef) -> OSStatus {
    guard let policies = chosen(policies), !policies.isEmpty else { return errSecParam }
    trust.policies = policies
    return errSecSuccess
}

private func chosen(_ policies: CFTypeRef) -> [SecPolicy]? {
    policies as? [SecPolicy] ?? (policies as? SecPolicy).map { [$0] }
}

/// Has chains lead to these certificates, and to no others.
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

/// Whether the system's roots count beside the anchors that were set. They do not here: `false` fails.
public func SecTrustSetAnchorCertificatesOnly(_ trust: SecTrust, _ onlyAnchors: Bool) -> OSStatus {
    onlyAnchors || trust.anchorCertificates == nil ? errSecSuccess : errSecParam
}

/// Evaluates the trust by its policies.
///
/// - Parameters:
///   - trust: The trust.
///   - error: Set where the server is not trusted, to why.
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
///   - result: Receives how the evaluation ended.
@available(*, deprecated, renamed: "SecTrustEvaluateWithError")
public func SecTrustEvaluate(_ trust: SecTrust, _ result: UnsafeMutablePointer<SecTrustResultType>) -> OSStatus {
    result.pointee = SecTrustEvaluateWithError(trust, nil) ? .unspecified : .recoverableTrustFailure
    return errSecSuccess
}

/// The certificates, as far as signatures lead from one to the next; the server's own first.
public func SecTrustCopyCertificateChain(_ trust: SecTrust) -> CFArray? { trust.af.certificates }

/// The number of certificates that ``SecTrustCopyCertificateChain(_:)`` returns.
public func SecTrustGetCertificateCount(_ trust: SecTrust) -> CFIndex { trust.af.certificates.count }

/// A certificate of the chain; `nil` beyond its end.
public func SecTrustGetCertificateAtIndex(_ trust: SecTrust, _ index: CFIndex) -> SecCertificate? {
    let certificates = trust.af.certificates
    return certificates.indices.contains(index) ? certificates[index] : nil
}

/// The server's key.
public func SecTrustCopyKey(_ trust: SecTrust) -> SecKey? { trust.af.publicKeys.first }

/// The server's key.
public func SecTrustCopyPublicKey(_ trust: SecTrust) -> SecKey? { trust.af.publicKeys.first }
