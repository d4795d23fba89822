public import Dispatch
public import Foundation
internal import Synchronization

extension Request {
    /// Takes a report of progress.
    public typealias ProgressHandler = @Sendable (Progress) -> Void

    /// How much of the body was sent, in bytes.
    public var uploadProgress: Progress { mutable.withLock { $0.progress.upload.object() } }

    /// How much of the response's body came, in bytes.
    public var downloadProgress: Progress { mutable.withLock { $0.progress.download.object() } }

    /// Who is told of the upload's progress, and where.
    public internal(set) var uploadProgressHandler: (handler: ProgressHandler, queue: DispatchQueue)? {
        get { mutable.withLock { $0.progress.upload.handler } }
        set { mutable.withLock { $0.progress.upload.handler = newValue } }
    }

    /// Who is told of the download's progress, and where.
    public internal(set) var downloadProgressHandler: (handler: ProgressHandler, queue: DispatchQueue)? {
        get { mutable.withLock { $0.progress.download.handler } }
        set { mutable.withLock { $0.progress.download.handler = newValue } }
    }

    /// Calls `closure` as the response's body comes. A later call replaces the closure.
    ///
    /// - Parameters:
    ///   - queue: Where to call it.
    ///   - closure: Gets the progress in bytes; its total is -1 while the length is not known.
    @discardableResult
    @preconcurrency
    public func downloadProgress(queue: DispatchQueue = .main, closure: @escaping ProgressHandler) -> Self {
        downloadProgressHandler = (closure, queue)
        return self
    }

    /// Calls `closure` as the request's body is sent. A later call replaces the closure.
    ///
    /// - Parameters:
    ///   - queue: Where to call it.
    ///   - closure: Gets the progress in bytes; its total is -1 while the length is not known.
    @discardableResult
    @preconcurrency
    public func uploadProgress(queue: DispatchQueue = .main, closure: @escaping ProgressHandler) -> Self {
        uploadProgressHandler = (closure, queue)
        return self
    }

    /// Notes that bytes of the body were sent.
    func didSend(_ total: Int64, of expected: Int64) {
        mutable.withLock { $0.progress.upload.advance(to: total, of: expected) }?()
    }

    /// Notes that bytes of the response's body came.
    func didReceive(_ total: Int64, of expected: Int64) {
        mutable.withLock { $0.progress.download.advance(to: total, of: expected) }?()
    }
}
