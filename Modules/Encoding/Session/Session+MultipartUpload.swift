public import AirframeCore
public import Foundation

extension Session {
    // MARK: Streamed

    /// Uploads a form of several parts, read as it is sent: it needs neither much memory nor a temporary file.
    ///
    /// - Parameters:
    ///   - multipartFormData: Appends the parts; called at once.
    ///   - url: The URL.
    ///   - method: The method.
    ///   - headers: Fields to set.
    ///   - interceptor: Adapts and retries this request, after the session's.
    ///   - fileManager: Looks after the form's files.
    ///   - requestModifier: Changes the `URLRequest`.
    public func upload(
        multipartFormData: (MultipartFormData) -> Void,
        to url: any URLConvertible,
        method: HTTPMethod = .post,
        headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        fileManager: FileManager = .default,
        requestModifier: RequestModifier? = nil
    ) -> UploadRequest {
        upload(
            multipartFormData: form(fileManager, multipartFormData),
            to: url,
            method: method,
            headers: headers,
            interceptor: interceptor,
            fileManager: fileManager,
            requestModifier: requestModifier
        )
    }

    /// Uploads a form of several parts with anything that makes a `URLRequest`, read as it is sent.
    ///
    /// - Parameters:
    ///   - multipartFormData: Appends the parts; called at once.
    ///   - request: Makes the `URLRequest`; its own body is not sent.
    ///   - interceptor: Adapts and retries this request, after the session's.
    ///   - fileManager: Looks after the form's files.
    public func upload(
        multipartFormData: (MultipartFormData) -> Void,
        with request: any URLRequestConvertible,
        interceptor: (any RequestInterceptor)? = nil,
        fileManager: FileManager = .default
    ) -> UploadRequest {
        upload(
            multipartFormData: form(fileManager, multipartFormData),
            with: request,
            interceptor: interceptor,
            fileManager: fileManager
        )
    }

    /// Uploads a form of several parts, read as it is sent: it needs neither much memory nor a temporary file.
    ///
    /// - Parameters:
    ///   - multipartFormData: The form.
    ///   - url: The URL.
    ///   - method: The method.
    ///   - headers: Fields to set.
    ///   - interceptor: Adapts and retries this request, after the session's.
    ///   - shouldAutomaticallyResume: Whether to start when the first handler is added; the session's rule if `nil`.
    ///   - fileManager: Looks after the form's files.
    ///   - requestModifier: Changes the `URLRequest`.
    public func upload(
        multipartFormData: MultipartFormData,
        to url: any URLConvertible,
        method: HTTPMethod = .post,
        headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        fileManager: FileManager = .default,
        requestModifier: RequestModifier? = nil
    ) -> UploadRequest {
        upload(
            multipartFormData: multipartFormData,
            with: PlainRequest(url: url, method: method, headers: headers, modifier: requestModifier),
            interceptor: interceptor,
            shouldAutomaticallyResume: shouldAutomaticallyResume,
            fileManager: fileManager
        )
    }

    /// Uploads a form of several parts with anything that makes a `URLRequest`, read as it is sent.
    ///
    /// - Parameters:
    ///   - multipartFormData: The form.
    ///   - request: Makes the `URLRequest`; its own body is not sent.
    ///   - interceptor: Adapts and retries this request, after the session's.
    ///   - shouldAutomaticallyResume: Whether to start when the first handler is added; the session's rule if `nil`.
    ///   - fileManager: Looks after the form's files.
    public func upload(
        multipartFormData: MultipartFormData,
        with request: any URLRequestConvertible,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        fileManager: FileManager = .default
    ) -> UploadRequest {
        upload(
            MultipartUpload(
                form: multipartFormData,
                request: request,
                storage: .streamed,
                fileManager: fileManager
            ),
            interceptor: interceptor,
            shouldAutomaticallyResume: shouldAutomaticallyResume,
            fileManager: fileManager
        )
    }

    func form(_ fileManager: FileManager, _ fill: (MultipartFormData) -> Void) -> MultipartFormData {
        let form = MultipartFormData(fileManager: fileManager)
        fill(form)
        return form
    }
}
