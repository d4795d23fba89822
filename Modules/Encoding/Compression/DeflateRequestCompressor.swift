internal import AirframeCompression
public import AirframeCore
public import Foundation

/// An interceptor that compresses request bodies in the zlib format, which HTTP calls `deflate` (RFC 9110 §8.4.1.2).
///
/// Alamofire's compressor. ``RequestCompressor`` supports other codings and streams.
public struct DeflateRequestCompressor: RequestInterceptor {
    /// The behaviour for a request that has a `Content-Encoding` field.
    public typealias DuplicateHeaderBehavior = RequestCompressor.DuplicateHeaderBehavior

    /// An error for a request that has a `Content-Encoding` field.
    public typealias DuplicateHeaderError = RequestCompressor.DuplicateHeaderError

    /// The behaviour for a request that has a `Content-Encoding` field.
    public let duplicateHeaderBehavior: DuplicateHeaderBehavior
    /// Whether to compress a body.
    public let shouldCompressBodyData: @Sendable (_ bodyData: Data) -> Bool

    /// Creates a compressor.
    ///
    /// - Parameters:
    ///   - duplicateHeaderBehavior: The behaviour for a request that has a `Content-Encoding` field.
    ///   - shouldCompressBodyData: A closure that returns whether to compress a body.
    public init(
        duplicateHeaderBehavior: DuplicateHeaderBehavior = .error,
        shouldCompressBodyData: @escaping @Sendable (_ bodyData: Data) -> Bool = { _ in true }
    ) {
        self.duplicateHeaderBehavior = duplicateHeaderBehavior
        self.shouldCompressBodyData = shouldCompressBodyData
    }

    /// Compresses the request's body if it is data.
    public func adapt(
        _ urlRequest: URLRequest,
        for session: Session,
        completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    ) {
        guard urlRequest.httpBody != nil else { return completion(.success(urlRequest)) }
        let compressor = RequestCompressor(
            .deflate,
            duplicateHeaderBehavior: duplicateHeaderBehavior,
            shouldCompressBodyData: shouldCompressBodyData
        )
        compressor.adapt(urlRequest, for: session, completion: completion)
    }
}

extension RequestInterceptor where Self == DeflateRequestCompressor {
    /// A compressor that compresses every body and fails requests that have a `Content-Encoding` field.
    public static var deflateCompressor: DeflateRequestCompressor { DeflateRequestCompressor() }

    /// Returns a compressor of request bodies in the zlib format.
    ///
    /// - Parameters:
    ///   - duplicateHeaderBehavior: The behaviour for a request that has a `Content-Encoding` field.
    ///   - shouldCompressBodyData: A closure that returns whether to compress a body.
    public static func deflateCompressor(
        duplicateHeaderBehavior: DeflateRequestCompressor.DuplicateHeaderBehavior = .error,
        shouldCompressBodyData: @escaping @Sendable (_ bodyData: Data) -> Bool = { _ in true }
    ) -> DeflateRequestCompressor {
        DeflateRequestCompressor(
            duplicateHeaderBehavior: duplicateHeaderBehavior,
            shouldCompressBodyData: shouldCompressBodyData
        )
    }
}
