public import Foundation

extension Session {
    // MARK: Data

    /// Uploads data.
    ///
    /// - Parameters:
    ///   - data: The content.
    ///   - convertible: The URL.
    ///   - method: The method.
    ///   - headers: The header fields to set.
    ///   - interceptor: Adapts and retries this request, after the session's interceptor.
    ///   - shouldAutomaticallyResume: Whether to start when the first handler is added; `nil` for the session's
    ///     setting.
    ///   - fileManager: The file manager that removes temporary files.
    ///   - requestModifier: Changes the `URLRequest`.
    public func upload(
        _ data: Data,
        to convertible: any URLConvertible,
        method: HTTPMethod = .post,
        headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        fileManager: FileManager = .default,
        requestModifier: RequestModifier? = nil
    ) -> UploadRequest {
        upload(
            .data(data),
            with: PlainRequest(url: convertible, method: method, headers: headers, modifier: requestModifier),
            interceptor: interceptor,
            shouldAutomaticallyResume: shouldAutomaticallyResume,
            fileManager: fileManager
        )
    }

    /// Uploads data with a `URLRequest`.
    ///
    /// - Parameters:
    ///   - data: The content.
    ///   - convertible: The source of the `URLRequest`, whose own body is not sent.
    ///   - interceptor: Adapts and retries this request, after the session's interceptor.
    ///   - shouldAutomaticallyResume: Whether to start when the first handler is added; `nil` for the session's
    ///     setting.
    ///   - fileManager: The file manager that removes temporary files.
    public func upload(
        _ data: Data,
        with convertible: any URLRequestConvertible,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        fileManager: FileManager = .default
    ) -> UploadRequest {
        upload(
            .data(data),
            with: convertible,
            interceptor: interceptor,
            shouldAutomaticallyResume: shouldAutomaticallyResume,
            fileManager: fileManager
        )
    }

    // MARK: File

    /// Uploads a file. The file is read while it is sent, and opened again for each attempt.
    ///
    /// - Parameters:
    ///   - fileURL: The file.
    ///   - convertible: The URL.
    ///   - method: The method.
    ///   - headers: The header fields to set.
    ///   - interceptor: Adapts and retries this request, after the session's interceptor.
    ///   - shouldAutomaticallyResume: Whether to start when the first handler is added; `nil` for the session's
    ///     setting.
    ///   - fileManager: The file manager that removes temporary files.
    ///   - requestModifier: Changes the `URLRequest`.
    public func upload(
        _ fileURL: URL,
        to convertible: any URLConvertible,
        method: HTTPMethod = .post,
        headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        fileManager: FileManager = .default,
        requestModifier: RequestModifier? = nil
    ) -> UploadRequest {
        upload(
            .file(fileURL, shouldRemove: false),
            with: PlainRequest(url: convertible, method: method, headers: headers, modifier: requestModifier),
            interceptor: interceptor,
            shouldAutomaticallyResume: shouldAutomaticallyResume,
            fileManager: fileManager
        )
    }

    /// Uploads a file with a `URLRequest`.
    ///
    /// - Parameters:
    ///   - fileURL: The file.
    ///   - convertible: The source of the `URLRequest`, whose own body is not sent.
    ///   - interceptor: Adapts and retries this request, after the session's interceptor.
    ///   - shouldAutomaticallyResume: Whether to start when the first handler is added; `nil` for the session's
    ///     setting.
    ///   - fileManager: The file manager that removes temporary files.
    public func upload(
        _ fileURL: URL,
        with convertible: any URLRequestConvertible,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        fileManager: FileManager = .default
    ) -> UploadRequest {
        upload(
            .file(fileURL, shouldRemove: false),
            with: convertible,
            interceptor: interceptor,
            shouldAutomaticallyResume: shouldAutomaticallyResume,
            fileManager: fileManager
        )
    }

    // MARK: InputStream

    /// Uploads the content of a stream. A stream can be read once: a retry, or a redirect that keeps the content,
    /// fails.
    ///
    /// - Parameters:
    ///   - stream: The stream. The request opens and closes it.
    ///   - convertible: The URL.
    ///   - method: The method.
    ///   - headers: Fields to set. A `Content-Length` among them is the length to send; without it the body is chunked.
    ///   - interceptor: Adapts and retries this request, after the session's interceptor.
    ///   - fileManager: The file manager that removes temporary files.
    ///   - requestModifier: Changes the `URLRequest`.
    public func upload(
        _ stream: InputStream,
        to convertible: any URLConvertible,
        method: HTTPMethod = .post,
        headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        fileManager: FileManager = .default,
        requestModifier: RequestModifier? = nil
    ) -> UploadRequest {
        upload(
            .stream(stream),
            with: PlainRequest(url: convertible, method: method, headers: headers, modifier: requestModifier),
            interceptor: interceptor,
            shouldAutomaticallyResume: nil,
            fileManager: fileManager
        )
    }

    /// Uploads the content of a stream with a `URLRequest`.
    ///
    /// - Parameters:
    ///   - stream: The stream. The request opens and closes it.
    ///   - convertible: The source of the `URLRequest`, whose own body is not sent.
    ///   - interceptor: Adapts and retries this request, after the session's interceptor.
    ///   - shouldAutomaticallyResume: Whether to start when the first handler is added; `nil` for the session's
    ///     setting.
    ///   - fileManager: The file manager that removes temporary files.
    public func upload(
        _ stream: InputStream,
        with convertible: any URLRequestConvertible,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        fileManager: FileManager = .default
    ) -> UploadRequest {
        upload(
            .stream(stream),
            with: convertible,
            interceptor: interceptor,
            shouldAutomaticallyResume: shouldAutomaticallyResume,
            fileManager: fileManager
        )
    }

    // MARK: Any

    func upload(
        _ uploadable: UploadRequest.Uploadable,
        with convertible: any URLRequestConvertible,
        interceptor: (any RequestInterceptor)?,
        shouldAutomaticallyResume: Bool?,
        fileManager: FileManager
    ) -> UploadRequest {
        upload(
            Upload(request: convertible, uploadable: uploadable),
            interceptor: interceptor,
            shouldAutomaticallyResume: shouldAutomaticallyResume,
            fileManager: fileManager
        )
    }

    /// Uploads the content of a source that makes both a `URLRequest` and its content.
    package func upload(
        _ upload: any UploadConvertible,
        interceptor: (any RequestInterceptor)?,
        shouldAutomaticallyResume: Bool?,
        fileManager: FileManager
    ) -> UploadRequest {
        perform(
            UploadRequest(
                upload: upload,
                session: self,
                interceptor: interceptor,
                shouldAutomaticallyResume: shouldAutomaticallyResume,
                fileManager: fileManager
            )
        )
    }
}

/// A request and the content that goes with it.
private struct Upload: UploadConvertible, KnownUploadConvertible {
    let request: any URLRequestConvertible
    let uploadable: any UploadableConvertible

    var knownUploadable: UploadRequest.Uploadable? { uploadable as? UploadRequest.Uploadable }
    func createUploadable() throws -> UploadRequest.Uploadable { try uploadable.createUploadable() }
    func asURLRequest() throws -> URLRequest { try request.asURLRequest() }
}
