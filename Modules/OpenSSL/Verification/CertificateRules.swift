internal import AirframeTransport

/// The rules of RFC 5280, and of the CA/Browser Forum, that OpenSSL does not enforce.
package struct CertificateRules {
    private let policy: ChainPolicy

    package init(_ policy: ChainPolicy) { self.policy = policy }

    /// Returns the violations in a chain as built.
    package func faults(of chain: [Certificate]) -> [TrustReport.Finding] {
        chain.enumerated().flatMap { depth, certificate in
            let isRoot = depth > 0 && depth == chain.count - 1
            var broken = Self.form(certificate)
            if policy.profile == .strict {
                broken += IssuanceRules.broken(by: certificate, depth: depth, isRoot: isRoot)
            }
            return broken.map { rule in
                let place = depth == 0 ? "the server's certificate" : "certificate \(depth) of the chain"
                return TrustReport.Finding(
                    kind: .chain,
                    status: 0,
                    depth: depth,
                    description: "\(rule): \(place) (\(certificate.subject))"
                )
            }
        } + NameRules.faults(of: chain) + lengthFaults(of: chain)
    }

    /// Returns the violation of too many intermediates. Self-issued certificates do not count (RFC 5280 §6.1.4).
    private func lengthFaults(of chain: [Certificate]) -> [TrustReport.Finding] {
        guard let limit = policy.maximumIntermediates else { return [] }
        let count = chain.dropFirst().dropLast().count { !$0.isSelfIssued }
        guard count > limit else { return [] }
        let words = "certificate chain too long: \(count) intermediates, and at most \(limit) are allowed"
        return [TrustReport.Finding(kind: .chain, status: 22, depth: 0, description: words)]
    }

    /// Returns the violations that no sound certificate has.
    private static func form(_ certificate: Certificate) -> [String] {
        var broken: [String] = []
        if certificate.parsed.innerAlgorithm != certificate.parsed.outerAlgorithm {
            broken.append("two signature algorithms (RFC 5280 §4.1.1.2)")
        }
        let identifiers = certificate.extensions.map(\.identifier)
        if Set(identifiers).count != identifiers.count {
            broken.append("an extension appears twice (RFC 5280 §4.2)")
        }
        for identifier in certificate.malformedExtensions {
            broken.append("the extension \(identifier) is malformed (RFC 5280 §4.2)")
        }
        if hasExplicitCurve(certificate.publicKey) {
            broken.append("a curve that is not named (RFC 5480 §2.1.1)")
        }
        return broken
    }

    /// Returns whether the key is on a curve with explicit parameters: an attacker who chooses the curve can forge
    /// signatures on it.
    private static func hasExplicitCurve(_ key: PublicKey) -> Bool {
        var reader = DERReader(key.der.bytes[...])
        guard var info = try? reader.next(DERTag.sequence).reader,
            var algorithm = try? info.next(DERTag.sequence).reader,
            let name = try? algorithm.next().objectIdentifier(), name == "1.2.840.10045.2.1"
        else { return false }
        return (try? algorithm.next().tag) == DERTag.sequence
    }
}
