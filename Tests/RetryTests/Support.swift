import AirframeConformance
import AirframeCurl
import AirframeSocket
import AirframeTransport
import FoundationEssentials
import HTTPTypes
import Testing

/// The engines that the tests run over.
enum TestedEngine: String, CaseIterable, CustomTestStringConvertible {
    case curl
    case sockets

    var testDescription: String { rawValue }

    var transport: any Transport {
        switch self {
        case .curl: CurlTransport()
        case .sockets: SocketTransport()
        }
    }
}

extension TransportRequest {
    /// A request without a proxy.
    static func to(
        _ url: String,
        _ method: HTTPRequest.Method = .get,
        body: RequestBody = .none,
        events: (any TransportEventSink)? = nil
    ) -> TransportRequest {
        let parts = url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        let head = HTTPRequest(
            method: method,
            scheme: String(parts[0].dropLast()),
            authority: String(parts[2]),
            path: "/" + (parts.count > 3 ? parts[3] : "")
        )
        var request = TransportRequest(head, body: body, events: events)
        request.options.proxy = ProxyPolicy.none
        return request
    }
}

extension Transport {
    /// Sends a request and reads the response as text.
    func text(_ request: TransportRequest) async throws(TransportError) -> String {
        String(decoding: try await send(request).body.collect(upTo: 1 << 24), as: UTF8.self)
    }
}
