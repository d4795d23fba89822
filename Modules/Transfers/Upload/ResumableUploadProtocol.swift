/// The protocol that resumes an upload.
public enum ResumableUploadProtocol: Codable, Sendable, Hashable {
    /// Resumable uploads for HTTP (draft-ietf-httpbis-resumable-upload) in the interop versions 6 and 3, which Apple's
    /// URLSession and swift-nio-extras support. A server without support receives an ordinary upload.
    case ietf
    /// tus 1.0 (https://tus.io/protocols/resumable-upload): the URL is that of the server's creation endpoint.
    case tus(TusOptions = TusOptions())
}

/// Options of an upload by tus beyond the core protocol.
public struct TusOptions: Codable, Sendable, Hashable {
    /// The keys and values of `Upload-Metadata`, such as `filename`.
    public var metadata: [String: String]
    /// The maximum number of bytes of one request; `nil` for no limit.
    public var pieceLength: Int64?
    /// Whether each request has a checksum (extension `checksum`). The default piece length is 8 MiB then.
    public var sendsChecksums: Bool
    /// The number of parts to upload concurrently and concatenate (extension `concatenation`).
    public var parallelParts: Int

    /// Creates options.
    ///
    /// - Parameters:
    ///   - metadata: The keys and values of `Upload-Metadata`.
    ///   - pieceLength: The maximum number of bytes of one request; `nil` for no limit.
    ///   - sendsChecksums: Whether each request has a checksum.
    ///   - parallelParts: The number of parts to upload concurrently.
    public init(
        metadata: [String: String] = [:],
        pieceLength: Int64? = nil,
        sendsChecksums: Bool = false,
        parallelParts: Int = 1
    ) {
        self.metadata = metadata
        self.pieceLength = pieceLength
        self.sendsChecksums = sendsChecksums
        self.parallelParts = parallelParts
    }

    /// The maximum number of bytes of one request.
    var longestPiece: Int64 { max(1, pieceLength ?? (sendsChecksums ? 8 << 20 : .max)) }
}
