public import AirframeCompression
public import AirframeTransport
internal import Foundation
public import HTTPTypes

/// A layer that compresses the content of every request while it is sent: data, files, forms and streams.
///
/// ```swift
/// let session = try Session(transport: RequestCompressionLayer(SocketTransport(), coding: .gzip))
/// ```
///
/// The compressed length is not known in advance, so HTTP/1.1 sends the content in chunks. Replayable content stays
/// replayable. Requests with a `Content-Encoding` or a `Content-Range` field pass unchanged.
public struct RequestCompressionLayer: TransportLayer {
    /// The wrapped transport.
    public let base: any Transport
    /// The content coding.
    public let coding: ContentCoding
    /// The compression level; the coding's default if `nil`.
    public let level: Int?
    /// The minimum length in bytes. Content that is known to be shorter is sent uncompressed.
    public let minimumLength: Int64
    /// A closure that decides by a request's head whether to compress its content.
    public let shouldCompress: @Sendable (HTTPRequest) -> Bool

    /// Wraps `base`.
    ///
    /// - Parameters:
    ///   - base: The transport to wrap.
    ///   - coding: The content coding, which the server must support.
    ///   - level: The compression level, in the coding's range; its default if `nil`.
    ///   - minimumLength: The minimum length in bytes. Content that is known to be shorter is sent uncompressed.
    ///   - shouldCompress: A closure that decides by a request's head whether to compress its content.
    /// - Throws: `ContentCodingError` for a level out of range.
    public init(
        _ base: any Transport,
        coding: ContentCoding,
        level: Int? = nil,
        minimumLength: Int64 = 1024,
        shouldCompress: @escaping @Sendable (HTTPRequest) -> Bool = { _ in true }
    ) throws(ContentCodingError) {
        _ = try ContentEncoder(coding, level: level)
        self.base = base
        self.coding = coding
        self.level = level
        self.minimumLength = minimumLength
        self.shouldCompress = shouldCompress
    }

    /// Sends `request` with compressed content.
    ///
    /// - Throws: ``TransportError/Code/bodyFailed`` if the content cannot be compressed; the errors of the transport
    ///   beneath.
    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        guard mayCompress(request) else { return try await base.send(request) }
        var request = request
        do {
            request.body = try request.body.coded(coding, level: level)
        } catch {
            throw TransportError(
                .bodyFailed,
                phase: .requestBody,
                processing: .notSent,
                message: "the request's content could not be compressed with \(coding)",
                underlying: error
            )
        }
        request.head.headerFields[.contentEncoding] = coding.rawValue
        request.head.headerFields[.contentLength] = nil
        return try await base.send(request)
    }

    private func mayCompress(_ request: TransportRequest) -> Bool {
        let fields = request.head.headerFields
        guard !request.body.isNone, fields[.contentEncoding] == nil, fields[.contentRange] == nil else { return false }
        if let length = request.body.length, length < minimumLength { return false }
        return shouldCompress(request.head)
    }
}
