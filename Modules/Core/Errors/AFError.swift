public import Foundation

/// Why a request failed, by the step of its way that did.
///
/// What happened on the network is beneath: ``transportError`` has the phase, the library's words, and whether the
/// server can have acted; ``underlyingError`` is a `URLError` for those who know its codes.
public indirect enum AFError: Error, Sendable {
    /// An `UploadableConvertible` threw.
    case createUploadableFailed(error: any Error)
    /// A `URLRequestConvertible` threw, or the request that it made cannot be sent.
    case createURLRequestFailed(error: any Error)
    /// A downloaded file could not be moved to its destination.
    case downloadedFileMoveFailed(error: any Error, source: URL, destination: URL)
    /// The request was cancelled.
    case explicitlyCancelled
    /// There is no valid URL in this.
    case invalidURL(url: any URLConvertible)
    /// A multipart form could not be encoded.
    case multipartEncodingFailed(reason: MultipartEncodingFailureReason)
    /// A `ParameterEncoding` failed.
    case parameterEncodingFailed(reason: ParameterEncodingFailureReason)
    /// A `ParameterEncoder` failed.
    case parameterEncoderFailed(reason: ParameterEncoderFailureReason)
    /// A ``RequestAdapter`` failed.
    case requestAdaptationFailed(error: any Error)
    /// A ``RequestRetrier`` failed; both its error and the one that it looked at.
    case requestRetryFailed(retryError: any Error, originalError: any Error)
    /// A response is not valid.
    case responseValidationFailed(reason: ResponseValidationFailureReason)
    /// A response could not be made into a value.
    case responseSerializationFailed(reason: ResponseSerializationFailureReason)
    /// The server is not trusted.
    case serverTrustEvaluationFailed(reason: ServerTrustFailureReason)
    /// The session was released while its request ran.
    case sessionDeinitialized
    /// The session was invalidated; with which error, if there was one.
    case sessionInvalidated(error: (any Error)?)
    /// The exchange with the server failed.
    case sessionTaskFailed(error: any Error)
    /// The request breaks a rule.
    case urlRequestValidationFailed(reason: URLRequestValidationFailureReason)
}
