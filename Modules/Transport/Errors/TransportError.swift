public import FoundationEssentials

/// The failure of an exchange: its kind, phase and peer, and whether the peer may have processed the request.
///
/// Branch on its properties (``isTimeout``, ``isCancellation``, ``processing``) and show its ``description``, a
/// sentence for an operator. Codes are an open set; no caller needs to handle them all.
public struct TransportError: Error, Sendable {
    /// Whether the peer may have processed the request. Retries of requests that are not idempotent depend on it
    /// (RFC 9110 §9.2.2).
    public enum Processing: String, Sendable, Hashable {
        /// No byte of the request was sent.
        case notSent = "not sent"
        /// The peer reported, or the protocol guarantees, that it did not process the request (RFC 9113 §8.7).
        case notProcessed = "not processed"
        /// The client cannot tell.
        case unknown
    }

    // One reference: typed throws return the error by value through every frame.
    private final class Storage: Sendable {
        let code: Code
        let phase: TransportPhase
        let processing: Processing
        let message: String
        let origin: Origin?
        let libraryMessage: String?
        let urlErrorCode: Int
        let underlying: (any Error)?

        init(
            code: Code,
            phase: TransportPhase,
            processing: Processing,
            message: String,
            origin: Origin?,
            libraryMessage: String?,
            urlErrorCode: Int,
            underlying: (any Error)?
        ) {
            self.code = code
            self.phase = phase
            self.processing = processing
            self.message = message
            self.origin = origin
            self.libraryMessage = libraryMessage
            self.urlErrorCode = urlErrorCode
            self.underlying = underlying
        }
    }

    private let storage: Storage

    /// Creates an error. ``RedactionPolicy/standard`` hides secrets in the URLs of its messages.
    ///
    /// - Parameters:
    ///   - code: The kind of failure.
    ///   - phase: The phase in which the exchange failed.
    ///   - processing: Whether the peer may have processed the request.
    ///   - message: What happened, with the offending value, without a full stop.
    ///   - origin: The origin of the request.
    ///   - libraryMessage: The message of the C library.
    ///   - urlErrorCode: The raw value of the matching `URLError.Code`; by default the code's own.
    ///   - underlying: The underlying error.
    public init(
        _ code: Code,
        phase: TransportPhase,
        processing: Processing,
        message: String,
        origin: Origin? = nil,
        libraryMessage: String? = nil,
        urlErrorCode: Int? = nil,
        underlying: (any Error)? = nil
    ) {
        storage = Storage(
            code: code,
            phase: phase,
            processing: processing,
            // Both may quote the peer: a name in a certificate, a header field, an alert.
            message: code.isReport
                ? RedactionPolicy.standard.sentence(message) : RedactionPolicy.standard.sentence(message).printable,
            origin: origin,
            libraryMessage: libraryMessage.map { RedactionPolicy.standard.sentence($0).printable },
            urlErrorCode: urlErrorCode ?? code.urlErrorCode,
            underlying: underlying
        )
    }

    /// The kind of failure.
    public var code: Code { storage.code }
    /// The phase in which the exchange failed.
    public var phase: TransportPhase { storage.phase }
    /// Whether the peer may have processed the request.
    public var processing: Processing { storage.processing }
    /// The failure in one sentence. Secrets are redacted.
    public var message: String { storage.message }
    /// The origin of the request.
    public var origin: Origin? { storage.origin }
    /// The message of the C library.
    public var libraryMessage: String? { storage.libraryMessage }
    /// The raw value of the matching `URLError.Code`.
    public var urlErrorCode: Int { storage.urlErrorCode }
    /// The underlying error.
    public var underlying: (any Error)? { storage.underlying }

    /// Whether a limit or the deadline elapsed.
    public var isTimeout: Bool { code == .timedOut }
    /// Whether the caller cancelled the exchange.
    public var isCancellation: Bool { code == .cancelled }
    /// Whether the server or its certificates were refused.
    public var isTrustFailure: Bool { code == .trustRefused }
    /// Whether no connection could be established.
    public var isConnectionFailure: Bool {
        [.nameResolutionFailed, .connectFailed, .networkUnreachable, .proxyFailed, .tlsFailed, .trustRefused].contains(
            code)
    }

    /// Returns the error of an exchange that the caller cancelled in `phase`.
    ///
    /// - Parameters:
    ///   - phase: The phase in which the exchange was cancelled.
    ///   - processing: Whether the peer may have processed the request.
    ///   - origin: The origin of the request.
    public static func cancelled(
        in phase: TransportPhase,
        processing: Processing,
        origin: Origin? = nil
    ) -> TransportError {
        TransportError(.cancelled, phase: phase, processing: processing, message: "cancelled", origin: origin)
    }
}

extension TransportError {
    /// Returns this error with ``Processing/unknown``, for a layer that sent other exchanges before the failed one.
    package func withUnknownProcessing() -> TransportError {
        processing == .unknown ? self : with(phase, .unknown)
    }

    /// Returns this error in another phase, for an engine of which a part failed that does not know the phase.
    package func moved(to phase: TransportPhase) -> TransportError { with(phase, processing) }

    private func with(_ phase: TransportPhase, _ processing: Processing) -> TransportError {
        TransportError(
            code,
            phase: phase,
            processing: processing,
            message: message,
            origin: origin,
            libraryMessage: libraryMessage,
            urlErrorCode: urlErrorCode,
            underlying: underlying
        )
    }
}

extension TransportError: LocalizedError {
    /// The same sentence as ``description``.
    public var errorDescription: String? { description }
}

extension TransportError: CustomStringConvertible {
    /// One sentence: `https://api.test:443 failed in TLS: certificate has expired [OpenSSL: …] (not sent)`.
    public var description: String {
        let subject = origin.map { "request to \($0)" } ?? "request"
        let library = libraryMessage.map { " [\($0)]" } ?? ""
        let verdict = processing == .unknown ? "" : " (\(processing.rawValue))"
        // A layer is not a phase that an operator could look at; its message names the rule.
        let place = phase == .layer ? "" : " in \(phase)"
        return "\(subject) failed\(place): \(message)\(library)\(verdict)"
    }
}
