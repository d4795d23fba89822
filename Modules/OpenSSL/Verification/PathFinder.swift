/// The paths from a certificate upwards through the certificates that the server sent.
///
/// OpenSSL follows one path and gives up if it fails. A server may send two certificates for one authority, of which
/// one has expired, is cross-signed by an unknown root, or has constraints that exclude the name. Another path may
/// succeed.
package struct PathFinder {
    /// The maximum number of paths, which bounds the work on adversarial chains.
    package static let limit = 32
    private static let depth = 8

    private let certificates: [Certificate]

    package init(_ certificates: [Certificate]) {
        // A duplicate certificate would not add a path.
        var seen: Set<Certificate> = []
        self.certificates = certificates.filter { seen.insert($0).inserted }
    }

    /// Returns the paths from `leaf`, shortest first. Each is a list of intermediates.
    package func paths(from leaf: Certificate) -> [[Certificate]] {
        var found: [[Certificate]] = []
        var frontier: [[Certificate]] = [[leaf]]
        while !frontier.isEmpty, found.count < Self.limit {
            var next: [[Certificate]] = []
            for path in frontier {
                found.append(Array(path.dropFirst()))
                guard path.count <= Self.depth, let last = path.last, next.count < Self.limit else { continue }
                next += issuers(of: last).filter { !path.contains($0) }.map { path + [$0] }
            }
            frontier = Array(next.prefix(Self.limit))
        }
        return Array(found.prefix(Self.limit))
    }

    private func issuers(of certificate: Certificate) -> [Certificate] {
        let key = certificate.authorityKeyIdentifier
        return certificates.filter { candidate in
            candidate.subject.encoded == certificate.issuer.encoded && !(candidate == certificate)
                && (key == nil || candidate.subjectKeyIdentifier == nil || candidate.subjectKeyIdentifier == key)
        }
    }
}

extension Certificate {
    /// The identifier of the key that signed it (RFC 5280 §4.2.1.1).
    public var authorityKeyIdentifier: [UInt8]? {
        extensions.first { $0.identifier == ExtensionReader.authorityKeyIdentifier.identifier }
            .flatMap { try? ExtensionReader.authorityKeyIdentifier.read($0.value) }?.key
    }
}
