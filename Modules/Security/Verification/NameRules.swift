/// The names that authorities may issue for (RFC 5280 §4.2.1.10), where OpenSSL compares texts only.
///
/// A wildcard stands for names, and an authority that must not issue for one of them must not issue the wildcard:
/// `*.api.test` beneath an authority from which `admin.api.test` is excluded.
enum NameRules {
    static func faults(of chain: [Certificate]) -> [TrustReport.Finding] {
        chain.enumerated().dropFirst().flatMap { depth, authority in
            guard let excluded = authority.nameConstraints?.excluded else { return [TrustReport.Finding]() }
            return chain.prefix(depth).enumerated().flatMap { place, certificate in
                certificate.subjectAlternativeNames.compactMap { name in
                    guard case .dns(let pattern) = name,
                        let constraint = excluded.first(where: { stands(pattern, for: $0) })
                    else { return nil }
                    return TrustReport.Finding(
                        kind: .chain,
                        status: 48,
                        depth: place,
                        description:
                            "excluded subtree violation: \(name) of \(certificate.subject) stands for a name in "
                            + "\(constraint), which \(authority.subject) may not issue for"
                    )
                }
            }
        }
    }

    private static func stands(_ pattern: String, for constraint: GeneralName) -> Bool {
        guard pattern.hasPrefix("*."), case .dns(let excluded) = constraint else { return false }
        let base = pattern.dropFirst(2).lowercased()
        let name = excluded.lowercased()
        guard name.hasSuffix("." + base) else { return false }
        return !name.dropLast(base.count + 1).contains(".")
    }
}
