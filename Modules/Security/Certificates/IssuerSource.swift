internal import AirframeOpenSSL
internal import Foundation

/// Finds the certificate of an issuer at the URLs in a certificate.
struct IssuerSource: Sendable {
    let fetch: ClearFetch
    let cache: IssuerCache

    private static let largestFile = 64 * 1024
    /// The maximum number of URLs to try for one certificate, whose author is not trusted.
    private static let mostPlaces = 3

    /// Returns the issuer if it was fetched before. An expired one is ignored, because its URL may have a newer one.
    func known(issuerOf certificate: Certificate) -> Certificate? {
        let now = Date()
        return certificate.issuerLocations.prefix(Self.mostPlaces).lazy.compactMap { place in
            cache.certificates(from: place)?.first { $0.notAfter >= now && certificate.isSigned(by: $0) }
        }.first
    }

    /// Returns the issuer: a certificate whose key signed `certificate`.
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
    /// Returns whether `issuer` has the issuer's name, and its key signed the certificate.
    func isSigned(by issuer: Certificate) -> Bool {
        self.issuer.encoded == issuer.subject.encoded && reference.isSigned(by: issuer.reference)
    }
}
