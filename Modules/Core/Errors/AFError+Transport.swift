public import AirframeTransport
package import Foundation

extension AFError {
    /// The transport's error, at any depth: the phase, the library's message, and whether the server may have processed
    /// the request.
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

    /// Returns the error that the user sees for a transport's error.
    ///
    /// A cancellation becomes ``explicitlyCancelled``, an evaluator's rejection of a server
    /// ``serverTrustEvaluationFailed(reason:)``. Every other error becomes a `URLError` with the transport's error
    /// beneath it, for code that checks `URLError` codes.
    ///
    /// - Parameters:
    ///   - error: The transport's error.
    ///   - url: The URL of the request.
    package static func transport(_ error: TransportError, url: URL?) -> AFError {
        if error.isCancellation { return .explicitlyCancelled }
        if error.isTrustFailure {
            switch error.underlying {
            case let reason as ServerTrustFailureReason: return .serverTrustEvaluationFailed(reason: reason)
            case let error as AFError: return error
            // The engine's own evaluation: without a trust manager, a rejected certificate is a failed task.
            case nil: break
            default: return .serverTrustEvaluationFailed(reason: .trustEvaluationFailed(error: error))
            }
        }
        return failedTask(error, url: url)
    }

    /// Returns the error of a task that was cancelled: a `URLError` with the code `cancelled`.
    ///
    /// - Parameter url: The URL of the task's request.
    static func cancelledTask(url: URL?) -> AFError {
        failedTask(.cancelled(in: .layer, processing: .unknown), url: url)
    }

    private static func failedTask(_ error: TransportError, url: URL?) -> AFError {
        var information: [String: Any] = [
            NSUnderlyingErrorKey: error,
            NSLocalizedDescriptionKey: error.description,
        ]
        // The description of a `URLError` contains all of its user info.
        if let url = url?.withoutSecrets { information.setFailingURL(url) }
        let code = URLError.Code(rawValue: error.urlErrorCode) ?? .unknown
        return .sessionTaskFailed(error: URLError(code, userInfo: information))
    }
}

extension [String: Any] {
    /// Sets the URL of a failed task, as a URL and as text, as URLSession does. Its secrets must be redacted.
    mutating func setFailingURL(_ url: URL) {
        self[NSURLErrorFailingURLErrorKey] = url
        // `NSURLErrorFailingURLStringErrorKey`, whose use is a warning. `URLError.failureURLString` reads it.
        self["NSErrorFailingURLStringKey"] = url.absoluteString
    }
}

extension URL {
    /// The URL, with its secrets redacted if it has any.
    var withoutSecrets: URL? {
        let text = absoluteString
        let redacted = Redaction.url(text)
        return redacted == text ? self : URL(string: redacted)
    }
}
