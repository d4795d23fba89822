/// The rules of name constraints (RFC 5280 §4.2.1.10) that OpenSSL, which only compares text, does not enforce.
package enum NameRules {
    /// The maximum number of names times constraints in the certificates that a server sends, which bounds the work on
    /// adversarial chains: OpenSSL compares each name with each constraint, on each path. Its own limit for two
    /// certificates is the same.
    package static let mostComparisons = 1 << 20
    /// The maximum number of findings, which bounds the reports on adversarial chains.
    private static let mostFindings = 100

    // MARK: The work

    /// Returns whether the names and constraints of `certificates` may need more than ``mostComparisons``.
    package static func areTooMany(in certificates: [Certificate]) -> Bool {
        let constraintCount = certificates.reduce(0) { $0 + Self.constraintCount($1) }
        guard constraintCount > 0 else { return false }
        let nameCount = certificates.reduce(0) { $0 + Self.nameCount($1) }
        return nameCount > mostComparisons / constraintCount
    }

    private static func constraintCount(_ certificate: Certificate) -> Int {
        guard let constraints = certificate.nameConstraints else {
            return bound(ExtensionReader.nameConstraints.identifier, in: certificate)
        }
        return constraints.permitted.count + constraints.excluded.count
    }

    /// Counts the subject's attributes as well, to which constraints may apply.
    private static func nameCount(_ certificate: Certificate) -> Int {
        var count = certificate.subjectAlternativeNames.count
        if count == 0 { count = bound(ExtensionReader.subjectAlternativeNames.identifier, in: certificate) }
        return count + certificate.subject.attributes.count + 1
    }

    /// Returns the maximum number of elements of an extension that is malformed, which OpenSSL may be able to read. An
    /// element has at least two bytes. Returns 0 if there is no such extension.
    private static func bound(_ identifier: String, in certificate: Certificate) -> Int {
        certificate.extensions.first { $0.identifier == identifier }.map { $0.value.count / 2 } ?? 0
    }

    // MARK: The rules

    /// Returns the violations in a chain as built.
    package static func faults(of chain: [Certificate]) -> [TrustReport.Finding] {
        let constraints = chain.map(\.nameConstraints)
        guard constraints.contains(where: { $0 != nil }) else { return [] }
        let names = chain.map { certificate in certificate.subjectAlternativeNames.compactMap(Name.init) }
        var findings = Findings()
        for (depth, authority) in chain.enumerated() {
            guard let own = constraints[depth] else { continue }
            guard depth > 0 else {
                checkServer(authority, &findings)
                continue
            }
            checkUsable(own, of: authority, depth: depth, &findings)
            let exclusions = Exclusions(own.excluded)
            for below in 0..<depth {
                for name in names[below] {
                    guard let constraint = exclusions.first(excluding: name.text) else { continue }
                    findings.add(
                        "excluded subtree violation: \(name.written) of \(chain[below].subject) stands for a name in "
                            + "\(constraint), which \(authority.subject) may not issue for",
                        depth: below
                    )
                }
            }
        }
        checkForms(of: names, chain, constraints, &findings)
        return findings.all
    }

    /// Checks that a server's certificate has no constraints: they "MUST be used only in a CA certificate".
    private static func checkServer(_ certificate: Certificate, _ findings: inout Findings) {
        guard certificate.basicConstraints?.isAuthority != true else { return }
        let words = "name constraints of a certificate that is not an authority's: \(certificate.subject)"
        findings.add("\(words) (RFC 5280 §4.2.1.10)", depth: 0)
    }

    /// Checks that constraints are DNS names. Others would match no name, so an exclusion would have no effect; a
    /// constraint that cannot be applied therefore refuses the chain.
    ///
    /// A leading period is malformed too, but private authorities commonly write it and its meaning is clear: see
    /// ``Exclusions``.
    private static func checkUsable(
        _ constraints: NameConstraints,
        of authority: Certificate,
        depth: Int,
        _ findings: inout Findings
    ) {
        for constraint in constraints.permitted + constraints.excluded {
            // An empty name matches all names.
            guard case .dns(let name) = constraint, !name.isEmpty,
                !HostMatch.isName((name.hasPrefix(".") ? String(name.dropFirst()) : name).lowercased())
            else { continue }
            let words = "\(constraint), to which \(authority.subject) constrains names, is not a DNS name"
            findings.add("unsupported name constraint: \(words) (RFC 5280 §4.2.1.10)", depth: depth)
        }
    }

    /// Checks the names under name constraints. A malformed name cannot be checked against them.
    private static func checkForms(
        of names: [[Name]],
        _ chain: [Certificate],
        _ constraints: [NameConstraints?],
        _ findings: inout Findings
    ) {
        guard let highest = constraints.lastIndex(where: { $0?.constrainsNames == true }) else { return }
        for depth in 0..<highest {
            for name in names[depth] {
                let text = name.text.hasPrefix("*.") ? String(name.text.dropFirst(2)) : name.text
                guard !HostMatch.isName(text) else { continue }
                let words = "\(name.written) of \(chain[depth].subject) is not a DNS name, and names are constrained"
                findings.add("unsupported or invalid name syntax: \(words) (RFC 5280 §4.2.1.10)", depth: depth)
            }
        }
    }
}

