public import AirframeCore
public import Foundation
internal import Synchronization

/// A form of several parts, `multipart/form-data` (RFC 7578): texts, files, streams.
///
/// ```swift
/// AF.upload(multipartFormData: { form in
///     form.append(Data("Ada".utf8), withName: "name")
///     form.append(photoURL, withName: "photo")
/// }, to: "https://api.test/people")
/// ```
///
/// Appending never throws: what is wrong with a part is thrown when the form is encoded. Nothing of a file or a stream
/// is read before that.
///
/// `@unchecked Sendable` because the class is open: its own properties are immutable, or guarded by a lock.
open class MultipartFormData: @unchecked Sendable {
    /// Up to this size, 10,000,000 bytes, Alamofire encodes a form in memory, and beyond it into a temporary file.
    public static let encodingMemoryThreshold: UInt64 = 10_000_000

    /// What stands between the parts (RFC 2046 §5.1.1).
    public let boundary: String

    private let fileManager: FileManager
    private let form: Mutex<Form>

    private struct Form {
        var contentType: String
        var parts: [MultipartPart] = []
        /// The first thing that was wrong with a part.
        var error: AFError?
    }

    /// Makes an empty form.
    ///
    /// - Parameters:
    ///   - fileManager: Looks after the files of the form.
    ///   - boundary: What stands between the parts: 1 to 70 of the characters of RFC 2046 §5.1.1, the last no space.
    ///     It must not occur in a part. A random one is made for `nil`, and for a text that breaks these rules.
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

    /// The number of bytes of all parts' contents, without their headers and the boundaries. A part whose length is not
    /// known counts as nothing; ``encodedLength`` is what goes over the wire.
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
    ///   - fileName: The name of the file that the content is said to be; `nil` for a plain field.
    ///   - mimeType: The content's media type; `nil` leaves the part without `Content-Type`.
    public func append(_ data: Data, withName name: String, fileName: String? = nil, mimeType: String? = nil) {
        let headers = MultipartHeaders.make(name: name, fileName: fileName, mimeType: mimeType)
        append(MultipartPart(headers: headers, content: .data(data), length: UInt64(data.count)))
    }

    /// Appends a file, under its own name and with the media type that its extension stands for.
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

    /// Appends a file. It is read while the form is encoded or sent, and must not change its size until then.
    ///
    /// - Parameters:
    ///   - fileURL: The file.
    ///   - name: The name of the form's field.
    ///   - fileName: The name of the file as the server is to see it.
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

    /// Appends what a stream brings. It can be read once: a form with it can be encoded once, or sent once.
    ///
    /// - Parameters:
    ///   - stream: The stream; opened when it is read, and closed at its end.
    ///   - length: The number of bytes. A stream that brings fewer or more fails the encoding.
    ///   - name: The name of the form's field.
    ///   - fileName: The name of the file that the content is said to be.
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

    /// Appends what a stream brings, with header fields of your own.
    ///
    /// - Parameters:
    ///   - stream: The stream; opened when it is read, and closed at its end.
    ///   - length: The number of bytes. A stream that brings fewer or more fails the encoding.
    ///   - headers: The part's header fields, `Content-Disposition` among them.
    public func append(_ stream: InputStream, withLength length: UInt64, headers: HTTPHeaders) {
        append(MultipartPart(headers: headers, content: .stream(MultipartStream(stream)), length: length))
    }

    /// Appends a part, whatever its content is.
    func append(_ part: MultipartPart) { form.withLock { $0.parts.append(part) } }

    private func refuse(_ reason: AFError.MultipartEncodingFailureReason) {
        refuse(.multipartEncodingFailed(reason: reason))
    }

    private func refuse(_ error: AFError) { form.withLock { $0.error = $0.error ?? error } }

    // MARK: Contents

    var parts: [MultipartPart] { form.withLock { $0.parts } }

    /// The parts, unless one of them was wrong.
    func validParts() throws(AFError) -> [MultipartPart] {
        let (parts, error) = form.withLock { ($0.parts, $0.error) }
        if let error { throw error }
        return parts
    }
}

extension MultipartFormData: CustomReflectable {
    /// Type and length, so that `dump` shows nothing of the parts.
    public var customMirror: Mirror {
        Mirror(self, children: ["contentType": contentType, "contentLength": contentLength])
    }
}
