public import FoundationEssentials
public import HTTPTypes
internal import Synchronization

/// The content of a request, and how often it can be sent.
///
/// A redirect that keeps the method, an authentication round or a retry sends the same content again. Whether that is
/// possible is a property of the content, and is known before anything is sent: see ``replay``.
public struct RequestBody: Sendable {
    /// How often, and from where, a body can be read.
    public enum Replay: Sendable, Hashable {
        /// Once. A second reading throws ``TransportError/Code/bodyNotReplayable``.
        case oneShot
        /// Any number of times, each from the start.
        case restartable
        /// Any number of times, each from any offset.
        case seekable
    }

    /// Where the bytes are. Engines switch over it to send files and bytes without a copy.
    public enum Content: Sendable {
        /// There is no content, and no framing is sent for it.
        case none
        /// All bytes in memory.
        case bytes(Data)
        /// A part of a file.
        case file(FileRegion)
        /// Bytes that are made while they are sent.
        case stream(Stream)
    }

    /// A body that is made while it is sent.
    public struct Stream: Sendable {
        let open: @Sendable () throws -> any RequestBodySource

        /// Opens the body for one sending.
        ///
        /// - Throws: ``TransportError/Code/bodyNotReplayable`` when the body is one-shot and was opened before, or what
        ///   the maker of the source throws.
        public func makeSource() throws -> any RequestBodySource { try open() }
    }

    /// Where the bytes are.
    public let content: Content

    /// The number of bytes, or `nil` when it is not known before the end. Without it HTTP/1.1 sends the body in chunks
    /// (RFC 9112 §7.1).
    public let length: Int64?

    /// How often the body can be sent.
    public let replay: Replay

    /// Makes the trailer fields (RFC 9110 §6.5) once the content has been sent, or `nil` when there are none.
    public var trailers: (@Sendable () async throws -> HTTPFields)?

    init(content: Content, length: Int64?, replay: Replay) {
        self.content = content
        // Foundation's users say -1 for a length that they do not know.
        self.length = length.flatMap { $0 < 0 ? nil : $0 }
        self.replay = replay
    }

    /// No content: the request has no body.
    public static let none = RequestBody(content: .none, length: 0, replay: .seekable)

    /// Bytes in memory. Empty `data` is content of length 0, and is framed as such.
    public static func bytes(_ data: Data) -> RequestBody {
        RequestBody(content: .bytes(data), length: Int64(data.count), replay: .seekable)
    }

    /// A region of a file.
    public static func file(_ region: FileRegion) -> RequestBody {
        RequestBody(content: .file(region), length: region.length, replay: .seekable)
    }

    /// A body from a source that can be opened anew for each sending.
    ///
    /// - Parameters:
    ///   - length: The number of bytes, or `nil` when it is not known. A source that brings fewer or more fails the
    ///     exchange.
    ///   - makeSource: Makes a source that starts at the beginning.
    public static func restartable(
        length: Int64? = nil,
        _ makeSource: @escaping @Sendable () throws -> any RequestBodySource
    ) -> RequestBody {
        RequestBody(content: .stream(Stream(open: makeSource)), length: length, replay: .restartable)
    }

    /// A body from a source that can be read once.
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

    /// A body from an asynchronous sequence of data, read once.
    ///
    /// - Parameters:
    ///   - sequence: The bytes, in order. Pulled as the connection takes them.
    ///   - length: The number of bytes, or `nil` when it is not known.
    public static func sequence<Bytes: AsyncSequence & Sendable>(
        _ sequence: Bytes,
        length: Int64? = nil
    ) -> RequestBody where Bytes.Element == Data {
        oneShot(length: length, SequenceBodySource(sequence))
    }

    /// A body from an asynchronous sequence that can be made anew for each sending.
    ///
    /// - Parameters:
    ///   - length: The number of bytes, or `nil` when it is not known.
    ///   - makeSequence: Makes the sequence.
    public static func restartableSequence<Bytes: AsyncSequence & Sendable>(
        length: Int64? = nil,
        _ makeSequence: @escaping @Sendable () -> Bytes
    ) -> RequestBody where Bytes.Element == Data {
        restartable(length: length) { SequenceBodySource(makeSequence()) }
    }

    /// This body, followed by trailer fields.
    ///
    /// - Parameter makeTrailers: Called once the content has been sent; what it throws fails the exchange.
    public func trailers(_ makeTrailers: @escaping @Sendable () async throws -> HTTPFields) -> RequestBody {
        var body = self
        body.trailers = makeTrailers
        return body
    }

    /// Whether there is no content at all.
    public var isNone: Bool {
        if case .none = content { true } else { false }
    }
}

/// Lets the first reader of a one-shot body pass and refuses every later one.
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
