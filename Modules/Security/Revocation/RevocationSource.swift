internal import AirframeOpenSSL
internal import AirframeTransport
internal import Foundation

/// Queries OCSP responders and fetches CRLs over any transport, within limits, and caches the verified results.
struct RevocationSource: Sendable {
    private let fetch: ClearFetch
    let cache: RevocationCache

    /// - Parameter limit: The maximum duration of one query.
    init(transport: any Transport, limit: Duration, cache: RevocationCache) {
        fetch = ClearFetch(transport: transport, limit: limit)
        self.cache = cache
    }

    /// The result of the queries about one certificate.
    enum QueryResult {
        /// A responder's answer. The cache may drop it before it is used: it was accepted within the allowed clock
        /// skew, or it has expired and says "revoked".
        case answered(OCSPExchange.Answer)
        case lists([CertificateRevocationList])
        /// No usable answer, with a sentence for each URL.
        case nothing([String])
    }

    private static let largestResponse = 64 * 1024
    private static let largestList = 16 * 1024 * 1024
    /// The maximum number of URLs to try for one certificate, whose author is not trusted.
    private static let mostPlaces = 3

    /// Queries the responders that the certificate names, until one answers.
    func ask(about certificate: Certificate, issuer: Certificate, _ date: Date) async -> QueryResult {
        let exchange = OCSPExchange(certificate, issuer: issuer)
        guard let question = exchange.request() else { return .nothing(["no OCSP request can be made for it"]) }
        var reasons: [String] = []
        for place in certificate.ocspResponders.prefix(Self.mostPlaces) {
            do throws(ClearFetch.Failure) {
                let bytes = try await fetch.ask(place, question, atMost: Self.largestResponse)
                let answer = try Self.read(bytes, by: exchange, from: place, date)
                guard answer.status != .unknown else {
                    // Another responder, or a list, may know it.
                    throw ClearFetch.Failure(description: "\(place): the OCSP responder does not know it")
                }
                cache.keep(answer, about: certificate, issuer: issuer, verifiedAt: date)
                return .answered(answer)
            } catch {
                reasons.append(error.description)
            }
        }
        return .nothing(reasons.isEmpty ? ["it names no OCSP responder"] : reasons)
    }

    private static func read(
        _ bytes: [UInt8],
        by exchange: OCSPExchange,
        from place: String,
        _ date: Date
    ) throws(ClearFetch.Failure) -> OCSPExchange.Answer {
        do throws(OCSPExchange.Failure) {
            return try exchange.read(DER(bytes), time: date.wholeSeconds)
        } catch {
            throw ClearFetch.Failure(description: "\(place): \(error)")
        }
    }

    /// Returns the CRLs at the first of the certificate's URLs whose lists decide on the certificate.
    func lists(_ verification: ListVerification, _ date: Date) async -> QueryResult {
        let issuer = verification.issuer
        var reasons: [String] = []
        for place in verification.certificate.crlDistributionPoints.prefix(Self.mostPlaces) {
            if let known = cache.lists(from: place, issuer: issuer, at: date) { return .lists(known) }
            do throws(ClearFetch.Failure) {
                let bytes = try await fetch.get(place, atMost: Self.largestList)
                let lists = CertificateRevocationList.lists(in: Data(bytes))
                guard !lists.isEmpty else { throw ClearFetch.Failure(description: "\(place) holds no CRL") }
                switch verification.verify(lists) {
                case .valid(let lists):
                    cache.keep(lists, from: place, issuer: issuer, verifiedAt: date)
                    return .lists(lists)
                case .revoking(let lists): return .lists(lists)
                case .useless(let reason): throw ClearFetch.Failure(description: "\(place): \(reason)")
                }
            } catch {
                reasons.append(error.description)
            }
        }
        return .nothing(reasons.isEmpty ? ["it names no place of a CRL"] : reasons)
    }
}
