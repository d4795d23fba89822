internal import AirframeTransport
internal import Foundation
internal import HTTPTypes

/// Fetches the resources that certificates refer to: OCSP responses, CRLs and certificates of issuers.
///
/// Over `http`: the resources are signed, and with TLS the fetch could depend on its own result (RFC 5280 §4.2.1.13).
struct ClearFetch: Sendable {
    /// The reason why a fetch failed: a sentence with the URL.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    let transport: any Transport
    /// The maximum duration of one exchange.
    let limit: Duration

    /// Returns the bytes at `place`.
    func get(_ place: String, atMost count: Int) async throws(Failure) -> [UInt8] {
        try await send(try Self.request(.get, to: place), place, atMost: count)
    }

    /// Returns the response of `place` to an OCSP request (RFC 6960 appendix A.1).
    func ask(_ place: String, _ question: [UInt8], atMost count: Int) async throws(Failure) -> [UInt8] {
        var request = try Self.request(.post, to: place)
        request.head.headerFields[.contentType] = "application/ocsp-request"
        request.head.headerFields[.accept] = "application/ocsp-response"
        request.body = .bytes(Data(question))
        return try await send(request, place, atMost: count)
    }

    private static func request(_ method: HTTPRequest.Method, to place: String) throws(Failure) -> TransportRequest {
        guard let url = URLComponents(string: place), url.scheme?.lowercased() == "http", let host = url.host,
            !host.isEmpty, url.user == nil
        else { throw Failure(description: "\(place.debugDescription) is not queried: it is not an address under http") }
        let authority = url.port.map { "\(host):\($0)" } ?? host
        let path = url.percentEncodedPath.isEmpty ? "/" : url.percentEncodedPath
        let query = url.percentEncodedQuery.map { "?\($0)" } ?? ""
        return TransportRequest(
            HTTPRequest(method: method, scheme: "http", authority: authority, path: path + query))
    }

    private func send(
        _ request: TransportRequest,
        _ place: String,
        atMost count: Int
    ) async throws(Failure) -> [UInt8] {
        var request = request
        request.options.deadline = limit
        let status: HTTPResponse.Status
        let content: Data
        do throws(TransportError) {
            let response = try await transport.send(request)
            status = response.head.status
            content = status == .ok ? try await response.body.collect(upTo: count) : Data()
        } catch {
            throw Failure(description: "\(place) gave no answer: \(error)")
        }
        guard status == .ok else { throw Failure(description: "\(place) answered with status \(status.code)") }
        return Array(content)
    }
}
