internal import AirframeTransport

extension AFError {
    /// The kind of failure in a word, for metrics: the transport's code, the rejected status, or the name of the case.
    /// The number of kinds is small.
    package var kind: String {
        if let transportError { return transportError.code.rawValue }
        if isExplicitlyCancelledError { return TransportError.Code.cancelled.rawValue }
        if isResponseValidationError, let responseCode { return String(responseCode) }
        return caseName
    }

    /// The name of the case.
    package var caseName: String {
        switch self {
        case .createUploadableFailed: "createUploadableFailed"
        case .createURLRequestFailed: "createURLRequestFailed"
        case .downloadedFileMoveFailed: "downloadedFileMoveFailed"
        case .explicitlyCancelled: "explicitlyCancelled"
        case .invalidURL: "invalidURL"
        case .multipartEncodingFailed: "multipartEncodingFailed"
        case .parameterEncodingFailed: "parameterEncodingFailed"
        case .parameterEncoderFailed: "parameterEncoderFailed"
        case .requestAdaptationFailed: "requestAdaptationFailed"
        case .requestRetryFailed: "requestRetryFailed"
        case .responseValidationFailed: "responseValidationFailed"
        case .responseSerializationFailed: "responseSerializationFailed"
        case .serverTrustEvaluationFailed: "serverTrustEvaluationFailed"
        case .sessionDeinitialized: "sessionDeinitialized"
        case .sessionInvalidated: "sessionInvalidated"
        case .sessionTaskFailed: "sessionTaskFailed"
        case .urlRequestValidationFailed: "urlRequestValidationFailed"
        }
    }
}
