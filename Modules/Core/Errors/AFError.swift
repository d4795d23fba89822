public import Foundation

/// The error of a request, by the stage that failed.
///
/// ``transportError`` describes a failure of the exchange: the phase, the library's message, and whether the server may
/// have processed the request. ``underlyingError`` is a `URLError` for code that checks its codes.
public indirect enum AFError: Error, Sendable {
    /// An `UploadableConvertible` threw an error.
    case createUploadableFailed(error: any Error)
    /// A `URLRequestConvertible` threw an error, or its request cannot be sent.
    case createURLRequestFailed(error: any Error)
    /// A downloaded file could not be moved to its destination.
    case downloadedFileMoveFailed(error: any Error, source: URL, destination: URL)
    /// The request was cancelled.
    case explicitlyCancelled
    /// A value is not a valid URL.
    case invalidURL(url: any URLConvertible)
    /// A multipart form could not be encoded.
    case multipartEncodingFailed(reason: MultipartEncodingFailureReason)
    /// A `ParameterEncoding` failed.
    case parameterEncodingFailed(reason: ParameterEncodingFailureReason)
    /// A `ParameterEncoder` failed.
    case parameterEncoderFailed(reason: ParameterEncoderFailureReason)
    /// A ``RequestAdapter`` failed.
    case requestAdaptationFailed(error: any Error)
    /// A ``RequestRetrier`` failed, with its error and the request's.
    case requestRetryFailed(retryError: any Error, originalError: any Error)
    /// A response is not valid.
    case responseValidationFailed(reason: ResponseValidationFailureReason)
    /// A response could not be serialized.
    case responseSerializationFailed(reason: ResponseSerializationFailureReason)
    /// The server is not trusted.
    case serverTrustEvaluationFailed(reason: ServerTrustFailureReason)
    /// The session was released while its request ran.
    case sessionDeinitialized
    /// The session was invalidated, with the error if there was one.
    case sessionInvalidated(error: (any Error)?)
    /// The exchange with the server failed.
    case sessionTaskFailed(error: any Error)
    /// The request is not valid.
    case urlRequestValidationFailed(reason: URLRequestValidationFailureReason)
}
