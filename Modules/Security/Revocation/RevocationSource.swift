internal import AirframeOpenSSL
internal import AirframeTransport
internal import Foundation
internal import HTTPTypes

/// Asks responders and fetches lists, over any transport, within limits, and keeps what it got.
struct RevocationSource: Sendable {
    let transport: any Transport
    /// The longest that one question may take.
    let limit: Duration
    let cache: RevocationCache

    private static let largestResponse = 64 * 1024
    private static let largestList = 16 * 1024 * 1024
    /// How many places are tried for one certificate: it is the certificate that names them.
    private static let mostPlaces = 3

    /// Asks the responders that the certificate names; whether one of them answered.
    func ask(about certificate: Certificate, issuer: Certificate, _ date: Date) async -> Bool {
        let exchange = OCSPExchange(certificate, issuer: issuer)
        guard let question = exchange.request() else { return false }
        for place in certificate.ocspResponders.prefix(Self.mostPlaces) {
            guard var request = Self.request(.post, to: place) else { continue }
            request.head.headerFields[.contentType] = "application/ocsp-request"
            request.head.headerFields[.accept] = "application/ocsp-response"
            request.body = .bytes(Data(question))
            guard let bytes = await fetch(request, atMost: Self.largestResponse),
                let answer = try? exchange.read(DER(bytes), time: Int(date.timeIntervalSince1970))
            else { continue }
            cache.keep(answer, about: certificate, issuer: issuer)
            return true
        }
        return false
    }

    /// The lists of the places that the certificate names.
    func lists(for certificate: Certificate, _ date: Date) async -> [CertificateRevocationList] {
        for place in certificate.crlDistributionPoints.prefix(Self.mostPlaces) {
            if let known = cache.lists(from: place, at: date) { return known }
            guard let request = Self.request(.get, to: place),
                let bytes = await fetch(request, atMost: Self.largestList)
            else { continue }
            let lists = CertificateRevocationList.lists(in: Data(bytes))
            guard !lists.isEmpty else { continue }
            cache.keep(lists, from: place)
            return lists
        }
        return []
    }

    /// A request in the clear: what comes back is signed, and over TLS the question would need this very answer
    /// (RFC 5280 §4.2.1.13).
    private static func request(_ method: HTTPRequest.Method, to place: String) -> TransportRequest? {
        guard let url = URLComponents(string: place), url.scheme?.lowercased() == "http", let host = url.host,
            !host.isEmpty, url.user == nil
        else { return nil }
        let authority = url.port.map { "\(host):\($0)" } ?? host
        let path = url.percentEncodedPath.isEmpty ? "/" : url.percentEncodedPath
        let query = url.percentEncodedQuery.map { "?\($0)" } ?? ""
        return TransportRequest(
            HTTPRequest(method: method, scheme: "http", authority: authority, path: path + query))
    }

    private func fetch(_ request: TransportRequest, atMost count: Int) async -> [UInt8]? {
        var request = request
        request.options.deadline = limit
        do {
            let response = try await transport.send(request)
            guard response.head.status == .ok else { return nil }
            return Array(try await response.body.collect(upTo: count))
        } catch {
            return nil
        }
    }
}
