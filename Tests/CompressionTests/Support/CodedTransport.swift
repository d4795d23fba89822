import AirframeCompression
import AirframeTransport
import FoundationEssentials
import HTTPTypes
import Synchronization

/// A transport that answers with one head and the chunks of one body, and records the request.
final class CodedTransport: Transport {
    let capabilities = TransportCapabilities(engine: "coded", features: TransportFeatures(rawValue: .max))
    let body: ChunkedBody
    private let status: Int
    private let fields: HTTPFields
    private let sent = Mutex<[HTTPFields]>([])

    /// - Parameters:
    ///   - coding: The value of `Content-Encoding`.
    ///   - body: The bytes that follow the head.
    init(status: Int = 200, coding: String?, length: Int? = nil, body: ChunkedBody) {
        self.status = status
        self.body = body
        var fields: HTTPFields = [.contentType: "text/plain", .eTag: "\"1\""]
        fields[.contentEncoding] = coding
        fields[.contentLength] = length.map { "\($0)" }
        self.fields = fields
    }

    convenience init(status: Int = 200, coding: String?, _ bytes: [UInt8]) {
        self.init(status: status, coding: coding, length: bytes.count, body: ChunkedBody([bytes]))
    }

    /// The fields of the last request.
    var lastFields: HTTPFields { sent.withLock { $0.last ?? [:] } }

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        sent.withLock { $0.append(request.head.headerFields) }
        body.report(to: request)
        let head = HTTPResponse(status: .init(code: status), headerFields: fields)
        return TransportResponse(head: head, body: ResponseBody(body), request: request.head)
    }
}

/// A body in chunks that counts the pulled chunks and records cancellation.
final class ChunkedBody: ResponseBodySource {
    private let chunks: Mutex<[[UInt8]]>
    private let counts = Mutex((taken: 0, cancelled: 0))
    private let request = Mutex<TransportRequest?>(nil)
    let trailers: HTTPFields?

    init(_ chunks: [[UInt8]], trailers: HTTPFields? = nil) {
        self.chunks = Mutex(chunks)
        self.trailers = trailers
    }

    var taken: Int { counts.withLock { $0.taken } }
    var cancelled: Int { counts.withLock { $0.cancelled } }

    func next() async throws(TransportError) -> Data? {
        let chunk = chunks.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        guard let chunk else {
            report(.released(.kept))
            return nil
        }
        report(.responseBodyReceived(byteCount: Int64(chunk.count), total: 0))
        counts.withLock { $0.taken += 1 }
        return Data(chunk)
    }

    func cancel() {
        counts.withLock { $0.cancelled += 1 }
        report(.failed(.cancelled(in: .responseBody, processing: .unknown)))
    }

    func report(to request: TransportRequest) { self.request.withLock { $0 = request } }

    private func report(_ kind: TransportEvent.Kind) {
        request.withLock { $0 }?.report(kind, on: SystemClock.shared)
    }
}

extension TransportRequest {
    static func plain(_ method: HTTPRequest.Method = .get, fields: HTTPFields = [:]) -> TransportRequest {
        let head = HTTPRequest(method: method, scheme: "http", authority: "api.test", path: "/", headerFields: fields)
        return TransportRequest(head)
    }
}

/// The head and the whole body of a response after a layer.
struct DecodingOutcome {
    let response: TransportResponse
    let body: [UInt8]

    var fields: HTTPFields { response.head.headerFields }
}

extension Transport {
    func outcome(of request: TransportRequest = .plain()) async throws -> DecodingOutcome {
        let response = try await send(request)
        return DecodingOutcome(response: response, body: Array(try await response.body.collect(upTo: 64 << 20)))
    }
}
