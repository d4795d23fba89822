public import AirframeCore
internal import AirframeTransport
public import Foundation
internal import HTTPTypes

/// A download or an upload as a queue stores it: all that a later process needs to carry it out, and no secret.
///
/// ```swift
/// var image = TransferDescription.download(from: url, to: file)
/// image.tags = ["images"]
/// let id = try await queue.add(image)
/// ```
public struct TransferDescription: Codable, Sendable, Hashable {
    /// What is transferred.
    public enum Work: Codable, Sendable, Hashable {
        /// From the URL to a file.
        case download(DownloadDescription)
        /// From a file to the URL.
        case upload(UploadDescription)
    }

    /// A header field.
    public struct Field: Codable, Sendable, Hashable {
        /// The name.
        public var name: String
        /// The value.
        public var value: String

        /// Makes a field.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// Where the representation is, or where the file goes.
    public var url: URL
    /// What is transferred.
    public var work: Work
    /// Header fields for each request. A secret (`Authorization`, `Cookie` and the like) is refused: a
    /// ``TransferSecrets`` adds these whenever the transfer is sent.
    public var headers: [Field] = []
    /// Words to select transfers by, and to limit them by.
    public var tags: Set<String> = []
    /// Transfers with a higher number start earlier; those with the same number in the order in which they were added.
    public var priority = 0
    /// The transfers that must have completed before this one starts. One that fails or is cancelled fails this one.
    public var dependencies: [TransferID] = []
    /// What the network must be like.
    public var conditions = TransferConditions()
    /// How often to try, and how long to wait between attempts.
    public var retry = TransferRetryRule()

    /// Describes a transfer.
    ///
    /// - Parameters:
    ///   - url: Where the representation is, or where the file goes.
    ///   - work: What is transferred.
    public init(url: URL, work: Work) {
        self.url = url
        self.work = work
    }

    /// Describes a download.
    ///
    /// - Parameters:
    ///   - url: The URL, `http` or `https`.
    ///   - file: The destination. It is complete or absent at all times.
    public static func download(from url: URL, to file: URL) -> TransferDescription {
        TransferDescription(url: url, work: .download(DownloadDescription(file: file)))
    }

    /// Describes an upload.
    ///
    /// - Parameters:
    ///   - file: The file. It must not change before it has been sent.
    ///   - url: The URL, `http` or `https`.
    ///   - method: The method of the first request; tus always uses `POST`.
    ///   - uploadProtocol: How the upload is resumed.
    public static func upload(
        _ file: URL,
        to url: URL,
        method: HTTPMethod = .post,
        using uploadProtocol: ResumableUploadProtocol = .ietf
    ) -> TransferDescription {
        let upload = UploadDescription(file: file, method: method.rawValue, uploadProtocol: uploadProtocol)
        return TransferDescription(url: url, work: .upload(upload))
    }

    /// The file at this end.
    public var file: URL {
        switch work {
        case .download(let download): download.file
        case .upload(let upload): upload.file
        }
    }

    /// Checks what can be checked before anything is sent.
    ///
    /// - Throws: ``TransferError/Kind/invalidDescription``, with the offending value.
    func validate() throws(TransferError) {
        var urls = [url]
        if case .download(let download) = work {
            urls += download.mirrors
            guard (1...DownloadDescription.mostSegments).contains(download.segments) else {
                throw Self.invalid(
                    "\(download.segments) segments; 1 to \(DownloadDescription.mostSegments) are allowed")
            }
        }
        for url in urls {
            guard let scheme = url.scheme?.lowercased(), scheme == "http" || scheme == "https", url.host != nil else {
                throw Self.invalid("the URL \(Redaction.url(url.absoluteString)); it must be of http or https")
            }
            guard url.user == nil, url.password == nil else {
                throw Self.invalid(
                    "the URL \(Redaction.url(url.absoluteString)), whose password would be stored; "
                        + "a TransferSecrets adds credentials")
            }
        }
        guard file.isFileURL, !file.path.isEmpty else { throw Self.invalid("the file \(file.absoluteString)") }
        for field in headers {
            guard let name = HTTPField.Name(field.name), HTTPField.isValidValue(field.value) else {
                throw Self.invalid("the header field '\(field.name)', which HTTP does not allow")
            }
            guard !RedactionPolicy.standard.isSecret(field: name) else {
                throw Self.invalid(
                    "the header field \(field.name), which would be stored; a TransferSecrets adds secrets")
            }
        }
        try retry.validate()
    }

    static func invalid(_ what: String) -> TransferError {
        TransferError(.invalidDescription, "a transfer cannot have \(what)")
    }
}

/// What a download does beyond fetching its URL.
public struct DownloadDescription: Codable, Sendable, Hashable {
    /// The largest number of segments.
    public static let mostSegments = 32

    /// The destination.
    public var file: URL
    /// Other URLs of the same bytes, tried in order when the one before fails.
    public var mirrors: [URL] = []
    /// The most parts that are fetched at once. More than one needs a server that answers ranges and sends a strong
    /// validator (RFC 9110 §8.8.1); with any other server the download uses one.
    public var segments = 1
    /// The hash that the file must have.
    public var checksum: TransferChecksum?
    /// The number of bytes that the file must have.
    public var size: Int64?
    /// Whether a file at the destination is replaced. Otherwise it fails the transfer.
    public var replacesFile = false

    /// Describes a download.
    ///
    /// - Parameter file: The destination.
    public init(file: URL) { self.file = file }
}

/// What an upload does beyond sending its file.
public struct UploadDescription: Codable, Sendable, Hashable {
    /// The file.
    public var file: URL
    /// The method of the first request.
    public var method: String
    /// How the upload is resumed.
    public var uploadProtocol: ResumableUploadProtocol
    /// Whether the server is sent the file's SHA-256 as `Repr-Digest` (RFC 9530). The file is read once more for it.
    public var sendsDigest = false

    /// Describes an upload.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - method: The method of the first request.
    ///   - uploadProtocol: How the upload is resumed.
    public init(file: URL, method: String = "POST", uploadProtocol: ResumableUploadProtocol = .ietf) {
        self.file = file
        self.method = method
        self.uploadProtocol = uploadProtocol
    }
}
