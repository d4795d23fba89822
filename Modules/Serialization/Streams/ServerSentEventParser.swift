public import Foundation

/// A parser of `text/event-stream` (WHATWG HTML §9.2.5, §9.2.6).
///
/// The parser keeps the state for a reconnection: ``lastEventID`` and ``reconnectionTime``. Create a new parser with
/// the last identifier for each connection.
public struct ServerSentEventParser: ByteStreamParser {
    /// The identifier to send as `Last-Event-ID` when reconnecting; empty for none.
    ///
    /// This is the last identifier that a header field can carry. An identifier with control characters, or of more
    /// than 4,096 bytes, is not sent, because servers would refuse every reconnection. Its events carry it nevertheless
    /// (``ServerSentEvent/id``).
    public private(set) var lastEventID: String

    /// The maximum length of an identifier that is sent: servers accept heads of 8 KiB.
    private static let longestSentID = 4096

    /// The delay before a reconnection, if the server set one.
    public private(set) var reconnectionTime: Duration?

    private let limit: Int
    private var splitter: LineSplitter
    private var isAtStart = true
    private var event = ""
    private var data: [UInt8] = []
    private var hasData = false
    /// Becomes ``lastEventID`` when the event ends.
    private var id: String

    /// Creates a parser.
    ///
    /// - Parameters:
    ///   - lastEventID: The last identifier of the previous connection.
    ///   - maximumLength: The maximum size of an event, in bytes. A longer event fails the stream.
    public init(lastEventID: String = "", maximumLength: Int = defaultStreamElementLimit) {
        self.lastEventID = lastEventID
        id = lastEventID
        limit = maximumLength
        splitter = LineSplitter(.any, limit: maximumLength)
    }

    /// Parses the next bytes.
    ///
    /// - Throws: ``StreamParsingError`` for a line or an event that is longer than the maximum length.
    public mutating func push(_ data: Data, into elements: inout [ServerSentEvent]) throws(StreamParsingError) {
        var splitter = splitter
        // The closure changes this value, so the splitter must be moved out of it first.
        self.splitter = LineSplitter(.any, limit: 0)
        defer { self.splitter = splitter }
        try splitter.push(data) { line, offset throws(StreamParsingError) in
            try take(line, at: offset, into: &elements)
        }
    }

    /// Parses the end of the stream. An incomplete event is dropped, as the standard requires. Throws no error.
    public mutating func finish(into elements: inout [ServerSentEvent]) throws(StreamParsingError) {
        _ = splitter.finish()
    }

    private mutating func take(
        _ line: [UInt8],
        at offset: Int,
        into elements: inout [ServerSentEvent]
    ) throws(StreamParsingError) {
        var start = 0
        if isAtStart {
            isAtStart = false
            if line.starts(with: [0xEF, 0xBB, 0xBF]) { start = 3 }
        }
        guard line.count > start else { return dispatch(into: &elements) }
        let colon = line[start...].firstIndex(of: UInt8(ascii: ":")) ?? line.count
        // A line that begins with a colon is a comment.
        guard colon > start else { return }
        var value = min(colon + 1, line.count)
        if value < line.count, line[value] == UInt8(ascii: " ") { value += 1 }
        try take(field: line[start..<colon], value: line[value...], at: offset)
    }

    private mutating func take(
        field: ArraySlice<UInt8>,
        value: ArraySlice<UInt8>,
        at offset: Int
    ) throws(StreamParsingError) {
        if field.elementsEqual("data".utf8) {
            guard data.count + value.count < limit else {
                throw StreamParsingError(.tooLong(limit: limit), at: offset)
            }
            if hasData { data.append(UInt8(ascii: "\n")) }
            data.append(contentsOf: value)
            hasData = true
        } else if field.elementsEqual("event".utf8) {
            event = String(decoding: value, as: UTF8.self)
        } else if field.elementsEqual("id".utf8) {
            if !value.contains(0) { id = String(decoding: value, as: UTF8.self) }
        } else if field.elementsEqual("retry".utf8) {
            let isNumber = value.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            if isNumber, let milliseconds = Int(String(decoding: value, as: UTF8.self)) {
                reconnectionTime = .milliseconds(milliseconds)
            }
        }
    }

    private static func isSendable(_ id: String) -> Bool {
        id.utf8.count <= longestSentID && id.utf8.allSatisfy { ($0 >= 0x20 || $0 == 0x09) && $0 != 0x7F }
    }

    private mutating func dispatch(into elements: inout [ServerSentEvent]) {
        if Self.isSendable(id) { lastEventID = id }
        // An event without data lines is dropped; an empty data line counts.
        if hasData {
            elements.append(
                ServerSentEvent(
                    event: event.isEmpty ? "message" : event,
                    data: String(decoding: data, as: UTF8.self),
                    id: id
                )
            )
        }
        event = ""
        data.removeAll(keepingCapacity: data.capacity <= 64 << 10)
        hasData = false
    }
}
