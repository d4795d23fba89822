public import AirframeCore
public import AirframeEncoding
public import Dispatch
public import Foundation

// Multipart forms with the signatures of Alamofire 4.

@available(*, deprecated, message: "use upload(multipartFormData:to:), which returns the request")
extension SessionManager {
    /// The size in bytes from which a form is encoded in a file.
    public static let multipartFormDataEncodingMemoryThreshold: UInt64 = MultipartFormData.encodingMemoryThreshold

    /// The result of making a form.
    public enum MultipartFormDataEncodingResult: Sendable {
        /// The request that sends the form, and whether it encodes the form in a file. The file's location is always
        /// `nil`: the request makes the file when it starts, and removes it.
        case success(request: UploadRequest, streamingFromDisk: Bool, streamFileURL: URL?)
        /// A part of the form or the `URLRequest` is invalid.
        case failure(any Error)
    }

    /// Uploads a multipart form.
    ///
    /// - Parameters:
    ///   - multipartFormData: A closure that appends the parts, called immediately.
    ///   - encodingMemoryThreshold: The size in bytes from which the form is encoded in a file.
    ///   - url: The URL.
    ///   - method: The method.
    ///   - headers: The header fields to set.
    ///   - queue: The queue on which `encodingCompletion` is called; the main queue if `nil`.
    ///   - encodingCompletion: Receives the request, or the reason why there is none.
    @preconcurrency
    public func upload(
        multipartFormData: (MultipartFormData) -> Void,
        usingThreshold encodingMemoryThreshold: UInt64 = SessionManager.multipartFormDataEncodingMemoryThreshold,
        to url: any URLConvertible,
        method: HTTPMethod = .post,
        headers: HTTPHeaders? = nil,
        queue: DispatchQueue? = nil,
        encodingCompletion: (@Sendable (MultipartFormDataEncodingResult) -> Void)?
    ) {
        let starts = startRequestsImmediately
        let result = makeUpload(multipartFormData, encodingMemoryThreshold, starts) {
            try URLRequest(url: url, method: method, headers: headers)
        }
        (queue ?? .main).async { Self.complete(result, starts, encodingCompletion) }
    }

    /// Uploads a multipart form with a value that makes a `URLRequest`.
    ///
    /// - Parameters:
    ///   - multipartFormData: A closure that appends the parts, called immediately.
    ///   - encodingMemoryThreshold: The size in bytes from which the form is encoded in a file.
    ///   - urlRequest: The value that makes the `URLRequest`, whose own body is not sent.
    ///   - queue: The queue on which `encodingCompletion` is called; the main queue if `nil`.
    ///   - encodingCompletion: Receives the request, or the reason why there is none.
    @preconcurrency
    public func upload(
        multipartFormData: (MultipartFormData) -> Void,
        usingThreshold encodingMemoryThreshold: UInt64 = SessionManager.multipartFormDataEncodingMemoryThreshold,
        with urlRequest: any URLRequestConvertible,
        queue: DispatchQueue? = nil,
        encodingCompletion: (@Sendable (MultipartFormDataEncodingResult) -> Void)?
    ) {
        let starts = startRequestsImmediately
        let result = makeUpload(multipartFormData, encodingMemoryThreshold, starts) { try urlRequest.asURLRequest() }
        (queue ?? .main).async { Self.complete(result, starts, encodingCompletion) }
    }

    /// Delivers the result, and then starts the request, so that what the completion adds to its chain applies.
    private static func complete(
        _ result: MultipartFormDataEncodingResult,
        _ starts: Bool,
        _ completion: (@Sendable (MultipartFormDataEncodingResult) -> Void)?
    ) {
        completion?(result)
        if starts, case .success(let request, _, _) = result { request.start() }
    }

    private func makeUpload(
        _ fill: (MultipartFormData) -> Void,
        _ threshold: UInt64,
        _ starts: Bool,
        _ makeRequest: () throws -> URLRequest
    ) -> MultipartFormDataEncodingResult {
        let form = MultipartFormData()
        fill(form)
        do {
            let urlRequest = try makeRequest()
            // Reads nothing; throws if a part is invalid.
            _ = try form.makeRequestBody()
            return .success(
                request: session.upload(
                    multipartFormData: form,
                    with: urlRequest,
                    usingThreshold: threshold,
                    shouldAutomaticallyResume: starts ? nil : false
                ),
                streamingFromDisk: form.contentLength >= threshold,
                streamFileURL: nil
            )
        } catch {
            return .failure(error)
        }
    }
}

@available(*, deprecated, message: "use AF.upload(multipartFormData:to:), which returns the request")
extension Alamofire {
    /// Uploads a multipart form.
    ///
    /// - Parameters:
    ///   - multipartFormData: A closure that appends the parts, called immediately.
    ///   - encodingMemoryThreshold: The size in bytes from which the form is encoded in a file.
    ///   - url: The URL.
    ///   - method: The method.
    ///   - headers: The header fields to set.
    ///   - encodingCompletion: Receives the request, or the reason why there is none, on the main queue.
    @preconcurrency
    public static func upload(
        multipartFormData: (MultipartFormData) -> Void,
        usingThreshold encodingMemoryThreshold: UInt64 = SessionManager.multipartFormDataEncodingMemoryThreshold,
        to url: any URLConvertible,
        method: HTTPMethod = .post,
        headers: HTTPHeaders? = nil,
        encodingCompletion: (@Sendable (SessionManager.MultipartFormDataEncodingResult) -> Void)?
    ) {
        SessionManager.default.upload(
            multipartFormData: multipartFormData,
            usingThreshold: encodingMemoryThreshold,
            to: url,
            method: method,
            headers: headers,
            encodingCompletion: encodingCompletion
        )
    }

    /// Uploads a multipart form with a value that makes a `URLRequest`.
    ///
    /// - Parameters:
    ///   - multipartFormData: A closure that appends the parts, called immediately.
    ///   - encodingMemoryThreshold: The size in bytes from which the form is encoded in a file.
    ///   - urlRequest: The value that makes the `URLRequest`, whose own body is not sent.
    ///   - encodingCompletion: Receives the request, or the reason why there is none, on the main queue.
    @preconcurrency
    public static func upload(
        multipartFormData: (MultipartFormData) -> Void,
        usingThreshold encodingMemoryThreshold: UInt64 = SessionManager.multipartFormDataEncodingMemoryThreshold,
        with urlRequest: any URLRequestConvertible,
        encodingCompletion: (@Sendable (SessionManager.MultipartFormDataEncodingResult) -> Void)?
    ) {
        SessionManager.default.upload(
            multipartFormData: multipartFormData,
            usingThreshold: encodingMemoryThreshold,
            with: urlRequest,
            encodingCompletion: encodingCompletion
        )
    }
}
