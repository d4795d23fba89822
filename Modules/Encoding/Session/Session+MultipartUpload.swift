public import AirframeCore
public import Foundation

extension Session {
    // MARK: Streamed

    /// Uploads a multipart form, which is read while it is sent: it needs neither much memory nor a temporary file.
    ///
    /// - Parameters:
    ///   - multipartFormData: A closure that appends the parts, called immediately.
    ///   - url: The URL.
    ///   - method: The method.
    ///   - headers: The header fields to set.
    ///   - interceptor: The interceptor of this request, which runs after the session's.
    ///   - fileManager: The file manager for the form's files.
    ///   - requestModifier: A closure that modifies the `URLRequest`.
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

    /// Uploads a multipart form with a value that makes a `URLRequest`. The form is read while it is sent.
    ///
    /// - Parameters:
    ///   - multipartFormData: A closure that appends the parts, called immediately.
    ///   - request: The value that makes the `URLRequest`, whose own body is not sent.
    ///   - interceptor: The interceptor of this request, which runs after the session's.
    ///   - fileManager: The file manager for the form's files.
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

    /// Uploads a multipart form, which is read while it is sent: it needs neither much memory nor a temporary file.
    ///
    /// - Parameters:
    ///   - multipartFormData: The form.
    ///   - url: The URL.
    ///   - method: The method.
    ///   - headers: The header fields to set.
    ///   - interceptor: The interceptor of this request, which runs after the session's.
    ///   - shouldAutomaticallyResume: Whether the first handler starts the request; the session's rule if `nil`.
    ///   - fileManager: The file manager for the form's files.
    ///   - requestModifier: A closure that modifies the `URLRequest`.
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

    /// Uploads a multipart form with a value that makes a `URLRequest`. The form is read while it is sent.
    ///
    /// - Parameters:
    ///   - multipartFormData: The form.
    ///   - request: The value that makes the `URLRequest`, whose own body is not sent.
    ///   - interceptor: The interceptor of this request, which runs after the session's.
    ///   - shouldAutomaticallyResume: Whether the first handler starts the request; the session's rule if `nil`.
    ///   - fileManager: The file manager for the form's files.
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
