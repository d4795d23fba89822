public import AirframeCore
public import Foundation
internal import Synchronization

/// A form of several parts, `multipart/form-data` (RFC 7578): text, files, streams.
///
/// ```swift
/// AF.upload(multipartFormData: { form in
///     form.append(Data("Ada".utf8), withName: "name")
///     form.append(photoURL, withName: "photo")
/// }, to: "https://api.test/people")
/// ```
///
/// Appending never throws: errors of parts are thrown when the form is encoded. Files and streams are not read before
/// that.
///
/// `@unchecked Sendable` because the class is open: its own properties are immutable, or guarded by a lock.
open class MultipartFormData: @unchecked Sendable {
    /// The size up to which Alamofire encodes a form in memory instead of a temporary file: 10,000,000 bytes.
    public static let encodingMemoryThreshold: UInt64 = 10_000_000

    /// The boundary between the parts (RFC 2046 §5.1.1).
    public let boundary: String

    private let fileManager: FileManager
    private let form: Mutex<Form>

    private struct Form {
        var contentType: String
        var parts: [MultipartPart] = []
        /// The first error of a part.
        var error: AFError?
    }

    /// Creates an empty form.
    ///
    /// - Parameters:
    ///   - fileManager: The file manager for the files of the form.
    ///   - boundary: The boundary between the parts: 1 to 70 of the characters of RFC 2046 §5.1.1, without a trailing
    ///     space. It must not occur in a part. `nil`, or a string that breaks these rules, is replaced by a random
    ///     boundary.
    public init(fileManager: FileManager = .default, boundary: String? = nil) {
        let boundary = boundary.flatMap { MultipartBoundary.isValid($0) ? $0 : nil } ?? MultipartBoundary.random()
        self.boundary = boundary
        self.fileManager = fileManager
        form = Mutex(Form(contentType: "multipart/form-data; boundary=\(MultipartBoundary.parameter(boundary))"))
    }

    /// The content type, with the boundary as its parameter.
    open var contentType: String {
        get { form.withLock { $0.contentType } }
        set { form.withLock { $0.contentType = newValue } }
    }

    /// The number of bytes of all parts' contents, without headers and boundaries. A part of unknown length counts as
    /// zero. ``encodedLength`` is the number of bytes that are sent.
    public var contentLength: UInt64 {
        parts.reduce(0) { sum, part in
            let (total, overflows) = sum.addingReportingOverflow(part.length ?? 0)
            return overflows ? .max : total
        }
    }

    // MARK: Parts

    /// Appends a part of data.
    ///
    /// - Parameters:
    ///   - data: The content.
    ///   - name: The name of the form's field.
    ///   - fileName: The file name of the part; `nil` for a plain field.
    ///   - mimeType: The content's media type; `nil` leaves the part without `Content-Type`.
    public func append(_ data: Data, withName name: String, fileName: String? = nil, mimeType: String? = nil) {
        let headers = MultipartHeaders.make(name: name, fileName: fileName, mimeType: mimeType)
        append(MultipartPart(headers: headers, content: .data(data), length: UInt64(data.count)))
    }

    /// Appends a file with its own name and the media type of its extension.
    ///
    /// - Parameters:
    ///   - fileURL: The file. Its name needs an extension.
    ///   - name: The name of the form's field.
    public func append(_ fileURL: URL, withName name: String) {
        let fileName = fileURL.lastPathComponent
        let pathExtension = fileURL.pathExtension
        guard !fileName.isEmpty, !pathExtension.isEmpty else {
            return refuse(.bodyPartFilenameInvalid(in: fileURL))
        }
        append(fileURL, withName: name, fileName: fileName, mimeType: MIMEType.forPathExtension(pathExtension))
    }

    /// Appends a file. It is read while the form is encoded or sent, and its size must not change before.
    ///
    /// - Parameters:
    ///   - fileURL: The file.
    ///   - name: The name of the form's field.
    ///   - fileName: The file name that the server receives.
    ///   - mimeType: The content's media type.
    public func append(_ fileURL: URL, withName name: String, fileName: String, mimeType: String) {
        do throws(AFError) {
            let length = try MultipartFile.length(of: fileURL, fileManager: fileManager)
            let headers = MultipartHeaders.make(name: name, fileName: fileName, mimeType: mimeType)
            append(MultipartPart(headers: headers, content: .file(fileURL), length: length))
        } catch {
            refuse(error)
        }
    }

    /// Appends the contents of a stream. A stream can be read once, so the form can be encoded or sent once.
    ///
    /// - Parameters:
    ///   - stream: The stream; opened when it is read, and closed at its end.
    ///   - length: The number of bytes. A stream with another number of bytes fails the encoding.
    ///   - name: The name of the form's field.
    ///   - fileName: The file name of the part.
    ///   - mimeType: The content's media type.
    public func append(
        _ stream: InputStream,
        withLength length: UInt64,
        name: String,
        fileName: String,
        mimeType: String
    ) {
        let headers = MultipartHeaders.make(name: name, fileName: fileName, mimeType: mimeType)
        append(stream, withLength: length, headers: headers)
    }

    /// Appends the contents of a stream with custom header fields.
    ///
    /// - Parameters:
    ///   - stream: The stream; opened when it is read, and closed at its end.
    ///   - length: The number of bytes. A stream with another number of bytes fails the encoding.
    ///   - headers: The part's header fields, `Content-Disposition` among them.
    public func append(_ stream: InputStream, withLength length: UInt64, headers: HTTPHeaders) {
        append(MultipartPart(headers: headers, content: MultipartPart.Content(stream), length: length))
    }

    /// Appends a part with any kind of content.
    func append(_ part: MultipartPart) { form.withLock { $0.parts.append(part) } }

    private func refuse(_ reason: AFError.MultipartEncodingFailureReason) {
        refuse(.multipartEncodingFailed(reason: reason))
    }

    private func refuse(_ error: AFError) { form.withLock { $0.error = $0.error ?? error } }

    // MARK: Contents

    var parts: [MultipartPart] { form.withLock { $0.parts } }

    /// Returns the parts, or throws the first error of a part.
    func validParts() throws(AFError) -> [MultipartPart] {
        let (parts, error) = form.withLock { ($0.parts, $0.error) }
        if let error { throw error }
        return parts
    }
}

extension MultipartFormData: CustomReflectable {
    /// Only type and length, so that `dump` does not show the parts.
    public var customMirror: Mirror {
        Mirror(self, children: ["contentType": contentType, "contentLength": contentLength])
    }
}
