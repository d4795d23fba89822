public import AirframeCore
public import Foundation

/// A serializer that returns the location of the downloaded file.
public struct URLResponseSerializer: DownloadResponseSerializerProtocol {
    /// Creates a serializer.
    public init() {}

    /// Returns the URL of the downloaded file.
    ///
    /// - Parameters:
    ///   - request: The request that was sent.
    ///   - response: The head of the response.
    ///   - fileURL: The downloaded file.
    ///   - error: The error of the request, which is thrown again.
    /// - Throws: `error`; ``AFError/responseSerializationFailed(reason:)`` if there is no file.
    public func serializeDownload(
        request: URLRequest?,
        response: HTTPURLResponse?,
        fileURL: URL?,
        error: (any Error)?
    ) throws -> URL {
        if let error { throw error }
        guard let fileURL else { throw AFError.responseSerializationFailed(reason: .inputFileNil) }
        return fileURL
    }
}

extension DownloadResponseSerializerProtocol where Self == URLResponseSerializer {
    /// A serializer that returns the location of the downloaded file.
    public static var url: URLResponseSerializer { URLResponseSerializer() }
}
