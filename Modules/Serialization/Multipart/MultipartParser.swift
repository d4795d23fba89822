public import AirframeCore
public import Foundation

/// An event of a multipart stream. Each part has its header, its content in chunks and its end, in this order.
public enum MultipartEvent: Sendable {
    /// A part begins.
    case header(HTTPHeaders)
    /// Content of the part.
    case content(Data)
    /// The part has ended.
    case end
}

/// A parser of `multipart/…` (RFC 2046 §5.1): `mixed`, `byteranges`, `form-data`, `x-mixed-replace`.
///
/// Content is delivered as it arrives: no part is held in memory. Text before the first part and after the last one is
/// skipped.
public struct MultipartParser: ByteStreamParser {
    /// The maximum length of a part's header, in bytes.
    public static let defaultHeaderLimit = 64 << 10

    private enum Section {
        /// Before the first delimiter.
        case preamble
        case header
        case content
        /// After the last delimiter.
        case epilogue
    }

    /// Whether the last delimiter has been parsed. All bytes after it are skipped.
    var isFinished: Bool { section == .epilogue }

    private let delimiter: [UInt8]
    private let limit: Int
    private var section = Section.preamble
    // Delimiters begin at the start of a line, and so does the stream.
    private var buffer: [UInt8] = [UInt8(ascii: "\n")]
    /// The position of the first byte in the buffer that has not been parsed. Parsed bytes are removed once per chunk.
    private var start = 0
    /// Whether the byte at `start` is the line feed that ended the header and is not content.
    private var isAtContentStart = false
    /// The number of bytes of the stream before `start`.
    private var offset = -1
    /// The start of the last line of an incomplete header, relative to `start`.
    private var headerLine = 0
    /// The number of bytes of an incomplete header that were searched for line feeds.
    private var searchedHeader = 0

    /// Creates a parser.
    ///
    /// - Parameters:
    ///   - boundary: The boundary from the `Content-Type`.
    ///   - maximumHeaderLength: The maximum length of a part's header, in bytes. A longer header fails the stream.
    public init(boundary: String, maximumHeaderLength: Int = Self.defaultHeaderLimit) {
        delimiter = Array("\n--\(boundary)".utf8)
        limit = maximumHeaderLength
    }

    /// Creates a parser for a response.
    ///
    /// - Parameters:
    ///   - contentType: The value of the response's `Content-Type`.
    ///   - maximumHeaderLength: The maximum length of a part's header, in bytes. A longer header fails the stream.
    /// - Throws: ``StreamParsingError/Reason/notMultipart``.
    public init(
        contentType: String?,
        maximumHeaderLength: Int = Self.defaultHeaderLimit
    ) throws(StreamParsingError) {
        guard let contentType, let type = ParameterizedValue(contentType),
            type.value.lowercased().hasPrefix("multipart/"), let boundary = type["boundary"], !boundary.isEmpty
        else { throw StreamParsingError(.notMultipart, at: 0) }
        self.init(boundary: boundary, maximumHeaderLength: maximumHeaderLength)
    }

    /// Parses the next bytes.
    ///
    /// - Throws: ``StreamParsingError`` for a header of a part that is longer than the maximum length.
    public mutating func push(_ data: Data, into elements: inout [MultipartEvent]) throws(StreamParsingError) {
        guard section != .epilogue else { return }
        buffer += data
        while try step(&elements) {}
        buffer.removeFirst(start)
        start = 0
    }

    /// Parses the end of the stream.
    ///
    /// - Throws: ``StreamParsingError/Reason/truncated`` before the last delimiter.
    public mutating func finish(into elements: inout [MultipartEvent]) throws(StreamParsingError) {
        guard section == .epilogue else { throw StreamParsingError(.truncated, at: max(0, offset + buffer.count)) }
    }

    // MARK: Steps

    /// Parses one step of the buffer and returns whether another step is possible.
    private mutating func step(_ elements: inout [MultipartEvent]) throws(StreamParsingError) -> Bool {
        switch section {
        case .preamble, .content: return takeContent(&elements)
        case .header: return try takeHeader(&elements)
        case .epilogue:
            consume(to: buffer.count)
            return false
        }
    }

    private mutating func takeContent(_ elements: inout [MultipartEvent]) -> Bool {
        switch findDelimiter() {
        case .found(let feed, let end, let isLast):
            pass(contentEnd(before: feed), &elements)
            isAtContentStart = false
            if section == .content { elements.append(.end) }
            section = isLast ? .epilogue : .header
            consume(to: end)
            return true
        case .none(let end):
            pass(end, &elements)
            if end > start { isAtContentStart = false }
            consume(to: end)
            return false
        }
    }

