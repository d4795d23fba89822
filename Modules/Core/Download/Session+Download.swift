public import Foundation

extension Session {
    /// Downloads to a file.
    ///
    /// - Parameters:
    ///   - convertible: The URL.
    ///   - method: The method.
    ///   - headers: The header fields to set.
    ///   - interceptor: Adapts and retries this request, after the session's interceptor.
    ///   - shouldAutomaticallyResume: Whether to start when the first handler is added; `nil` for the session's
    ///     setting.
    ///   - requestModifier: Changes the `URLRequest`.
    ///   - destination: Says where the file goes; `nil` leaves it in the temporary directory, under a name of its own.
    public func download(
        _ convertible: any URLConvertible,
        method: HTTPMethod = .get,
        headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        requestModifier: RequestModifier? = nil,
        to destination: DownloadRequest.Destination? = nil
    ) -> DownloadRequest {
        download(
            PlainRequest(url: convertible, method: method, headers: headers, modifier: requestModifier),
            interceptor: interceptor,
            shouldAutomaticallyResume: shouldAutomaticallyResume,
            to: destination
        )
    }

    /// Downloads to a file, from anything that makes a `URLRequest`.
    ///
    /// - Parameters:
    ///   - convertible: The source of the `URLRequest`, called again for each attempt.
    ///   - interceptor: Adapts and retries this request, after the session's interceptor.
    ///   - shouldAutomaticallyResume: Whether to start when the first handler is added; `nil` for the session's
    ///     setting.
    ///   - destination: Says where the file goes; `nil` leaves it in the temporary directory, under a name of its own.
    public func download(
        _ convertible: any URLRequestConvertible,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        to destination: DownloadRequest.Destination? = nil
    ) -> DownloadRequest {
        download(
            .request(convertible),
            interceptor: interceptor,
            shouldAutomaticallyResume: shouldAutomaticallyResume,
            to: destination
        )
    }

    /// Goes on with a download that was cancelled or failed.
    ///
    /// The server is asked for the rest, and for all of it if it has changed meanwhile (RFC 9110 §13.1.5). When the
    /// temporary file of the earlier download is gone, the download starts anew. The request has the fields of the
    /// earlier one, without credentials and cookies: `interceptor` adds them again.
    ///
    /// - Parameters:
    ///   - data: The earlier download's ``DownloadRequest/resumeData``. What is none fails the request with a
    ///     ``ResumeDataError``.
    ///   - interceptor: Adapts and retries this request, after the session's interceptor.
    ///   - shouldAutomaticallyResume: Whether to start when the first handler is added; `nil` for the session's
    ///     setting.
    ///   - destination: Says where the file goes; `nil` leaves it in the temporary directory, under a name of its own.
    public func download(
        resumingWith data: Data,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        to destination: DownloadRequest.Destination? = nil
    ) -> DownloadRequest {
        download(
            .resumeData(data),
            interceptor: interceptor,
            shouldAutomaticallyResume: shouldAutomaticallyResume,
            to: destination
        )
    }

    private func download(
        _ downloadable: DownloadRequest.Downloadable,
        interceptor: (any RequestInterceptor)?,
        shouldAutomaticallyResume: Bool?,
        to destination: DownloadRequest.Destination?
    ) -> DownloadRequest {
        perform(
            DownloadRequest(
                downloadable: downloadable,
                session: self,
                interceptor: interceptor,
                shouldAutomaticallyResume: shouldAutomaticallyResume,
                destination: destination ?? DownloadRequest.defaultDestination
            )
        )
    }
}
