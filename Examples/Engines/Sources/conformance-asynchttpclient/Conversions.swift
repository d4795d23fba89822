import AirframeTransport
import AsyncHTTPClient
import Foundation
import HTTPTypes
import NIOCore
import NIOFoundationCompat
import NIOHTTP1
import NIOPosix

extension HTTPClientRequest {
    init(_ request: TransportRequest, _ upload: Upload?) {
        let head = request.head
        self.init(url: "\(head.scheme ?? "")://\(head.authority ?? "")\(head.path ?? "/")")
        method = HTTPMethod(rawValue: head.method.rawValue)
        for field in head.headerFields { headers.add(name: field.name.rawName, value: field.value) }
        switch request.body.content {
        case .none: break
        case .bytes(let data): body = .bytes(ByteBuffer(data: data))
        case .file, .stream:
            if let upload { body = .stream(upload, length: request.body.length.map { .known($0) } ?? .unknown) }
        }
    }
}

/// The source of a request's body as the sequence that AsyncHTTPClient pulls when the connection can take more.
struct Upload: AsyncSequence, Sendable {
    let source: any RequestBodySource

    /// - Returns: `nil` for a body that is in memory.
    init?(_ body: RequestBody) throws {
        switch body.content {
        case .none, .bytes: return nil
        case .file(let region):
            do { source = try FileSource(region) } catch { throw UploadFailure(underlying: error) }
        // It throws for a body that can be read once and was read before.
        case .stream(let stream): source = try stream.makeSource()
        }
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        let source: any RequestBodySource

        mutating func next() async throws -> ByteBuffer? {
            do {
                return try await source.next().map { ByteBuffer(data: $0) }
            } catch {
                throw UploadFailure(underlying: error)
            }
        }
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(source: source) }
}

/// The error of a source, told apart from those of the connection.
struct UploadFailure: Error {
    let underlying: any Error
}

/// A region of a file, read in pieces. An actor, because a file handle has a position.
private actor FileSource: RequestBodySource {
    private let file: FileHandle
    private var rest: Int64

    init(_ region: AirframeTransport.FileRegion) throws {
        file = try FileHandle(forReadingFrom: URL(filePath: region.path))
        try file.seek(toOffset: UInt64(region.offset))
        rest = region.length
    }

    func next() throws -> Data? {
        guard rest > 0, let data = try file.read(upToCount: Int(min(rest, 256 << 10))) else { return nil }
        rest -= Int64(data.count)
        return data
    }
}

extension TransportError {
    /// The words of AsyncHTTPClient, in the terms of the transport.
    ///
    /// `processing` stays unknown wherever bytes of the request may have left: a retry must not repeat what the server
    /// did.
    init(_ error: any Error, in phase: TransportPhase, for request: TransportRequest) {
        if let error = error as? TransportError {
            self = error
            return
        }
        let (code, phase): (Code, TransportPhase) =
            switch error {
            case is CancellationError: (.cancelled, phase)
            case is UploadFailure: (.bodyFailed, .requestBody)
            case let error as NIOConnectionError where error.dnsAError != nil: (.nameResolutionFailed, .resolve)
            case is NIOConnectionError: (.connectFailed, .connect)
            case let error as IOError where error.errnoCode == ECONNREFUSED: (.connectFailed, .connect)
            case HTTPParserError.invalidEOFState: (phase == .responseBody ? .bodyTruncated : .connectionLost, phase)
            case HTTPParserError.headerOverflow: (.headTooLarge, phase)
            case is HTTPParserError: (.malformedResponse, phase)
            case let error as HTTPClientError: error.codeAndPhase(in: phase)
            default: (.connectionLost, phase)
            }
        let isSent = [.requestBody, .responseHead, .responseBody].contains(phase)
        self.init(
            code, phase: phase, processing: isSent ? .unknown : .notSent, message: "\(error)",
            origin: Origin(request.head), underlying: (error as? UploadFailure)?.underlying ?? error)
    }
}

extension HTTPClientError {
    fileprivate func codeAndPhase(in phase: TransportPhase) -> (TransportError.Code, TransportPhase) {
        switch self {
        case .cancelled: (.cancelled, phase)
        case .bodyLengthMismatch: (.bodyLengthMismatch, .requestBody)
        case .alreadyShutdown: (.transportShutDown, .pool)
        case .connectTimeout: (.connectFailed, .connect)
        case .invalidURL, .emptyHost, .emptyScheme, .traceRequestWithBody: (.invalidRequest, .options)
        // These two have values, which only their descriptions show.
        case _ where description.contains("unsupportedScheme"): (.unsupportedScheme, .options)
        case _ where description.contains("invalidHeaderField"): (.invalidRequest, .options)
        default: (phase == .responseBody ? .bodyTruncated : .connectionLost, phase)
        }
    }
}

extension HTTPHeaders {
    var length: Int64? { first(name: "Content-Length").flatMap { Int64($0) } }
}

extension HTTPFields {
    init(_ headers: HTTPHeaders) {
        self.init()
        for (name, value) in headers {
            if let name = HTTPField.Name(name) { append(HTTPField(name: name, value: value)) }
        }
    }
}
