public import AirframeCore
internal import AirframeTransport
public import Foundation

extension DataStreamRequest {
    /// Returns the parts of a `multipart/…` response (RFC 2046 §5.1), one after the other, each as a stream.
    ///
    /// ```swift
    /// let request = session.streamRequest("https://api.test/video", headers: ["Range": "bytes=0-99,500-599"])
    /// for try await part in request.validate().multipartParts() {
    ///     let range = part.range  // of the whole representation
    ///     for try await chunk in part { print(range as Any, chunk.count) }
    /// }
    /// ```
    ///
    /// Reading exerts backpressure on the server, and no part is held in memory. Requesting the next part skips the
    /// remainder of the current one. The sequence ends at the last delimiter: what follows it is discarded, for five
    /// seconds and up to 64 KiB if the request is cancelled automatically. The sequence throws a
    /// ``StreamParsingError`` for a response that is not `multipart` or that ends before its last part.
    ///
    /// - Parameters:
    ///   - maximumHeaderLength: The maximum length of a part's header, in bytes. A longer header fails the response.
    ///   - shouldAutomaticallyCancel: Whether the request is cancelled when the reader stops before the end.
    public func multipartParts(
        maximumHeaderLength: Int = MultipartParser.defaultHeaderLimit,
        automaticallyCancelling shouldAutomaticallyCancel: Bool = true
    ) -> MultipartParts {
        MultipartParts(
            bytes(automaticallyCancelling: shouldAutomaticallyCancel), maximumHeaderLength, transportClock)
    }
}

/// The parts of a multipart response. They can be read once.
public struct MultipartParts: AsyncSequence, Sendable {
    private let reader: MultipartReader

    init(_ bytes: DataStreamRequest.Bytes, _ limit: Int, _ clock: any TransportClock) {
        reader = MultipartReader(bytes, limit: limit, clock)
    }

    /// Creates an iterator over the unread remainder.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(reader: reader) }

    /// An iterator over the parts of the response.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let reader: MultipartReader

        /// Returns the next part, or `nil` after the last one. Skips the remainder of the previous part.
        ///
        /// - Throws: The request's error, or a ``StreamParsingError``.
        public mutating func next() async throws -> MultipartResponsePart? { try await reader.nextPart() }
    }
}

/// A part of a multipart response: its header, and its content as a sequence that is read once.
public struct MultipartResponsePart: AsyncSequence, Sendable {
    /// A chunk of the content.
    public typealias Element = Data

    /// The fields of the part's header.
    public let headers: HTTPHeaders
    fileprivate let number: Int
    fileprivate let reader: MultipartReader

    /// The part's media type; `nil` if the header has none, which means `text/plain` (RFC 2046 §5.1).
    public var contentType: String? { headers["Content-Type"] }

    /// The range of bytes of a part of `multipart/byteranges` (RFC 9110 §14.6); `nil` for other parts.
    public var range: ClosedRange<Int64>? { contentRange.map { $0.first...$0.last } }

    /// The length of the whole representation, if `Content-Range` states it.
    public var totalLength: Int64? { contentRange?.completeLength }

    /// The name of a part of `multipart/form-data` (RFC 7578 §4.2).
    public var name: String? { headers["Content-Disposition"].flatMap { ParameterizedValue($0)?["name"] } }

    /// The name of the part's file as the server sent it. It can contain path separators: do not use it as a path
    /// unchecked.
    public var filename: String? { headers["Content-Disposition"].flatMap { ParameterizedValue($0)?["filename"] } }

    private var contentRange: ContentRange? { headers["Content-Range"].flatMap { ContentRange($0) } }

    /// Returns the whole content.
    ///
    /// - Parameter limit: The maximum number of bytes.
    /// - Throws: The errors of reading; ``StreamParsingError/Reason/tooLong(limit:)`` for longer content.
    public func collect(upTo limit: Int) async throws -> Data {
        var content = Data()
        for try await chunk in self {
            guard chunk.count <= limit - content.count else {
                throw StreamParsingError(.tooLong(limit: limit), at: content.count)
            }
            content.append(chunk)
        }
        return content
    }

