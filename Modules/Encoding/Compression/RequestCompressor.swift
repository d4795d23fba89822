public import AirframeCompression
public import AirframeCore
internal import AirframeTransport
public import Foundation

/// An interceptor that compresses request bodies (RFC 9110 §8.4) and sets `Content-Encoding`.
///
/// ```swift
/// AF.request(url, method: .post, parameters: report, encoder: .json, interceptor: .compressor(.gzip))
/// ```
///
/// The interceptor compresses the body of a `URLRequest`: data, or a stream, which is compressed while it is sent. The
/// content of uploads is not part of the `URLRequest`; ``RequestCompressionLayer`` compresses it. A server that does
/// not support the coding answers 415 (RFC 9110 §15.5.16).
public struct RequestCompressor: RequestInterceptor {
    /// The behaviour for a request that has a `Content-Encoding` field.
    public enum DuplicateHeaderBehavior: Sendable, Hashable {
        /// Fail it with a ``DuplicateHeaderError``.
        case error
        /// Compress the body and replace the field.
        case replace
        /// Leave the request as it is.
        case skip
    }

    /// An error for a request that has a `Content-Encoding` field.
    public struct DuplicateHeaderError: Error, Sendable, Hashable {}

    /// The content coding.
    public let coding: ContentCoding
    /// The compression level; the coding's default if `nil`.
    public let level: Int?
    /// The behaviour for a request that has a `Content-Encoding` field.
    public let duplicateHeaderBehavior: DuplicateHeaderBehavior
    /// A closure that decides whether to compress a body. It is not called for streams.
    public let shouldCompressBodyData: @Sendable (_ bodyData: Data) -> Bool

    /// Creates a compressor.
    ///
    /// - Parameters:
    ///   - coding: The content coding.
    ///   - level: The compression level, in the coding's range; its default if `nil`. One out of range fails requests.
    ///   - duplicateHeaderBehavior: The behaviour for a request that has a `Content-Encoding` field.
    ///   - shouldCompressBodyData: A closure that returns whether to compress a body.
    public init(
        _ coding: ContentCoding,
        level: Int? = nil,
        duplicateHeaderBehavior: DuplicateHeaderBehavior = .error,
        shouldCompressBodyData: @escaping @Sendable (_ bodyData: Data) -> Bool = { _ in true }
    ) {
        self.coding = coding
        self.level = level
        self.duplicateHeaderBehavior = duplicateHeaderBehavior
        self.shouldCompressBodyData = shouldCompressBodyData
    }

    /// Compresses the request's body if it has one.
    public func adapt(
        _ urlRequest: URLRequest,
        for session: Session,
        completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    ) {
        completion(Result { try compressing(urlRequest) })
    }

    private func compressing(_ urlRequest: URLRequest) throws -> URLRequest {
        guard let body = try codedBody(of: urlRequest) else { return urlRequest }
        var request = urlRequest
        switch body {
        case .data(let data): request.httpBody = data
        case .stream(let stream): request.httpBodyStream = stream
        }
        request.headers.update(.contentEncoding(coding.rawValue))
        // A `Content-Length` that was set before counts the uncompressed bytes.
        request.headers.remove(name: "Content-Length")
        return request
    }

    private enum Coded {
        case data(Data)
        case stream(InputStream)
    }

    private func codedBody(of request: URLRequest) throws -> Coded? {
        if let data = request.httpBody {
            guard shouldCompressBodyData(data), try mayCompress(request) else { return nil }
            return .data(try coding.encoded(data, level: level))
        }
        guard let stream = request.httpBodyStream, try mayCompress(request) else { return nil }
        return .stream(
            BodyInputStream(try RequestBody.upload(stream, declaredLength: nil).coded(coding, level: level)))
    }

    private func mayCompress(_ request: URLRequest) throws -> Bool {
        guard request.headers.value(for: "Content-Encoding") != nil else { return true }
        switch duplicateHeaderBehavior {
        case .error: throw DuplicateHeaderError()
        case .replace: return true
        case .skip: return false
        }
    }
}

extension RequestCompressor.DuplicateHeaderError: LocalizedError {
    /// A description of the error.
    public var errorDescription: String? {
        "The request has a Content-Encoding field, so its body was not compressed again"
    }
}

extension RequestInterceptor where Self == RequestCompressor {
    /// Returns a compressor of request bodies.
    ///
    /// - Parameters:
    ///   - coding: The content coding.
    ///   - level: The compression level, in the coding's range; its default if `nil`.
    ///   - duplicateHeaderBehavior: The behaviour for a request that has a `Content-Encoding` field.
    ///   - shouldCompressBodyData: A closure that returns whether to compress a body.
    public static func compressor(
        _ coding: ContentCoding,
        level: Int? = nil,
        duplicateHeaderBehavior: RequestCompressor.DuplicateHeaderBehavior = .error,
        shouldCompressBodyData: @escaping @Sendable (_ bodyData: Data) -> Bool = { _ in true }
    ) -> RequestCompressor {
        RequestCompressor(
            coding,
            level: level,
            duplicateHeaderBehavior: duplicateHeaderBehavior,
            shouldCompressBodyData: shouldCompressBodyData
        )
    }
}
