import Airframe
import Benchmark
import Foundation
import HTTPTypes

/// The cache layer without a session.
struct LayerClient: Sendable {
    /// A transport that answers immediately, with as many bytes as the server's file.
    static let instant: any Transport = {
        let content = Data(repeating: 0x78, count: 1024)
        return ClosureTransport { request in
            let head = HTTPResponse(
                status: .ok,
                headerFields: [
                    .server: "nginx", .date: "Mon, 23 Nov 2026 06:00:00 GMT", .contentType: "application/json",
                    .contentLength: "1024", .lastModified: "Mon, 23 Nov 2026 06:00:00 GMT",
                    .connection: "keep-alive", .eTag: "\"6a1f-400\"", .acceptRanges: "bytes",
                ])
            return TransportResponse(head: head, body: ResponseBody(content), request: request.head)
        }
    }()

    private let transport: any Transport
    private let head: HTTPRequest
    private let paths: Numbers

    init(_ url: String, _ stored: BenchCache.Stored, _ folder: URL, over engine: any Transport) throws {
        let fresh = FreshnessLayer(base: engine, stored: stored)
        transport = stored.makeStore(folder).map { CacheLayer(fresh, store: $0) } ?? fresh
        guard let parts = URLComponents(string: url), let host = parts.host else { refuse("\(url) is not a URL") }
        let authority = parts.port.map { "\(host):\($0)" } ?? host
        head = HTTPRequest(method: .get, scheme: "http", authority: authority, path: parts.percentEncodedPath)
        paths = Numbers(parts.percentEncodedPath, changes: stored == .store)
    }

    func perform() async throws {
        var request = TransportRequest(head)
        request.head.path = paths.next()
        let response = try await transport.send(request)
        let count = try await response.body.collect(upTo: 1 << 20).count
        try UnexpectedResponse.check(status: response.head.status.code, count: count)
    }
}
