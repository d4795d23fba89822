internal import AirframeTransport
public import Foundation

extension AFError: LocalizedError {
    /// One sentence, including the underlying error's.
    public var errorDescription: String? {
        switch self {
        case .createUploadableFailed(let error): "The body to upload could not be made: \(sentence(of: error))"
        case .createURLRequestFailed(let error): "The request could not be made: \(sentence(of: error))"
        case .downloadedFileMoveFailed(let error, let source, let destination):
            "The downloaded file could not be moved from \(source.path) to \(destination.path): \(sentence(of: error))"
        case .explicitlyCancelled: "The request was cancelled."
        case .invalidURL(let url): "There is no valid URL in \(text(of: url).debugDescription)."
        case .multipartEncodingFailed(let reason): "The multipart form could not be encoded: \(reason.words)"
        case .parameterEncodingFailed(let reason): "The parameters could not be encoded: \(reason.words)"
        case .parameterEncoderFailed(let reason): "The parameters could not be encoded: \(reason.words)"
        case .requestAdaptationFailed(let error): "The request could not be adapted: \(sentence(of: error))"
        case .requestRetryFailed(let retryError, let originalError):
            "The decision on a retry failed: \(sentence(of: retryError)) The request had failed before: "
                + sentence(of: originalError)
        case .responseValidationFailed(let reason): "The response is not valid: \(reason.words.printable)"
        case .responseSerializationFailed(let reason): "The response could not be read: \(reason.words)"
        case .serverTrustEvaluationFailed(let reason): "The server is not trusted: \(reason.words.printable)"
        case .sessionDeinitialized:
            "The session was released while the request ran; keep a reference to it for as long as its requests run."
        case .sessionInvalidated(let error):
            error.map { "The session was invalidated: \(sentence(of: $0))" } ?? "The session was invalidated."
        case .sessionTaskFailed(let error): "The exchange with the server failed: \(sentence(of: error))"
        case .urlRequestValidationFailed(.bodyDataInGETRequest(let data)):
            "The request is not valid: a GET cannot have a body, and this one has \(data.count) bytes."
        }
    }

    private func text(of url: any URLConvertible) -> String {
        switch url {
        case let text as String: Redaction.invalidURL(text)
        case let url as URL: Redaction.invalidURL(url.absoluteString)
        case let components as URLComponents: components.string.map(Redaction.invalidURL) ?? "components without a URL"
        default: String(describing: type(of: url))
        }
    }
}

extension AFError: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The same sentence as ``errorDescription``. Underlying errors are left out, because they may contain URLs with
    /// secrets.
    public var description: String { errorDescription ?? "The request failed." }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// The name of the case. `dump` shows ``description``, and not the underlying errors.
    public var customMirror: Mirror { Mirror(self, children: ["case": caseName]) }
}
