internal import AirframeTransport
public import Foundation
internal import Synchronization

/// A request that sends content, and whose response is collected in memory.
///
/// `@unchecked Sendable` because Request is: the properties added here are immutable or behind their own lock.
public final class UploadRequest: DataRequest, @unchecked Sendable {
    /// The content to upload.
    public enum Uploadable: @unchecked Sendable {
        // `@unchecked` because `InputStream` is not Sendable: the one exchange that sends the stream is its only
        // reader.
        //

        /// Data in memory.
        case data(Data)
        /// A file, and whether to remove it when the request has finished.
        case file(URL, shouldRemove: Bool)
        /// A stream. It can be read once, unless the session made it for a body that can be sent again.
        case stream(InputStream)
    }

    /// The source of the `URLRequest` and its content.
    public let upload: any UploadableConvertible
    /// Removes temporary files.
    public let fileManager: FileManager

    /// The content, and its body if the content can be read once: all attempts share that body, so that none takes the
    /// rest of a stream for the whole.
    private struct Made: Sendable {
        let uploadable: Uploadable
        var body: RequestBody?
    }

    // Guards the content once it has been made.
    private let made = Mutex<Made?>(nil)

    init(
        upload: any UploadConvertible,
        session: Session,
        interceptor: (any RequestInterceptor)?,
        shouldAutomaticallyResume: Bool?,
        fileManager: FileManager
    ) {
        self.upload = upload
        self.fileManager = fileManager
        super.init(
            convertible: upload,
            session: session,
            interceptor: interceptor,
            shouldAutomaticallyResume: shouldAutomaticallyResume
        )
    }

    /// The content, once it has been made.
    public var uploadable: Uploadable? { made.withLock { $0?.uploadable } }

    /// The content, also before it is made if that takes no work.
    var knownUploadable: Uploadable? { uploadable ?? (upload as? any KnownUploadConvertible)?.knownUploadable }

    override func makeContent() throws(AFError) {
        do {
            let uploadable = try uploadable ?? upload.createUploadable()
            made.withLock { made in
                if made == nil { made = Made(uploadable: uploadable) }
            }
            monitors?.request(self, didCreateUploadable: uploadable)
        } catch {
            let failure = error.asAFError(or: .createUploadableFailed(error: error))
            monitors?.request(self, didFailToCreateUploadableWithError: failure)
            describeForHandler()
            throw failure
        }
    }

    override func makeTask(for urlRequest: URLRequest) -> URLSessionTask {
        URLSessionUploadTask(request: self, original: urlRequest)
    }

    override var sendsHTTPBody: Bool { false }

    override func makeBody(for urlRequest: URLRequest, of task: URLSessionTask) throws -> RequestBody {
        switch uploadable {
        case .data(let data): return .bytes(data)
        case .file(let url, _): return .file(try FileRegion(uploading: url))
        case .stream(let stream):
            monitors?.urlSession(context.urlSession, taskNeedsNewBodyStream: task)
            monitors?.request(self, didProvideInputStream: stream)
            return made.withLock { made in
                let body = made?.body ?? .upload(stream, declaredLength: urlRequest.declaredContentLength)
                made?.body = body
                return body
            }
        case nil: return .none
        }
    }

    /// Removes the file that was sent, if it was made for this request.
    public override func cleanup() {
        super.cleanup()
        guard case .file(let url, shouldRemove: true) = uploadable else { return }
        try? fileManager.removeItem(at: url)
    }
}

/// A source of content to upload.
public protocol UploadableConvertible: Sendable {
    /// Creates the content. Called once for a request.
    func createUploadable() throws -> UploadRequest.Uploadable
}

extension UploadRequest.Uploadable: UploadableConvertible {
    /// Returns the content itself.
    public func createUploadable() throws -> UploadRequest.Uploadable { self }
}

/// A source of both a `URLRequest` and the content to send with it.
public protocol UploadConvertible: UploadableConvertible, URLRequestConvertible {}

/// A source whose content may exist before the request asks for it.
protocol KnownUploadConvertible {
    /// The content; `nil` if it must be made.
    var knownUploadable: UploadRequest.Uploadable? { get }
}