/// A DNS name of a certificate.
private struct Name {
    let written: GeneralName
    /// In lower case.
    let text: String

    init?(_ name: GeneralName) {
        guard case .dns(let text) = name else { return nil }
        written = name
        self.text = text.lowercased()
    }
}

/// The names that an authority excludes in a way that OpenSSL does not detect:
///
/// - A wildcard that matches an excluded name: `*.api.test` from an authority that excludes `admin.api.test`.
/// - `.api.test` literally excludes the names within `api.test`; its author meant `api.test` as well.
///
/// A name is looked up, and not compared with each constraint.
private struct Exclusions {
    private let constraints: [GeneralName]
    /// The positions of constraints that begin with a period, by the name after it.
    private var domains: [String: Int] = [:]
    /// The positions of constraints, by the excluded name without its first label.
    private var parents: [String: Int] = [:]

    init(_ constraints: [GeneralName]) {
        self.constraints = constraints
        for (index, constraint) in constraints.enumerated() {
            guard case .dns(let written) = constraint else { continue }
            let hasPeriod = written.hasPrefix(".")
            let name = (hasPeriod ? String(written.dropFirst()) : written).lowercased()
            if hasPeriod, domains[name] == nil { domains[name] = index }
            guard let period = name.firstIndex(of: ".") else { continue }
            let parent = String(name[name.index(after: period)...])
            if parents[parent] == nil { parents[parent] = index }
        }
    }

    /// Returns the first constraint that excludes a name.
    ///
    /// - Parameter name: In lower case.
    func first(excluding name: String) -> GeneralName? {
        let wildcard = name.hasPrefix("*.") ? parents[String(name.dropFirst(2))] : nil
        let index = min(domains[name] ?? .max, wildcard ?? .max)
        return index < constraints.count ? constraints[index] : nil
    }
}

extension NameConstraints {
    /// Whether there is a constraint on DNS names.
    fileprivate var constrainsNames: Bool {
        (permitted + excluded).contains {
            if case .dns = $0 { true } else { false }
        }
    }
}

extension NameRules {
    /// The findings of a chain, up to ``mostFindings``.
    private struct Findings {
        private(set) var all: [TrustReport.Finding] = []

        mutating func add(_ words: @autoclosure () -> String, depth: Int) {
            guard all.count < NameRules.mostFindings else { return }
            // `X509_V_ERR_EXCLUDED_VIOLATION`, which another path may avoid.
            all.append(TrustReport.Finding(kind: .chain, status: 48, depth: depth, description: words()))
        }
    }
}
