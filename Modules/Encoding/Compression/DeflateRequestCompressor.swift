internal import AirframeCompression
public import AirframeCore
public import Foundation

/// Compresses the data in requests' bodies in the zlib format, which HTTP calls `deflate` (RFC 9110 §8.4.1.2).
///
/// Alamofire's compressor. ``RequestCompressor`` knows other codings, and streams.
public struct DeflateRequestCompressor: RequestInterceptor {
    /// What to do with a request that names a coding already.
    public typealias DuplicateHeaderBehavior = RequestCompressor.DuplicateHeaderBehavior

    /// A request names a coding already.
    public typealias DuplicateHeaderError = RequestCompressor.DuplicateHeaderError

    /// What to do with a request that has a `Content-Encoding` field.
    public let duplicateHeaderBehavior: DuplicateHeaderBehavior
    /// Whether to compress a body.
    public let shouldCompressBodyData: @Sendable (_ bodyData: Data) -> Bool

    /// Makes a compressor.
    ///
    /// - Parameters:
    ///   - duplicateHeaderBehavior: What to do with a request that has a `Content-Encoding` field.
    ///   - shouldCompressBodyData: Whether to compress a body.
    public init(
        duplicateHeaderBehavior: DuplicateHeaderBehavior = .error,
        shouldCompressBodyData: @escaping @Sendable (_ bodyData: Data) -> Bool = { _ in true }
    ) {
        self.duplicateHeaderBehavior = duplicateHeaderBehavior
        self.shouldCompressBodyData = shouldCompressBodyData
    }

    /// Compresses the request's body, if it is data.
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
    /// Compresses every request's body, and fails requests that name a coding already.
    public static var deflateCompressor: DeflateRequestCompressor { DeflateRequestCompressor() }

    /// Compresses requests' bodies in the zlib format.
    ///
    /// - Parameters:
    ///   - duplicateHeaderBehavior: What to do with a request that has a `Content-Encoding` field.
    ///   - shouldCompressBodyData: Whether to compress a body.
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
