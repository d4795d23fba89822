public import AirframeCore
internal import AirframeTransport
public import Foundation
internal import HTTPTypes

/// A download or an upload as a queue stores it: everything that a later process needs to run it, without secrets.
///
/// ```swift
/// var image = TransferDescription.download(from: url, to: file)
/// image.tags = ["images"]
/// let id = try await queue.add(image)
/// ```
public struct TransferDescription: Codable, Sendable, Hashable {
    /// The kinds of transfers.
    public enum Work: Codable, Sendable, Hashable {
        /// A download from the URL to a file.
        case download(DownloadDescription)
        /// An upload of a file to the URL.
        case upload(UploadDescription)
    }

    /// A header field.
    public struct Field: Codable, Sendable, Hashable {
        /// The name.
        public var name: String
        /// The value.
        public var value: String

        /// Creates a field.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The URL of the representation to download, or the target of the upload.
    public var url: URL
    /// The kind of transfer.
    public var work: Work
    /// Header fields for each request. Secrets (`Authorization`, `Cookie` and the like) are rejected; a
    /// ``TransferSecrets`` provides them for each attempt.
    public var headers: [Field] = []
    /// Labels that select and limit transfers.
    public var tags: Set<String> = []
    /// The priority. Transfers with a higher number start earlier; equal ones start in the order in which they were
    /// added.
    public var priority = 0
    /// The transfers that must complete before this one starts. If one of them fails or is cancelled, this one fails.
    public var dependencies: [TransferID] = []
    /// The conditions of the network.
    public var conditions = TransferConditions()
    /// The number of attempts and the waits between them.
    public var retry = TransferRetryRule()

    /// Creates a description.
    ///
    /// - Parameters:
    ///   - url: The URL of the representation to download, or the target of the upload.
    ///   - work: The kind of transfer.
    public init(url: URL, work: Work) {
        self.url = url
        self.work = work
    }

    /// Returns the description of a download.
    ///
    /// - Parameters:
    ///   - url: The URL, `http` or `https`.
    ///   - file: The destination, which is complete or absent at all times.
    public static func download(from url: URL, to file: URL) -> TransferDescription {
        TransferDescription(url: url, work: .download(DownloadDescription(file: file)))
    }

    /// Returns the description of an upload.
    ///
    /// - Parameters:
    ///   - file: The file, which must not change before it has been sent.
    ///   - url: The URL, `http` or `https`.
    ///   - method: The method of the first request; tus always uses `POST`.
    ///   - uploadProtocol: The protocol that resumes the upload.
    public static func upload(
        _ file: URL,
        to url: URL,
        method: HTTPMethod = .post,
        using uploadProtocol: ResumableUploadProtocol = .ietf
    ) -> TransferDescription {
        let upload = UploadDescription(file: file, method: method.rawValue, uploadProtocol: uploadProtocol)
        return TransferDescription(url: url, work: .upload(upload))
    }

    /// The local file.
    public var file: URL {
        switch work {
        case .download(let download): download.file
        case .upload(let upload): upload.file
        }
    }

    /// Checks the description before anything is sent.
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

/// The options of a download.
public struct DownloadDescription: Codable, Sendable, Hashable {
    /// The maximum number of segments.
    public static let mostSegments = 32

    /// The destination.
    public var file: URL
    /// Other URLs of the same bytes. Each is tried if the one before it fails.
    public var mirrors: [URL] = []
    /// The maximum number of parts to fetch concurrently. More than one needs a server that supports ranges and sends a
    /// strong validator (RFC 9110 §8.8.1); with any other server the download uses one.
    public var segments = 1
    /// The hash that the file must have.
    public var checksum: TransferChecksum?
    /// The number of bytes that the file must have.
    public var size: Int64?
    /// Whether a file at the destination is replaced. Otherwise its existence fails the transfer.
    public var replacesFile = false

    /// Creates the options of a download.
    ///
    /// - Parameter file: The destination.
    public init(file: URL) { self.file = file }
}

/// The options of an upload.
public struct UploadDescription: Codable, Sendable, Hashable {
    /// The file.
    public var file: URL
    /// The method of the first request.
    public var method: String
    /// The protocol that resumes the upload.
    public var uploadProtocol: ResumableUploadProtocol
    /// Whether the file's SHA-256 is sent as `Repr-Digest` (RFC 9530), which takes one more pass over the file.
    public var sendsDigest = false

    /// Creates the options of an upload.
    ///
    /// - Parameters:
    ///   - file: The file.
    ///   - method: The method of the first request.
    ///   - uploadProtocol: The protocol that resumes the upload.
    public init(file: URL, method: String = "POST", uploadProtocol: ResumableUploadProtocol = .ietf) {
        self.file = file
        self.method = method
        self.uploadProtocol = uploadProtocol
    }
}
