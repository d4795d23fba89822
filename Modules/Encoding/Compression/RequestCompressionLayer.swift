public import AirframeCompression
public import AirframeTransport
internal import Foundation
public import HTTPTypes

/// Compresses the content of every request that goes through it: data, files, forms and streams, while they are sent.
///
/// ```swift
/// let session = Session(transport: RequestCompressionLayer(SocketTransport(), coding: .gzip))
/// ```
///
/// The coded length is not known beforehand, so HTTP/1.1 sends the content in chunks. How often content can be sent
/// stays as it was. Requests that name a coding already, or send a part of something (`Content-Range`), pass untouched.
public struct RequestCompressionLayer: TransportLayer {
    /// The transport beneath.
    public let base: any Transport
    /// The coding.
    public let coding: ContentCoding
    /// How hard to try; the coding's default if `nil`.
    public let level: Int?
    /// Content known to be shorter than this number of bytes is sent as it is.
    public let minimumLength: Int64
    /// Whether to compress a request's content, by its head.
    public let shouldCompress: @Sendable (HTTPRequest) -> Bool

    /// Wraps `base`.
    ///
    /// - Parameters:
    ///   - base: The transport to send through.
    ///   - coding: The coding, which the server must know.
    ///   - level: How hard to try, within the coding's levels; its default if `nil`.
    ///   - minimumLength: Content known to be shorter than this number of bytes is sent as it is.
    ///   - shouldCompress: Whether to compress a request's content, by its head.
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

    /// Sends `request`, its content compressed.
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