    /// Creates an iterator over the unread remainder.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(part: self) }

    /// An iterator over the chunks of the content.
    public struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let part: MultipartResponsePart

        /// Returns the next chunk, or `nil` at the end of the part and after a later part has been requested.
        ///
        /// - Throws: The request's error, or a ``StreamParsingError``.
        public mutating func next() async throws -> Data? {
            try await part.reader.nextContent(of: part.number)
        }
    }
}

/// The reader of a multipart response, shared by its parts.
///
/// An actor, because the parts share one stream. It has one caller at a time.
private actor MultipartReader {
    private enum Input {
        /// Nothing has been read yet.
        case unread(DataStreamRequest.Bytes)
        case open(DataStreamRequest.Bytes, MultipartParser)
        case ended
    }

    /// The maximum number of bytes that are read after the last delimiter.
    private static let epilogueLimit = 64 << 10
    /// The maximum time of reading after the last delimiter.
    private static let epilogueTime = Duration.seconds(5)

    private let limit: Int
    private let clock: any TransportClock
    private var input: Input
    private var events: ArraySlice<MultipartEvent> = []
    /// The error to throw after the events before it have been delivered.
    private var failure: (any Error)?
    /// The part that is read now.
    private var number = 0
    private var isWithinPart = false

    init(_ bytes: DataStreamRequest.Bytes, limit: Int, _ clock: any TransportClock) {
        self.limit = limit
        self.clock = clock
        input = .unread(bytes)
    }

    func nextPart() async throws -> MultipartResponsePart? {
        while let event = try await nextEvent() {
            guard case .header(let headers) = event else { continue }
            number += 1
            isWithinPart = true
            return MultipartResponsePart(headers: headers, number: number, reader: self)
        }
        return nil
    }

    func nextContent(of part: Int) async throws -> Data? {
        guard part == number, isWithinPart, let event = try await nextEvent() else { return nil }
        guard case .content(let data) = event else {
            isWithinPart = false
            return nil
        }
        return data
    }

    private func nextEvent() async throws -> MultipartEvent? {
        while true {
            if let event = events.popFirst() { return event }
            if let failure {
                self.failure = nil
                throw failure
            }
            switch input {
            case .ended: return nil
            case .unread(let bytes):
                input = .ended
                let head = try await bytes.response
                let type = head.value(forHTTPHeaderField: "Content-Type")
                let parser = try MultipartParser(contentType: type, maximumHeaderLength: limit)
                input = .open(bytes, parser)
            case .open(let bytes, var parser):
                // Releases the other reference to the parser's buffer, which would be copied for each chunk.
                input = .ended
                var iterator = bytes.makeAsyncIterator()
                let data = try await iterator.next(isolation: self)
                parse(data, bytes, &parser)
            }
        }
    }

    private func parse(
        _ data: Data?,
        _ bytes: DataStreamRequest.Bytes,
        _ parser: inout MultipartParser
    ) {
        var made: [MultipartEvent] = []
        do throws(StreamParsingError) {
            if let data {
                try parser.push(data, into: &made)
                if parser.isFinished {
                    Self.discardEpilogue(of: bytes, clock)
                } else {
                    input = .open(bytes, parser)
                }
            } else {
                try parser.finish(into: &made)
            }
        } catch {
            failure = error
        }
        events = made[...]
    }

    /// Reads what follows the last delimiter, which has no meaning (RFC 2046 §5.1.1), so that the request completes and
    /// its connection can be reused. The parts do not wait for that: a server may keep the body open. Beyond the limits
    /// the body is released, which cancels the request if it is cancelled automatically.
    private static func discardEpilogue(of bytes: DataStreamRequest.Bytes, _ clock: any TransportClock) {
        Task {
            await withTaskGroup(of: Void.self) { group in
                group.addTask {
                    var iterator = bytes.makeAsyncIterator()
                    var rest = Self.epilogueLimit
                    while rest >= 0, let chunk = try? await iterator.next() { rest -= chunk.count }
                }
                group.addTask { try? await clock.sleep(for: Self.epilogueTime) }
                _ = await group.next()
                group.cancelAll()
            }
        }
    }
}
