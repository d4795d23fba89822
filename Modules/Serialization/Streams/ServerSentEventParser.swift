public import Foundation

/// Reads `text/event-stream` (WHATWG HTML §9.2.5, §9.2.6).
///
/// It remembers what a reconnection needs: ``lastEventID`` and ``reconnectionTime``. Begin each connection with a new
/// parser that is told the last identifier.
public struct ServerSentEventParser: ByteStreamParser {
    /// The identifier to send when connecting anew, as `Last-Event-ID`; empty for none.
    ///
    /// It is the last one that a header field can carry. One with control characters, or of more than 4,096 bytes, is
    /// not sent: every new connection would be refused because of it. Its events have it all the same
    /// (``ServerSentEvent/id``).
    public private(set) var lastEventID: String

    /// The longest identifier that is sent: servers accept heads of 8 KiB.
    private static let longestSentID = 4096

    /// The time to wait before connecting anew, if the server named one.
    public private(set) var reconnectionTime: Duration?

    private let limit: Int
    private var splitter: LineSplitter
    private var isAtStart = true
    private var event = ""
    private var data: [UInt8] = []
    private var hasData = false
    /// Becomes ``lastEventID`` when the event ends.
    private var id: String

    /// Makes a parser.
    ///
    /// - Parameters:
    ///   - lastEventID: The last identifier of the connection before.
    ///   - maximumLength: The size of an event, in bytes, from which on the stream is refused.
    public init(lastEventID: String = "", maximumLength: Int = defaultStreamElementLimit) {
        self.lastEventID = lastEventID
        id = lastEventID
        limit = maximumLength
        splitter = LineSplitter(.any, limit: maximumLength)
    }

    /// Takes the next bytes.
    public mutating func push(_ data: Data, into elements: inout [ServerSentEvent]) throws(StreamParsingError) {
        var splitter = splitter
        // The lines end up in this value, which must not be held by the splitter meanwhile.
        self.splitter = LineSplitter(.any, limit: 0)
        defer { self.splitter = splitter }
        try splitter.push(data) { line, offset throws(StreamParsingError) in
            try take(line, at: offset, into: &elements)
        }
    }

    /// Takes the end of the stream. An event that is not complete is dropped, as the standard has it.
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
        // An event without data is none; an empty data line is data.
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
