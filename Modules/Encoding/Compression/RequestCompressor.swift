public import AirframeCompression
public import AirframeCore
internal import AirframeTransport
public import Foundation

/// Compresses the bodies of requests (RFC 9110 §8.4), and says so in `Content-Encoding`.
///
/// ```swift
/// AF.request(url, method: .post, parameters: report, encoder: .json, interceptor: .compressor(.gzip))
/// ```
///
/// It works on what a `URLRequest` carries: data, or a stream, which is compressed while it is sent. Uploads keep their
/// content apart from the `URLRequest`; ``RequestCompressionLayer`` reaches them. Not every server takes coded requests:
/// one that does not answers 415 (RFC 9110 §15.5.16).
public struct RequestCompressor: RequestInterceptor {
    /// What to do with a request that names a coding already.
    public enum DuplicateHeaderBehavior: Sendable, Hashable {
        /// Fail it with a ``DuplicateHeaderError``.
        case error
        /// Compress the body and replace the field.
        case replace
        /// Leave the request as it is.
        case skip
    }

    /// A request names a coding already.
    public struct DuplicateHeaderError: Error, Sendable, Hashable {}

    /// The coding.
    public let coding: ContentCoding
    /// How hard to try; the coding's default if `nil`.
    public let level: Int?
    /// What to do with a request that has a `Content-Encoding` field.
    public let duplicateHeaderBehavior: DuplicateHeaderBehavior
    /// Whether to compress a body. It is not asked about streams.
    public let shouldCompressBodyData: @Sendable (_ bodyData: Data) -> Bool

    /// Makes a compressor.
    ///
    /// - Parameters:
    ///   - coding: The coding.
    ///   - level: How hard to try, within the coding's levels; its default if `nil`. One out of range fails requests.
    ///   - duplicateHeaderBehavior: What to do with a request that has a `Content-Encoding` field.
    ///   - shouldCompressBodyData: Whether to compress a body.
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

    /// Compresses the request's body, if it has one.
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
        // Whoever counted, counted the bytes before.
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
            BodyInputStream(try RequestBody.oneShot(length: nil, stream: stream).coded(coding, level: level)))
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
    /// The error as a sentence.
    public var errorDescription: String? {
        "The request has a Content-Encoding already, so its body was not compressed once more."
    }
}

extension RequestInterceptor where Self == RequestCompressor {
    /// Compresses the bodies of requests.
    ///
    /// - Parameters:
    ///   - coding: The coding.
    ///   - level: How hard to try, within the coding's levels; its default if `nil`.
    ///   - duplicateHeaderBehavior: What to do with a request that has a `Content-Encoding` field.
    ///   - shouldCompressBodyData: Whether to compress a body.
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
