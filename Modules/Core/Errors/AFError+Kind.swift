internal import AirframeTransport

extension AFError {
    /// What kind of failure it is, in a word, for those who count: the transport's code, the status that was refused,
    /// or the name of the case. There are few of them.
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
