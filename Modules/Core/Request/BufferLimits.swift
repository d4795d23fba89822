internal import AirframeTransport
internal import Foundation
internal import HTTPTypes

/// The limits on response bodies that are buffered in memory.
struct BufferLimits: Sendable {
    /// The maximum number of bytes of a body.
    let size: Int64?
    /// The maximum number of decoded bytes of a body that was sent with a content coding.
    let decodedSize: Int64?

    init(_ configuration: URLSessionConfiguration) {
        size = configuration.maximumBufferedBodySize.map { Int64(max(0, $0)) }
        decodedSize = configuration.maximumBufferedDecodedBodySize.map { Int64(max(0, $0)) }
    }

    /// Returns the limit for a response, or `nil` if there is none.
    func limit(for response: TransportResponse) -> BufferLimit? {
        let plain = size.map { BufferLimit(size: $0, option: "maximumBufferedBodySize") }
        guard let decodedSize, response.isDecoded, decodedSize < size ?? .max else { return plain }
        return BufferLimit(size: decodedSize, option: "maximumBufferedDecodedBodySize")
    }
}

/// A limit, and the option of the session's configuration that sets it.
struct BufferLimit: Sendable {
    let size: Int64
    let option: String

    /// Whether a body is known to stay within the limit: the engine holds it to its announced length.
    func admits(_ body: ResponseBody) -> Bool { body.expectedLength.map { $0 <= size } ?? false }

    /// Returns the error for a body that exceeds the limit.
    ///
    /// - Parameters:
    ///   - announced: The length in the response's head, or `nil` if the received bytes exceeded the limit.
    ///   - url: The URL.
    func failure(announced: Int64? = nil, url: URL?) -> AFError {
        let place = url.map { Redaction.url($0.absoluteString) } ?? "unknown URL"
        let length = announced.map { "has \($0) bytes" } ?? "is longer"
        let error = TransportError(
            .bodyTooLarge,
            phase: .responseBody,
            processing: .unknown,
            message: "the response body from \(place) \(length), and at most \(size) bytes are buffered in memory "
                + "(URLSessionConfiguration.\(option)); use a download or a stream, or raise the limit"
        )
        return .transport(error, url: url)
    }
}

extension TransportResponse {
    /// Whether a layer decoded the body.
    fileprivate var isDecoded: Bool {
        guard let receivedHead else { return false }
        return receivedHead.headerFields.has(.contentEncoding) && !head.headerFields.contains(.contentEncoding)
    }
}