    /// Content ends before the line break that precedes the delimiter.
    private func contentEnd(before feed: Int) -> Int {
        feed > start && buffer[feed - 1] == UInt8(ascii: "\r") ? feed - 1 : feed
    }

    private func pass(_ end: Int, _ elements: inout [MultipartEvent]) {
        let first = isAtContentStart ? start + 1 : start
        guard section == .content, end > first else { return }
        elements.append(.content(Data(buffer[first..<end])))
    }

    private mutating func consume(to position: Int) {
        offset += position - start
        start = position
    }

    // MARK: Delimiters

    private enum Search {
        /// A delimiter's line: the position of the line feed before it, its end, and whether it is the last delimiter.
        case found(feed: Int, end: Int, isLast: Bool)
        /// The end of the bytes that do not belong to a delimiter.
        case none(end: Int)
    }

    private enum Candidate {
        case delimiter(end: Int, isLast: Bool)
        case incomplete
        case content
    }

    private func findDelimiter() -> Search {
        var index = start
        while let feed = buffer[index...].firstIndex(of: UInt8(ascii: "\n")) {
            switch candidate(at: feed) {
            case .delimiter(let end, let isLast): return .found(feed: feed, end: end, isLast: isLast)
            case .incomplete: return .none(end: contentEnd(before: feed))
            case .content: index = feed + 1
            }
        }
        // A chunk may end between the two bytes of a line break.
        let endsWithReturn = buffer.count > start && buffer[buffer.count - 1] == UInt8(ascii: "\r")
        return .none(end: endsWithReturn ? buffer.count - 1 : buffer.count)
    }

    /// Returns whether the line after `feed` is a delimiter: only whitespace may follow the boundary.
    private func candidate(at feed: Int) -> Candidate {
        let rest = buffer[feed...]
        guard rest.count >= delimiter.count else { return delimiter.starts(with: rest) ? .incomplete : .content }
        guard rest.starts(with: delimiter) else { return .content }
        var index = feed + delimiter.count
        if index < buffer.count, buffer[index] == UInt8(ascii: "-") {
            guard index + 1 < buffer.count else { return .incomplete }
            return buffer[index + 1] == UInt8(ascii: "-") ? .delimiter(end: index + 2, isLast: true) : .content
        }
        while index < buffer.count {
            switch buffer[index] {
            case UInt8(ascii: "\n"): return .delimiter(end: index + 1, isLast: false)
            case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): index += 1
            default: return .content
            }
            // Bounds the bytes that are buffered while the end of the line is missing.
            if index - feed > delimiter.count + 1024 { return .content }
        }
        return .incomplete
    }

    // MARK: Headers

    private mutating func takeHeader(_ elements: inout [MultipartEvent]) throws(StreamParsingError) -> Bool {
        while let feed = buffer[(start + searchedHeader)...].firstIndex(of: UInt8(ascii: "\n")), feed - start < limit {
            let line = start + headerLine
            guard feed == line || feed == line + 1 && buffer[line] == UInt8(ascii: "\r") else {
                headerLine = feed + 1 - start
                searchedHeader = headerLine
                continue
            }
            elements.append(.header(Self.headers(buffer[start..<line])))
            section = .content
            // The line feed stays in the buffer: in a part without content it can belong to the delimiter.
            consume(to: feed)
            isAtContentStart = true
            (headerLine, searchedHeader) = (0, 0)
            return true
        }
        searchedHeader = buffer.count - start
        guard searchedHeader < limit else { throw StreamParsingError(.tooLong(limit: limit), at: max(0, offset)) }
        return false
    }

    /// Returns the fields of a header. Lines without a field are skipped; a line that begins with whitespace continues
    /// the previous one (RFC 5322 §2.2.3).
    private static func headers(_ text: ArraySlice<UInt8>) -> HTTPHeaders {
        var fields: [(name: String, value: String)] = []
        for bytes in text.split(separator: UInt8(ascii: "\n")) {
            let line = Substring(decoding: bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes, as: UTF8.self)
            if line.first == " " || line.first == "\t" {
                if let last = fields.indices.last { fields[last].value += " " + line.trimmingBlanks }
            } else if let colon = line.firstIndex(of: ":") {
                let name = line[..<colon].trimmingBlanks
                if !name.isEmpty { fields.append((name, line[line.index(after: colon)...].trimmingBlanks)) }
            }
        }
        return HTTPHeaders(fields.map { HTTPHeader(name: $0.name, value: $0.value) })
    }
}

extension Substring {
    fileprivate var trimmingBlanks: String {
        var text = self
        while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return String(text)
    }
}
