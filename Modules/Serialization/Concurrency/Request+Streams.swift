public import AirframeCore
public import Foundation

// The events of a request as sequences. They end with the request and do not start it.

extension Request {
    /// Returns a stream of the progress of the upload, in bytes.
    ///
    /// - Parameter bufferingPolicy: The policy for elements that a slow reader has not taken yet.
    public func uploadProgress(
        bufferingPolicy: StreamOf<Progress>.BufferingPolicy = .unbounded
    ) -> StreamOf<Progress> {
        stream(bufferingPolicy) { continuation in
            self.observeUploadProgress { continuation.yield($0) }
        }
    }

    /// Returns a stream of the progress of the download, in bytes.
    ///
    /// - Parameter bufferingPolicy: The policy for elements that a slow reader has not taken yet.
    public func downloadProgress(
        bufferingPolicy: StreamOf<Progress>.BufferingPolicy = .unbounded
    ) -> StreamOf<Progress> {
        stream(bufferingPolicy) { continuation in
            self.observeDownloadProgress { continuation.yield($0) }
        }
    }

    /// Returns a stream of the adapted URL requests: one per attempt.
    ///
    /// - Parameter bufferingPolicy: The policy for elements that a slow reader has not taken yet.
    public func urlRequests(
        bufferingPolicy: StreamOf<URLRequest>.BufferingPolicy = .unbounded
    ) -> StreamOf<URLRequest> {
        stream(bufferingPolicy) { continuation in self.observeURLRequests { continuation.yield($0) } }
    }

    /// Returns a stream of the tasks: one per attempt.
    ///
    /// - Parameter bufferingPolicy: The policy for elements that a slow reader has not taken yet.
    public func urlSessionTasks(
        bufferingPolicy: StreamOf<URLSessionTask>.BufferingPolicy = .unbounded
    ) -> StreamOf<URLSessionTask> {
        stream(bufferingPolicy) { continuation in self.observeTasks { continuation.yield($0) } }
    }

    /// Returns a stream of one element: the cURL command of the first attempt, as `cURLDescription()` returns it, or
    /// the sentence that there is none if no request could be made.
    ///
    /// - Parameter bufferingPolicy: The policy for elements that a slow reader has not taken yet.
    public func cURLDescriptions(
        bufferingPolicy: StreamOf<String>.BufferingPolicy = .unbounded
    ) -> StreamOf<String> {
        stream(bufferingPolicy) { continuation in
            self.observeCURLDescription { continuation.yield($0) }
        }
    }

    /// Returns a stream of the informational responses (RFC 9110 §15.2) of all attempts as they arrive. Early hints
    /// (`103`) arrive before their response, so iteration has to begin before the request starts.
    ///
    /// - Parameter bufferingPolicy: The policy for elements that a slow reader has not taken yet.
    public func informationalResponses(
        bufferingPolicy: StreamOf<HTTPURLResponse>.BufferingPolicy = .unbounded
    ) -> StreamOf<HTTPURLResponse> {
        stream(bufferingPolicy) { continuation in
            self.observeInformationalResponses { continuation.yield($0) }
        }
    }

    /// Returns a stream that `begin` feeds and that ends with the request.
    fileprivate func stream<Element>(
        _ bufferingPolicy: StreamOf<Element>.BufferingPolicy,
        _ begin: @escaping (AsyncStream<Element>.Continuation) -> Void
    ) -> StreamOf<Element> {
        StreamOf(bufferingPolicy: bufferingPolicy) { [self] continuation in
            begin(continuation)
            onFinish { continuation.finish() }
        }
    }
}

extension DataRequest {
    /// Returns a stream of the response heads, each delivered before its body is read: one per attempt.
    ///
    /// - Parameter bufferingPolicy: The policy for elements that a slow reader has not taken yet.
    public func httpResponses(
        bufferingPolicy: StreamOf<HTTPURLResponse>.BufferingPolicy = .unbounded
    ) -> StreamOf<HTTPURLResponse> {
        stream(bufferingPolicy) { continuation in self.observeHTTPResponses { continuation.yield($0) } }
    }
}

extension DataStreamRequest {
    /// Returns a stream of the response heads, each delivered before its body is read: one per attempt.
    ///
    /// - Parameter bufferingPolicy: The policy for elements that a slow reader has not taken yet.
    public func httpResponses(
        bufferingPolicy: StreamOf<HTTPURLResponse>.BufferingPolicy = .unbounded
    ) -> StreamOf<HTTPURLResponse> {
        stream(bufferingPolicy) { continuation in self.observeHTTPResponses { continuation.yield($0) } }
    }
}
