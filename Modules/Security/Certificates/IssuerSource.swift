internal import AirframeOpenSSL
internal import Foundation

/// Finds the certificate of an issuer at the places that a certificate names.
struct IssuerSource: Sendable {
    let fetch: ClearFetch
    let cache: IssuerCache

    private static let largestFile = 64 * 1024
    /// How many places are tried for one certificate: it is the certificate that names them.
    private static let mostPlaces = 3

    /// The issuer, if it was fetched before. One that has expired may have been renewed at its place.
    func known(issuerOf certificate: Certificate) -> Certificate? {
        let now = Date()
        return certificate.issuerLocations.prefix(Self.mostPlaces).lazy.compactMap { place in
            cache.certificates(from: place)?.first { $0.notAfter >= now && certificate.isSigned(by: $0) }
        }.first
    }

    /// The issuer: only a certificate whose key has signed `certificate` is one.
    func issuer(of certificate: Certificate) async -> Certificate? {
        if let known = known(issuerOf: certificate) { return known }
        for place in certificate.issuerLocations.prefix(Self.mostPlaces) {
            guard let bytes = try? await fetch.get(place, atMost: Self.largestFile) else { continue }
            let found = CertificateBundle.certificates(in: Data(bytes))
            guard let issuer = found.first(where: { certificate.isSigned(by: $0) }) else { continue }
            cache.keep([issuer], from: place)
            return issuer
        }
        return nil
    }
}

extension Certificate {
    /// Whether `issuer` bears the issuer's name, and its key has signed it.
    func isSigned(by issuer: Certificate) -> Bool {
        self.issuer.encoded == issuer.subject.encoded && reference.isSigned(by: issuer.reference)
    }
}
