public import FoundationEssentials
public import HTTPTypes
internal import Synchronization

/// The content of a request, and how often it can be sent.
///
/// A redirect that keeps the method, an authentication round or a retry sends the same content again. Whether that is
/// possible is a property of the content, and is known before anything is sent: see ``replay``.
public struct RequestBody: Sendable {
    /// How often a body can be read, and from which offsets.
    public enum Replay: Sendable, Hashable {
        /// Once. A second reading throws ``TransportError/Code/bodyNotReplayable``.
        case oneShot
        /// Any number of times, each from the start.
        case restartable
        /// Any number of times, each from any offset.
        case seekable
    }

    /// The storage of the bytes. Engines switch over it to send files and memory without a copy.
    public enum Content: Sendable {
        /// There is no content, and no framing is sent for it.
        case none
        /// All bytes in memory.
        case bytes(Data)
        /// A part of a file.
        case file(FileRegion)
        /// Bytes that are produced while they are sent.
        case stream(Stream)
    }

    /// A body that is produced while it is sent.
    public struct Stream: Sendable {
        let open: @Sendable () throws -> any RequestBodySource

        /// Opens the body for one sending.
        ///
        /// - Throws: ``TransportError/Code/bodyNotReplayable`` if the body is one-shot and was opened before; otherwise
        ///   the errors of the closure that makes the source.
        public func makeSource() throws -> any RequestBodySource { try open() }
    }

    /// The storage of the bytes.
    public let content: Content

    /// The number of bytes; `nil` if it is not known in advance. HTTP/1.1 then sends the body in chunks (RFC 9112
    /// §7.1).
    public let length: Int64?

    /// How often the body can be sent.
    public let replay: Replay

    /// Produces the trailer fields (RFC 9110 §6.5) once the content has been sent; `nil` if there are none.
    public var trailers: (@Sendable () async throws -> HTTPFields)?

    init(content: Content, length: Int64?, replay: Replay) {
        self.content = content
        // Foundation's APIs use -1 for an unknown length.
        self.length = length.flatMap { $0 < 0 ? nil : $0 }
        self.replay = replay
    }

    /// No content: the request has no body.
    public static let none = RequestBody(content: .none, length: 0, replay: .seekable)

    /// Returns a body of bytes in memory. Empty `data` is content of length 0, and is framed as such.
    public static func bytes(_ data: Data) -> RequestBody {
        RequestBody(content: .bytes(data), length: Int64(data.count), replay: .seekable)
    }

    /// Returns a body of a region of a file.
    public static func file(_ region: FileRegion) -> RequestBody {
        RequestBody(content: .file(region), length: region.length, replay: .seekable)
    }

    /// Returns a body from a source that can be opened again each time that the body is sent.
    ///
    /// - Parameters:
    ///   - length: The number of bytes; `nil` if it is not known. A source with fewer or more bytes fails the exchange.
    ///   - makeSource: Creates a source that starts at the beginning. A ``TransportError`` that it throws fails the
    ///     exchange; another error is the underlying error of ``TransportError/Code/bodyFailed``.
    public static func restartable(
        length: Int64? = nil,
        _ makeSource: @escaping @Sendable () throws -> any RequestBodySource
    ) -> RequestBody {
        RequestBody(content: .stream(Stream(open: makeSource)), length: length, replay: .restartable)
    }

    /// Returns a body from a source that can be read once.
    ///
    /// - Parameters:
    ///   - length: The number of bytes, or `nil` when it is not known.
    ///   - source: The source.
    public static func oneShot(length: Int64? = nil, _ source: any RequestBodySource) -> RequestBody {
        let gate = OneShotGate()
        let stream = Stream {
            try gate.pass()
            return source
        }
        return RequestBody(content: .stream(stream), length: length, replay: .oneShot)
    }

    /// Returns a body from an asynchronous sequence of data, read once.
    ///
    /// - Parameters:
    ///   - sequence: The bytes, in order. The engine pulls them at the rate of the connection.
    ///   - length: The number of bytes, or `nil` when it is not known.
    public static func sequence<Bytes: AsyncSequence & Sendable>(
        _ sequence: Bytes,
        length: Int64? = nil
    ) -> RequestBody where Bytes.Element == Data {
        oneShot(length: length, SequenceBodySource(sequence))
    }

    /// Returns a body from an asynchronous sequence that can be made again each time that the body is sent.
    ///
    /// - Parameters:
    ///   - length: The number of bytes, or `nil` when it is not known.
    ///   - makeSequence: Creates the sequence.
    public static func restartableSequence<Bytes: AsyncSequence & Sendable>(
        length: Int64? = nil,
        _ makeSequence: @escaping @Sendable () -> Bytes
    ) -> RequestBody where Bytes.Element == Data {
        restartable(length: length) { SequenceBodySource(makeSequence()) }
    }

    /// Returns this body, followed by trailer fields.
    ///
    /// - Parameter makeTrailers: Called once the content has been sent; an error that it throws fails the exchange.
    public func trailers(_ makeTrailers: @escaping @Sendable () async throws -> HTTPFields) -> RequestBody {
        var body = self
        body.trailers = makeTrailers
        return body
    }

    /// Whether there are neither content nor trailer fields.
    var hasNoContent: Bool {
        if case .none = content, case .none = trailers { true } else { false }
    }

    /// Whether there is no content at all.
    public var isNone: Bool {
        if case .none = content { true } else { false }
    }
}

/// Admits the first reader of a one-shot body and rejects later ones.
private final class OneShotGate: Sendable {
    private let isOpen = Atomic(true)

    func pass() throws(TransportError) {
        guard isOpen.exchange(false, ordering: .acquiringAndReleasing) else {
            throw TransportError(
                .bodyNotReplayable,
                phase: .requestBody,
                processing: .notSent,
                message: "the request's body can be read only once and was read before"
            )
        }
    }
}
