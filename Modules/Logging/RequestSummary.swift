internal import AirframeCore
internal import AirframeTransport
internal import Foundation
internal import Logging

/// The outcome of a request, which decides the level of its line.
enum RequestOutcome: Sendable {
    case succeeded
    case rejected(AFError?)
    case failed(AFError)
    case cancelled

    init(of request: Request) {
        switch request.error {
        case nil: self = (request.response?.statusCode ?? 0) >= 500 ? .rejected(nil) : .succeeded
        case let error? where error.isCancellation: self = .cancelled
        case let error? where error.isResponseValidationError: self = .rejected(error)
        case let error?: self = .failed(error)
        }
    }
}

extension RequestLogger.Levels {
    subscript(outcome: RequestOutcome) -> Logger.Level {
        switch outcome {
        case .succeeded: success
        case .rejected: rejection
        case .failed: failure
        case .cancelled: cancellation
        }
    }
}

/// The summary line of a request.
struct RequestSummary {
    let message: String
    let metadata: Logger.Metadata

    init(of request: Request, _ outcome: RequestOutcome, _ redaction: RedactionPolicy) {
        let urlRequest = request.lastRequest
        let method = urlRequest?.httpMethod ?? "GET"
        let url = (urlRequest?.url?.absoluteString).map(redaction.url)
        let metrics = request.metrics
        let last = metrics?.transactionMetrics.last
        let duration = metrics?.taskInterval.duration
        var words = url.map { "\(method) \($0)" } ?? "a request that was not made"
        var metadata: Logger.Metadata = [LogKey.method: .string(method)]
        metadata[LogKey.url] = url.map { .string($0) }

        if let status = request.response?.statusCode {
            words += " \(status)"
            metadata[LogKey.statusCode] = .stringConvertible(status)
        }
        switch outcome {
        case .succeeded: break
        case .cancelled: words += " was cancelled"
        case .rejected(nil): metadata[LogKey.errorType] = metadata[LogKey.statusCode]
        case .rejected(let error?), .failed(let error):
            let sentence = error.logSentence(redaction).printable
            words += " failed: \(sentence)"
            metadata[LogKey.errorType] = .string(error.logType)
            metadata[LogKey.errorMessage] = .string(sentence)
        }
        if let duration {
            words += " in \(duration.durationText)"
            metadata[LogKey.duration] = .string(duration.millisecondsText)
        }
        if let last {
            let received = last.countOfResponseBodyBytesReceived
            if received > 0 {
                words += ", \(received.byteCountText)"
                metadata[LogKey.responseBodySize] = .stringConvertible(received)
            }
            if last.countOfRequestBodyBytesSent > 0 {
                metadata[LogKey.requestBodySize] = .stringConvertible(last.countOfRequestBodyBytesSent)
            }
            metadata[LogKey.protocolName] = last.networkProtocolName.map { .string($0) }
            metadata[LogKey.peerAddress] = last.remoteAddress.map { .string($0) }
            if last.isReusedConnection { metadata[LogKey.isReused] = "true" }
        }
        if let redirects = metrics?.redirectCount, redirects > 0 {
            words += redirects == 1 ? ", 1 redirect" : ", \(redirects) redirects"
            metadata[LogKey.redirectCount] = .stringConvertible(redirects)
        }
        let retries = request.retryCount
        if retries > 0 {
            words += retries == 1 ? ", 1 retry" : ", \(retries) retries"
            metadata[LogKey.retryCount] = .stringConvertible(retries)
        }
        message = words
        self.metadata = metadata
    }
}

extension AFError {
    /// Whether the user ended the request.
    var isCancellation: Bool {
        isExplicitlyCancelledError || isSessionDeinitializedError || isSessionInvalidatedError
            || transportError?.isCancellation == true
    }

    /// The error in a sentence without secrets, preferably the transport's description.
    func logSentence(_ redaction: RedactionPolicy) -> String {
        redaction.sentence(transportError?.description ?? errorDescription ?? "\(self)")
    }

    /// The kind of failure in one word.
    var logType: String {
        if let transportError { return transportError.code.description }
        return caseName
    }
}
