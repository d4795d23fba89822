public import AirframeCore
public import Foundation

// Alamofire's behaviour: before anything is sent, the form is encoded in memory below a threshold, and in a temporary
// file above. Disfavoured, so that a call without a threshold streams the form.

extension Session {
    /// Uploads a multipart form, which is encoded in memory or in a temporary file before it is sent.
    ///
    /// - Parameters:
    ///   - multipartFormData: A closure that appends the parts, called immediately.
    ///   - url: The URL.
    ///   - encodingMemoryThreshold: The number of bytes of content above which the form is encoded in a file.
    ///   - method: The method.
    ///   - headers: The header fields to set.
    ///   - interceptor: The interceptor of this request, which runs after the session's.
    ///   - fileManager: The file manager that creates and removes the temporary file.
    ///   - requestModifier: A closure that modifies the `URLRequest`.
    @_disfavoredOverload
    public func upload(
        multipartFormData: (MultipartFormData) -> Void,
        to url: any URLConvertible,
        usingThreshold encodingMemoryThreshold: UInt64 = MultipartFormData.encodingMemoryThreshold,
        method: HTTPMethod = .post,
        headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        fileManager: FileManager = .default,
        requestModifier: RequestModifier? = nil
    ) -> UploadRequest {
        upload(
            multipartFormData: form(fileManager, multipartFormData),
            to: url,
            usingThreshold: encodingMemoryThreshold,
            method: method,
            headers: headers,
            interceptor: interceptor,
            fileManager: fileManager,
            requestModifier: requestModifier
        )
    }

    /// Uploads a multipart form with a value that makes a `URLRequest`. The form is encoded in memory or in a temporary
    /// file before it is sent.
    ///
    /// - Parameters:
    ///   - multipartFormData: A closure that appends the parts, called immediately.
    ///   - request: The value that makes the `URLRequest`, whose own body is not sent.
    ///   - encodingMemoryThreshold: The number of bytes of content above which the form is encoded in a file.
    ///   - interceptor: The interceptor of this request, which runs after the session's.
    ///   - fileManager: The file manager that creates and removes the temporary file.
    @_disfavoredOverload
    public func upload(
        multipartFormData: (MultipartFormData) -> Void,
        with request: any URLRequestConvertible,
        usingThreshold encodingMemoryThreshold: UInt64 = MultipartFormData.encodingMemoryThreshold,
        interceptor: (any RequestInterceptor)? = nil,
        fileManager: FileManager = .default
    ) -> UploadRequest {
        upload(
            multipartFormData: form(fileManager, multipartFormData),
            with: request,
            usingThreshold: encodingMemoryThreshold,
            interceptor: interceptor,
            fileManager: fileManager
        )
    }

    /// Uploads a multipart form, which is encoded in memory or in a temporary file before it is sent.
    ///
    /// - Parameters:
    ///   - multipartFormData: The form.
    ///   - url: The URL.
    ///   - encodingMemoryThreshold: The number of bytes of content above which the form is encoded in a file.
    ///   - method: The method.
    ///   - headers: The header fields to set.
    ///   - interceptor: The interceptor of this request, which runs after the session's.
    ///   - shouldAutomaticallyResume: Whether the first handler starts the request; the session's rule if `nil`.
    ///   - fileManager: The file manager that creates and removes the temporary file.
    ///   - requestModifier: A closure that modifies the `URLRequest`.
    @_disfavoredOverload
    public func upload(
        multipartFormData: MultipartFormData,
        to url: any URLConvertible,
        usingThreshold encodingMemoryThreshold: UInt64 = MultipartFormData.encodingMemoryThreshold,
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
            usingThreshold: encodingMemoryThreshold,
            interceptor: interceptor,
            shouldAutomaticallyResume: shouldAutomaticallyResume,
            fileManager: fileManager
        )
    }

    /// Uploads a multipart form with a value that makes a `URLRequest`. The form is encoded in memory or in a temporary
    /// file before it is sent.
    ///
    /// - Parameters:
    ///   - multipartFormData: The form.
    ///   - request: The value that makes the `URLRequest`, whose own body is not sent.
    ///   - encodingMemoryThreshold: The number of bytes of content above which the form is encoded in a file.
    ///   - interceptor: The interceptor of this request, which runs after the session's.
    ///   - shouldAutomaticallyResume: Whether the first handler starts the request; the session's rule if `nil`.
    ///   - fileManager: The file manager that creates and removes the temporary file.
    @_disfavoredOverload
    public func upload(
        multipartFormData: MultipartFormData,
        with request: any URLRequestConvertible,
        usingThreshold encodingMemoryThreshold: UInt64 = MultipartFormData.encodingMemoryThreshold,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        fileManager: FileManager = .default
    ) -> UploadRequest {
        upload(
            MultipartUpload(
                form: multipartFormData,
                request: request,
                storage: .threshold(encodingMemoryThreshold),
                fileManager: fileManager
            ),
            interceptor: interceptor,
            shouldAutomaticallyResume: shouldAutomaticallyResume,
            fileManager: fileManager
        )
    }
}
