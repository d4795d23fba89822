public import AirframeTransport
package import Foundation

extension AFError {
    /// The transport's account of the failure, wherever it is beneath: phase, library's words, whether the server can
    /// have acted on the request.
    public var transportError: TransportError? {
        switch self {
        case .requestRetryFailed(let retryError, let originalError):
            Self.transportError(beneath: originalError) ?? Self.transportError(beneath: retryError)
        default: underlyingError.flatMap(Self.transportError)
        }
    }

    private static func transportError(beneath error: any Error) -> TransportError? {
        switch error {
        case let error as TransportError: error
        case let error as AFError: error.transportError
        case let error as URLError: error.userInfo[NSUnderlyingErrorKey] as? TransportError
        default: nil
        }
    }

    /// What the user sees of a transport's error.
    ///
    /// A cancellation stays one; an evaluator's refusal of a server becomes
    /// ``serverTrustEvaluationFailed(reason:)`` with its reason. Everything else is a `URLError` with the transport's
    /// error beneath it, for users who ask for `URLError` codes.
    ///
    /// - Parameters:
    ///   - error: The transport's error.
    ///   - url: The URL that was asked for.
    package static func transport(_ error: TransportError, url: URL?) -> AFError {
        if error.isCancellation { return .explicitlyCancelled }
        if error.isTrustFailure {
            switch error.underlying {
            case let reason as ServerTrustFailureReason: return .serverTrustEvaluationFailed(reason: reason)
            case let error as AFError: return error
            // The engine's own verdict: without a trust manager, a refused certificate is a failed task.
            case nil: break
            default: return .serverTrustEvaluationFailed(reason: .trustEvaluationFailed(error: error))
            }
        }
        var information: [String: Any] = [
            NSUnderlyingErrorKey: error,
            NSLocalizedDescriptionKey: error.description,
        ]
        // `URLError` shows all that it holds when it is interpolated.
        if let url { information[NSURLErrorFailingURLErrorKey] = url.withoutSecrets }
        let code = URLError.Code(rawValue: error.urlErrorCode) ?? .unknown
        return .sessionTaskFailed(error: URLError(code, userInfo: information))
    }
}

extension URL {
    /// The URL itself if there is no secret in it, or one with placeholders.
    fileprivate var withoutSecrets: URL? {
        let text = absoluteString
        let redacted = Redaction.url(text)
        return redacted == text ? self : URL(string: redacted)
    }
}
