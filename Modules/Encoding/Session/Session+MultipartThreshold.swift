public import AirframeCore
public import Foundation

// Alamofire's way: below a threshold the form is made in memory, above it in a temporary file, before anything is sent.
// Disfavoured: without a threshold, a call means the streamed form.

extension Session {
    /// Uploads a form of several parts, made in memory or in a temporary file before it is sent.
    ///
    /// - Parameters:
    ///   - multipartFormData: Appends the parts; called at once.
    ///   - url: The URL.
    ///   - encodingMemoryThreshold: The number of bytes of content from which on the form goes through a file.
    ///   - method: The method.
    ///   - headers: Fields to set.
    ///   - interceptor: Adapts and retries this request, after the session's.
    ///   - fileManager: Makes and removes the temporary file.
    ///   - requestModifier: Changes the `URLRequest`.
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

    /// Uploads a form of several parts with anything that makes a `URLRequest`, made in memory or in a temporary file
    /// before it is sent.
    ///
    /// - Parameters:
    ///   - multipartFormData: Appends the parts; called at once.
    ///   - request: Makes the `URLRequest`; its own body is not sent.
    ///   - encodingMemoryThreshold: The number of bytes of content from which on the form goes through a file.
    ///   - interceptor: Adapts and retries this request, after the session's.
    ///   - fileManager: Makes and removes the temporary file.
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

    /// Uploads a form of several parts, made in memory or in a temporary file before it is sent.
    ///
    /// - Parameters:
    ///   - multipartFormData: The form.
    ///   - url: The URL.
    ///   - encodingMemoryThreshold: The number of bytes of content from which on the form goes through a file.
    ///   - method: The method.
    ///   - headers: Fields to set.
    ///   - interceptor: Adapts and retries this request, after the session's.
    ///   - shouldAutomaticallyResume: Whether to start when the first handler is added; the session's rule if `nil`.
    ///   - fileManager: Makes and removes the temporary file.
    ///   - requestModifier: Changes the `URLRequest`.
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

    /// Uploads a form of several parts with anything that makes a `URLRequest`, made in memory or in a temporary file
    /// before it is sent.
    ///
    /// - Parameters:
    ///   - multipartFormData: The form.
    ///   - request: Makes the `URLRequest`; its own body is not sent.
    ///   - encodingMemoryThreshold: The number of bytes of content from which on the form goes through a file.
    ///   - interceptor: Adapts and retries this request, after the session's.
    ///   - shouldAutomaticallyResume: Whether to start when the first handler is added; the session's rule if `nil`.
    ///   - fileManager: Makes and removes the temporary file.
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
