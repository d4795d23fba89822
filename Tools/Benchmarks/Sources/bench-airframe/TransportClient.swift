import Airframe
import AirframeJSON
import Benchmark
import Foundation
import HTTPTypes

/// An engine without a session.
struct TransportClient: Sendable {
    private let settings: Settings
    private let transport: any Transport
    private let request: TransportRequest
    private let decoder = FastJSONDecoder()

    init(_ settings: Settings, _ transport: any Transport) throws {
        self.settings = settings
        self.transport = transport
        guard let url = URLComponents(string: settings.url), let scheme = url.scheme, let host = url.host else {
            refuse("\(settings.url) is not a URL")
        }
        let path = url.percentEncodedPath + (url.percentEncodedQuery.map { "?\($0)" } ?? "")
        let authority = url.port.map { "\(host):\($0)" } ?? host
        var head = HTTPRequest(method: .get, scheme: scheme, authority: authority, path: path)
        if settings.work == .newConnection { head.headerFields[.connection] = "close" }
        var body = RequestBody.none
        if settings.work == .upload, let file = settings.file {
            head.method = .put
            let attributes = try FileManager.default.attributesOfItem(atPath: file)
            body = .file(FileRegion(path: file, length: (attributes[.size] as? Int64) ?? 0))
        }
        request = TransportRequest(head, body: body, options: TransportOptions(settings))
    }

    func perform() async throws {
        let response = try await transport.send(request)
        var count = 0
        switch settings.work {
        case .json:
            let body = try await response.body.collect(upTo: 1 << 20)
            count = body.count
            _ = try decoder.decode(Sample.self, from: body)
        case .get, .newConnection, .upload:
            count = try await response.body.collect(upTo: 1 << 20).count
        case .downloadFile:
            refuse("an engine writes no files: ask for --work download")
        case .download:
            while let chunk = try await response.body.next() { count += chunk.count }
        }
        try UnexpectedResponse.check(status: response.status.code, count: count)
    }
}
