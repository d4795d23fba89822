internal import AirframeCore
internal import AirframeTransport
public import Foundation

/// An error of a transfer or of an operation on a queue.
public struct TransferError: Error, Sendable, Hashable {
    /// The kinds of errors. An open set.
    public struct Kind: RawRepresentable, Sendable, Hashable {
        /// The name of the kind.
        public let rawValue: String

        /// Creates a kind.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The queue's file cannot be opened, read or written
        public static let store = Kind(rawValue: "store")
        /// A description asks for something impossible or forbidden
        public static let invalidDescription = Kind(rawValue: "invalidDescription")
        /// A local file cannot be read, written or renamed
        public static let file = Kind(rawValue: "file")
        /// A file already exists at the destination
        public static let destinationExists = Kind(rawValue: "destinationExists")
        /// The file system has too little room for the download
        public static let noSpace = Kind(rawValue: "noSpace")
        /// The bytes do not have the checksum, digest or size that they should have
        public static let integrity = Kind(rawValue: "integrity")
        /// The representation on the server changed while it was downloaded
        public static let representationChanged = Kind(rawValue: "representationChanged")
        /// The file changed while it was uploaded
        public static let fileChanged = Kind(rawValue: "fileChanged")
        /// The server answered with a status that a retry will not change
        public static let refused = Kind(rawValue: "refused")
        /// The server answered with a status that a retry may change
        public static let unavailable = Kind(rawValue: "unavailable")
        /// The connection or the exchange failed
        public static let network = Kind(rawValue: "network")
        /// The server broke the rules of the upload protocol
        public static let uploadProtocol = Kind(rawValue: "uploadProtocol")
        /// The file is larger than the server accepts
        public static let tooLarge = Kind(rawValue: "tooLarge")
        /// Another transfer that this one depends on did not complete
        public static let dependency = Kind(rawValue: "dependency")
        /// The provider of secrets failed
        public static let secrets = Kind(rawValue: "secrets")
        /// Another process took over the transfer
        public static let leaseLost = Kind(rawValue: "leaseLost")
        /// The transfer was stopped: paused, cancelled, or its conditions ended
        public static let stopped = Kind(rawValue: "stopped")
    }

    /// The kind of error.
    public let kind: Kind
    /// A message that says what failed, where and why.
    public let message: String
    /// The number of seconds after which the server asks to retry (`Retry-After`); `nil` if it did not say.
    public var retryAfter: TimeInterval?

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - kind: The kind of error.
    ///   - message: The message, without a full stop.
    ///   - retryAfter: The number of seconds after which the server asks to retry.
    public init(_ kind: Kind, _ message: String, retryAfter: TimeInterval? = nil) {
        self.kind = kind
        self.message = message
        self.retryAfter = retryAfter
    }

    /// Whether another attempt can succeed without a change by the user.
    public var isTransient: Bool {
        switch kind {
        case .network, .unavailable, .representationChanged, .uploadProtocol, .integrity, .secrets: true
        default: false
        }
    }
}

extension TransferError: LocalizedError, CustomStringConvertible {
    /// The message.
    public var description: String { message }
    /// The message.
    public var errorDescription: String? { message }
}

extension TransferError {
    /// The codes of failures that a retry repeats.
    private static let final: Set<TransportError.Code> = [
        .invalidRequest, .unsupportedScheme, .unsupportedOption, .bodyNotReplayable, .trustRefused,
        .clientIdentityRefused, .tooManyRedirects, .invalidRedirect, .redirectRefused, .authenticationFailed,
    ]

    /// Converts any error to an error of a transfer.
    static func wrapping(_ error: any Error) -> TransferError {
        switch error {
        case let error as TransferError: return error
        case let error as AFError:
            if let own = error.underlyingError as? TransferError { return own }
            if let own = error.transportError?.underlying as? TransferError { return own }
            if error.isExplicitlyCancelledError { return TransferError(.stopped, "the transfer was stopped") }
            let words = error.transportError?.description ?? error.localizedDescription
            let isFinal =
                error.isServerTrustEvaluationError || error.isInvalidURLError || error.isRequestAdaptationError
                || error.transportError.map { final.contains($0.code) } ?? false
            return TransferError(isFinal ? .refused : .network, words)
        case is CancellationError: return TransferError(.stopped, "the transfer was stopped")
        default: return TransferError(.network, "\(error)")
        }
    }
}
