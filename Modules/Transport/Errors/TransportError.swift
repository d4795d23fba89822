public import FoundationEssentials

/// Why an exchange failed: what, in which phase, with which peer, and whether the peer may have processed the request.
///
/// Ask it questions (``isTimeout``, ``isCancellation``, ``processing``) and read its ``description``, which is a
/// sentence for an operator. Codes are an open set; no caller needs to know them all.
public struct TransportError: Error, Sendable {
    /// Whether the peer can have acted on the request. A retry of a request that is not idempotent depends on it
    /// (RFC 9110 §9.2.2).
    public enum Processing: String, Sendable, Hashable {
        /// No byte of the request was sent.
        case notSent = "not sent"
        /// The peer has said, or the protocol guarantees, that it did nothing (RFC 9113 §8.7).
        case notProcessed = "not processed"
        /// Nobody can know.
        case unknown
    }

    // One reference, so that an error costs no more to return than a pointer.
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

    /// Makes an error. Secrets in the URLs of its words are hidden by ``RedactionPolicy/standard``.
    ///
    /// - Parameters:
    ///   - code: What failed.
    ///   - phase: In which phase.
    ///   - processing: Whether the peer can have acted on the request.
    ///   - message: What happened, in words that name the offending value, without a full stop.
    ///   - origin: The server that the request was for.
    ///   - libraryMessage: The words of the C library beneath.
    ///   - urlErrorCode: The raw value of the matching `URLError.Code`; by default the code's own.
    ///   - underlying: The error beneath.
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
            // Both may repeat a peer's words: a name in a certificate, a header field, an alert.
            message: code.isReport
                ? RedactionPolicy.standard.sentence(message) : RedactionPolicy.standard.sentence(message).printable,
            origin: origin,
            libraryMessage: libraryMessage.map { RedactionPolicy.standard.sentence($0).printable },
            urlErrorCode: urlErrorCode ?? code.urlErrorCode,
            underlying: underlying
        )
    }

    /// What failed.
    public var code: Code { storage.code }
    /// The phase in which it failed.
    public var phase: TransportPhase { storage.phase }
    /// Whether the peer can have acted on the request.
    public var processing: Processing { storage.processing }
    /// What happened, in words.
    public var message: String { storage.message }
    /// The server that the request was for.
    public var origin: Origin? { storage.origin }
    /// The words of the C library beneath.
    public var libraryMessage: String? { storage.libraryMessage }
    /// The raw value of the matching `URLError.Code`.
    public var urlErrorCode: Int { storage.urlErrorCode }
    /// The error beneath.
    public var underlying: (any Error)? { storage.underlying }

    /// Whether a limit or the deadline ran out.
    public var isTimeout: Bool { code == .timedOut }
    /// Whether the caller ended the exchange.
    public var isCancellation: Bool { code == .cancelled }
    /// Whether the server or its certificates were refused.
    public var isTrustFailure: Bool { code == .trustRefused }
    /// Whether no connection came about.
    public var isConnectionFailure: Bool {
        [.nameResolutionFailed, .connectFailed, .networkUnreachable, .proxyFailed, .tlsFailed, .trustRefused].contains(
            code)
    }

    /// The caller ended the exchange in `phase`.
    public static func cancelled(
        in phase: TransportPhase,
        processing: Processing,
        origin: Origin? = nil
    ) -> TransportError {
        TransportError(.cancelled, phase: phase, processing: processing, message: "cancelled", origin: origin)
    }
}

extension TransportError {
    /// This error without the claim that the server did nothing: for a layer that had sent more than the exchange that
    /// failed.
    package func withUnknownProcessing() -> TransportError {
        guard processing != .unknown else { return self }
        return TransportError(
            code,
            phase: phase,
            processing: .unknown,
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
        return "\(subject) failed in \(phase): \(message)\(library)\(verdict)"
    }
}
