public import Dispatch
public import Foundation
internal import Synchronization

extension Request {
    /// A handler of progress.
    public typealias ProgressHandler = @Sendable (Progress) -> Void

    /// The progress of the request's body in bytes.
    public var uploadProgress: Progress { mutable.withLock { $0.progress.upload.object() } }

    /// The progress of the response's body in bytes.
    public var downloadProgress: Progress { mutable.withLock { $0.progress.download.object() } }

    /// The handler of the upload's progress, and its queue.
    public internal(set) var uploadProgressHandler: (handler: ProgressHandler, queue: DispatchQueue)? {
        get { mutable.withLock { $0.progress.upload.handler } }
        set { mutable.withLock { $0.progress.upload.handler = newValue } }
    }

    /// The handler of the download's progress, and its queue.
    public internal(set) var downloadProgressHandler: (handler: ProgressHandler, queue: DispatchQueue)? {
        get { mutable.withLock { $0.progress.download.handler } }
        set { mutable.withLock { $0.progress.download.handler = newValue } }
    }

    /// Calls `closure` while the response's body is received. A later call replaces the closure.
    ///
    /// - Parameters:
    ///   - queue: The queue to call the closure on.
    ///   - closure: Receives the progress in bytes; its total is -1 while the length is unknown.
    @discardableResult
    @preconcurrency
    public func downloadProgress(queue: DispatchQueue = .main, closure: @escaping ProgressHandler) -> Self {
        downloadProgressHandler = (closure, queue)
        return self
    }

    /// Calls `closure` while the request's body is sent. A later call replaces the closure.
    ///
    /// - Parameters:
    ///   - queue: The queue to call the closure on.
    ///   - closure: Receives the progress in bytes; its total is -1 while the length is unknown.
    @discardableResult
    @preconcurrency
    public func uploadProgress(queue: DispatchQueue = .main, closure: @escaping ProgressHandler) -> Self {
        uploadProgressHandler = (closure, queue)
        return self
    }

    /// Records that bytes of the request's body were sent.
    func didSend(_ total: Int64, of expected: Int64) {
        mutable.withLock { $0.progress.upload.advance(to: total, of: expected) }?()
    }

    /// Records that bytes of the response's body were received.
    func didReceive(_ total: Int64, of expected: Int64) {
        mutable.withLock { $0.progress.download.advance(to: total, of: expected) }?()
    }
}
