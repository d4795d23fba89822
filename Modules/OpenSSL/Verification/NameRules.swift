/// The rules of name constraints (RFC 5280 §4.2.1.10) that OpenSSL, which only compares text, does not enforce.
package enum NameRules {
    package static func faults(of chain: [Certificate]) -> [TrustReport.Finding] {
        chain.enumerated().flatMap { depth, certificate -> [TrustReport.Finding] in
            guard let constraints = certificate.nameConstraints else { return [] }
            guard depth > 0 else { return serverFaults(certificate) }
            let below = chain.prefix(depth).enumerated()
            return unusable(constraints, of: certificate, depth: depth)
                + below.flatMap { excludedFaults($0.element, depth: $0.offset, constraints, of: certificate) }
                + below.flatMap { formFaults($0.element, depth: $0.offset, constraints) }
        }
    }

    /// Returns the violation of constraints in the certificate of a server: they "MUST be used only in a CA
    /// certificate".
    private static func serverFaults(_ certificate: Certificate) -> [TrustReport.Finding] {
        guard certificate.basicConstraints?.isAuthority != true else { return [] }
        let words = "name constraints of a certificate that is not an authority's: \(certificate.subject)"
        return [finding("\(words) (RFC 5280 §4.2.1.10)", depth: 0)]
    }

    /// Returns the violations of constraints that are not DNS names. They would match no name, so an exclusion would
    /// have no effect; a constraint that cannot be applied therefore refuses the chain.
    ///
    /// A leading period is malformed too, but private authorities commonly write it and its meaning is clear: see
    /// ``excludes(_:_:)``.
    private static func unusable(
        _ constraints: NameConstraints,
        of authority: Certificate,
        depth: Int
    ) -> [TrustReport.Finding] {
        (constraints.permitted + constraints.excluded).compactMap { constraint in
            // An empty name matches all names.
            guard case .dns(let name) = constraint, !name.isEmpty,
                !HostMatch.isName((name.hasPrefix(".") ? String(name.dropFirst()) : name).lowercased())
            else { return nil }
            let words = "\(constraint), to which \(authority.subject) constrains names, is not a DNS name"
            return finding("unsupported name constraint: \(words) (RFC 5280 §4.2.1.10)", depth: depth)
        }
    }

    private static func excludedFaults(
        _ certificate: Certificate,
        depth: Int,
        _ constraints: NameConstraints,
        of authority: Certificate
    ) -> [TrustReport.Finding] {
        certificate.subjectAlternativeNames.compactMap { name in
            guard case .dns(let text) = name,
                let constraint = constraints.excluded.first(where: { excludes($0, text) })
            else { return nil }
            return finding(
                "excluded subtree violation: \(name) of \(certificate.subject) stands for a name in \(constraint), which "
                    + "\(authority.subject) may not issue for",
                depth: depth
            )
        }
    }

    /// Returns the violations of malformed names under name constraints, which cannot be checked against them.
    private static func formFaults(
        _ certificate: Certificate,
        depth: Int,
        _ constraints: NameConstraints
    ) -> [TrustReport.Finding] {
        let areNamesConstrained = (constraints.permitted + constraints.excluded).contains {
            if case .dns = $0 { true } else { false }
        }
        guard areNamesConstrained else { return [] }
        return certificate.subjectAlternativeNames.compactMap { name in
            guard case .dns(let text) = name,
                !HostMatch.isName((text.hasPrefix("*.") ? String(text.dropFirst(2)) : text).lowercased())
            else { return nil }
            let words = "\(name) of \(certificate.subject) is not a DNS name, and names are constrained"
            return finding("unsupported or invalid name syntax: \(words) (RFC 5280 §4.2.1.10)", depth: depth)
        }
    }

    /// Returns whether a name is excluded in a way that OpenSSL does not detect:
    ///
    /// - A wildcard that matches an excluded name: `*.api.test` from an authority that excludes `admin.api.test`.
    /// - `.api.test` literally excludes the names within `api.test`; its author meant `api.test` as well.
    private static func excludes(_ constraint: GeneralName, _ text: String) -> Bool {
        guard case .dns(let written) = constraint else { return false }
        let excluded = (written.hasPrefix(".") ? String(written.dropFirst()) : written).lowercased()
        let name = text.lowercased()
        if written.hasPrefix("."), name == excluded { return true }
        guard name.hasPrefix("*.") else { return false }
        let base = name.dropFirst(2)
        guard excluded.hasSuffix("." + base) else { return false }
        return !excluded.dropLast(base.count + 1).contains(".")
    }

    private static func finding(_ words: String, depth: Int) -> TrustReport.Finding {
        // `X509_V_ERR_EXCLUDED_VIOLATION`, which another path may avoid.
        TrustReport.Finding(kind: .chain, status: 48, depth: depth, description: words)
    }
}
