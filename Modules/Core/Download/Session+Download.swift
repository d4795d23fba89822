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
    ///   - destination: Returns the file's destination; `nil` leaves the file in the temporary directory under a unique
    ///     name.
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

    /// Downloads to a file with a `URLRequest`.
    ///
    /// - Parameters:
    ///   - convertible: The source of the `URLRequest`, called again for each attempt.
    ///   - interceptor: Adapts and retries this request, after the session's interceptor.
    ///   - shouldAutomaticallyResume: Whether to start when the first handler is added; `nil` for the session's
    ///     setting.
    ///   - destination: Returns the file's destination; `nil` leaves the file in the temporary directory under a unique
    ///     name.
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

    /// Resumes a download that was cancelled or failed.
    ///
    /// The request asks for the rest, or for the whole if the representation has changed (RFC 9110 §13.1.5). If the
    /// temporary file of the earlier download is gone, the download starts from the beginning. The request has the
    /// fields of the earlier one without credentials and cookies: `interceptor` adds them again.
    ///
    /// - Parameters:
    ///   - data: The earlier download's ``DownloadRequest/resumeData``. Invalid data fails the request with a
    ///     ``ResumeDataError``.
    ///   - interceptor: Adapts and retries this request, after the session's interceptor.
    ///   - shouldAutomaticallyResume: Whether to start when the first handler is added; `nil` for the session's
    ///     setting.
    ///   - destination: Returns the file's destination; `nil` leaves the file in the temporary directory under a unique
    ///     name.
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
