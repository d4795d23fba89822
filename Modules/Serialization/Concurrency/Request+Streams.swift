public import AirframeCore
public import Foundation

// What happens to a request, as sequences. They end with the request, and do not start it.

extension Request {
    /// How much of the body was sent, in bytes, as it is sent.
    ///
    /// - Parameter bufferingPolicy: What to keep for a slow reader.
    public func uploadProgress(
        bufferingPolicy: StreamOf<Progress>.BufferingPolicy = .unbounded
    ) -> StreamOf<Progress> {
        stream(bufferingPolicy) { continuation in
            self.observeUploadProgress { continuation.yield($0) }
        }
    }

    /// How much of the response's body came, in bytes, as it comes.
    ///
    /// - Parameter bufferingPolicy: What to keep for a slow reader.
    public func downloadProgress(
        bufferingPolicy: StreamOf<Progress>.BufferingPolicy = .unbounded
    ) -> StreamOf<Progress> {
        stream(bufferingPolicy) { continuation in
            self.observeDownloadProgress { continuation.yield($0) }
        }
    }

    /// The URL requests that are made, after adaptation: one an attempt.
    ///
    /// - Parameter bufferingPolicy: What to keep for a slow reader.
    public func urlRequests(
        bufferingPolicy: StreamOf<URLRequest>.BufferingPolicy = .unbounded
    ) -> StreamOf<URLRequest> {
        stream(bufferingPolicy) { continuation in self.observeURLRequests { continuation.yield($0) } }
    }

    /// The tasks that are created: one an attempt.
    ///
    /// - Parameter bufferingPolicy: What to keep for a slow reader.
    public func urlSessionTasks(
        bufferingPolicy: StreamOf<URLSessionTask>.BufferingPolicy = .unbounded
    ) -> StreamOf<URLSessionTask> {
        stream(bufferingPolicy) { continuation in self.observeTasks { continuation.yield($0) } }
    }

    /// What `cURLDescription()` returns for each attempt.
    ///
    /// - Parameter bufferingPolicy: What to keep for a slow reader.
    public func cURLDescriptions(
        bufferingPolicy: StreamOf<String>.BufferingPolicy = .unbounded
    ) -> StreamOf<String> {
        stream(bufferingPolicy) { continuation in
            self.observeURLRequests { [weak self] _ in
                if let self { continuation.yield(cURLDescription()) }
            }
        }
    }

    /// The informational responses (RFC 9110 §15.2) of all attempts as they arrive: early hints (`103`) come before the
    /// response that they are for. Begin to read before the request starts.
    ///
    /// - Parameter bufferingPolicy: What to keep for a slow reader.
    public func informationalResponses(
        bufferingPolicy: StreamOf<HTTPURLResponse>.BufferingPolicy = .unbounded
    ) -> StreamOf<HTTPURLResponse> {
        stream(bufferingPolicy) { continuation in
            self.observeInformationalResponses { continuation.yield($0) }
        }
    }

    /// A stream that `begin` feeds and that ends with the request.
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
    /// The heads of the responses, each before its body is taken: one an attempt.
    ///
    /// - Parameter bufferingPolicy: What to keep for a slow reader.
    public func httpResponses(
        bufferingPolicy: StreamOf<HTTPURLResponse>.BufferingPolicy = .unbounded
    ) -> StreamOf<HTTPURLResponse> {
        stream(bufferingPolicy) { continuation in self.observeHTTPResponses { continuation.yield($0) } }
    }
}

extension DataStreamRequest {
    /// The heads of the responses, each before its body is taken: one an attempt.
    ///
    /// - Parameter bufferingPolicy: What to keep for a slow reader.
    public func httpResponses(
        bufferingPolicy: StreamOf<HTTPURLResponse>.BufferingPolicy = .unbounded
    ) -> StreamOf<HTTPURLResponse> {
        stream(bufferingPolicy) { continuation in self.observeHTTPResponses { continuation.yield($0) } }
    }
}
