internal import AirframeTransport
internal import AirframeWire
internal import HTTPTypes

/// A strict parser of header lines.
///
/// libcurl frames messages but accepts much that is not HTTP, and the meaning of a field must not depend on the parser.
/// libcurl hands over one line at a time with its end: first those of informational responses, then those of the final
/// one, and last those of the trailer section.
///
/// The parser is not copyable, because each line changes it in place.
struct HeadParser: ~Copyable {
    /// The part of a message that a line completed.
    enum Progress {
        case more
        case informational(HTTPResponse)
        case final(HTTPResponse, expectedLength: Int64?)
        case trailer
    }

    /// The reason why a head is rejected.
    enum Failure: Error, Equatable {
        case malformed(String)
        case tooLarge(limit: Int)
        case tooManyFields(limit: Int)
        case tooManyInformational(limit: Int)
    }

    private enum Section {
        case statusLine
        case fields(HTTPResponse.Status)
        case body
    }

    /// The limits and circumstances of one exchange.
    struct Rules {
        var sizeLimit = 256 * 1024
        /// The maximum number of fields. `HTTPFields` holds at most 65,535, and traps beyond that.
        var fieldLimit = 10_000
        var informationalLimit = 32
        var isHTTP2 = false
        var isHead = false
    }

    /// How the lines compare with the last head on the connection.
    private enum Recall {
        /// They are not compared.
        case off
        /// All lines so far are the same.
        case same
        case changed
    }

    var rules: Rules
    /// The last head on the connection, until the final one has been read.
    var memory = HeadMemory()
    private var recall = Recall.off
    private var section = Section.statusLine
    /// The fields of the current head. From ``fieldCount`` on they are those of the last head.
    private var fields = HTTPFields()
    private var fieldCount = 0
    private var hasSecret = false
    private var informationalCount = 0
    /// The bytes of all heads so far.
    private(set) var byteCount = 0
    /// The version that the last status line named.
    private(set) var version = HTTPVersion.http1_1
    private var trailerFields: HTTPFields?
    /// The value of the last field while folded lines extend it.
    private var folded: [UInt8] = []
    private var foldCount = 0

    /// Whether the content of the response is chunked.
    private(set) var isChunked = false
    /// Whether a `Transfer-Encoding` of the head is folded. libcurl sees its first line only.
    private(set) var hasFoldedCoding = false

    private let names: FieldNameCache

    init(_ rules: Rules, names: FieldNameCache = FieldNameCache()) {
        self.rules = rules
        self.names = names
    }

    /// Returns a parser for the same exchange that has read nothing.
    func restarted() -> HeadParser { HeadParser(rules, names: names) }

    /// Whether the next line begins a head.
    var expectsStatusLine: Bool {
        if case .statusLine = section { true } else { false }
    }

    /// Whether part of a head has been read.
    var isWithinHead: Bool {
        if case .fields = section { true } else { false }
    }

    /// Takes the next line.
    mutating func read(_ line: UnsafeBufferPointer<UInt8>) throws(Failure) -> Progress {
        byteCount += line.count
        guard byteCount <= rules.sizeLimit else { throw .tooLarge(limit: rules.sizeLimit) }
        guard line.count >= 2, line[line.count - 2] == 13 else {
            throw .malformed("the line \(Self.quoted(Self.content(of: line))) ends in a line feed alone")
        }
        switch section {
        case .statusLine:
            try beginHead(line)
            return .more
        case .fields(let status):
            let content = Self.content(of: line)
            guard !content.isEmpty else {
                Self.endFold(&folded, in: &fields)
                return try endHead(status)
            }
            try addField(line, content)
            return .more
        case .body:
            let content = Self.content(of: line)
            guard !content.isEmpty else { return .more }
            try addTrailer(content)
            return .trailer
        }
    }

    private mutating func beginHead(_ line: UnsafeBufferPointer<UInt8>) throws(Failure) {
        fieldCount = 0
        hasFoldedCoding = false
        if memory.isSame(line, at: 0), let known = memory.versionAndStatus, (known.0 == .http2) == rules.isHTTP2 {
            version = known.0
            recall = .same
            section = .fields(known.1)
            return
        }
        let status = try readStatusLine(Self.content(of: line))
        section = .fields(status)
        // An informational head must not replace the memory of the final one.
        recall = status.code < 200 ? .off : .changed
        fields = HTTPFields()
        guard status.code >= 200 else { return }
        fields = memory.meaning?.head.headerFields ?? HTTPFields()
        memory.note(line, at: 0)
    }

    private mutating func addField(
        _ line: UnsafeBufferPointer<UInt8>,
        _ content: UnsafeBufferPointer<UInt8>
    ) throws(Failure) {
        if recall != .off, fieldCount < rules.fieldLimit {
            if memory.isSame(line, at: fieldCount + 1) {
                fieldCount += 1
                return
            }
            if recall == .same {
                fields = memory.meaning?.head.headerFields ?? HTTPFields()
                recall = .changed
            }
        }
        if Self.isFolded(content) {
            if fields.count > fieldCount { fields.removeSubrange(fieldCount...) }
            let last = fieldCount > 0 ? fields[fieldCount - 1] : nil
            if last?.name == .transferEncoding { hasFoldedCoding = true }
            try fold(content, after: last)
            // Lines and fields no longer correspond.
            recall = .off
            memory.clear()
            return
        }
        Self.endFold(&folded, in: &fields)
        let field = try readField(content, count: fieldCount)
        put(field)
        if recall == .changed { memory.note(line, at: fieldCount) }
    }

    // MARK: Lines

    /// Reads a status line such as `HTTP/1.1 200 OK`, whose reason may be missing (RFC 9112 §4). For HTTP/2, libcurl
    /// composes `HTTP/2 200`.
    private mutating func readStatusLine(_ line: UnsafeBufferPointer<UInt8>) throws(Failure) -> HTTPResponse.Status {
        let parts = line.split(separator: 32, maxSplits: 2, omittingEmptySubsequences: false)
        let name = String(decoding: parts.first ?? line[...], as: UTF8.self)
        switch (name, rules.isHTTP2) {
        case ("HTTP/2", true): version = .http2
        case ("HTTP/1.1", false): version = .http1_1
        case ("HTTP/1.0", false): version = .http1_0
        default: throw .malformed("the status line \(Self.quoted(line)) has an unexpected version")
        }
        guard parts.count > 1, parts[1].count == 3, parts[1].allSatisfy({ (48...57).contains($0) }) else {
            throw .malformed("the status line \(Self.quoted(line)) has no three-digit status")
        }
        let code = parts[1].reduce(0) { $0 * 10 + Int($1) - 48 }
        guard code >= 100 else { throw .malformed("the status \(code) is below 100") }
        guard !line.holdsControl else {
            throw .malformed("the status line \(Self.quoted(line)) contains a control character")
        }
        let reason = parts.count > 2 ? String(decoding: parts[2], as: UTF8.self) : ""
        return HTTPResponse.Status(code: code, reasonPhrase: reason)
    }

    /// Replaces the last head's field at this position.
    private mutating func put(_ field: HTTPField) {
        if fieldCount == fields.count {
            fields.append(field)
        } else if fields[fieldCount].name.rawName == field.name.rawName {
            fields[fieldCount] = field
        } else {
            // Assignment would keep the old spelling of a name that differs in case alone.
            fields.replaceSubrange(fieldCount...fieldCount, with: CollectionOfOne(field))
        }
        fieldCount += 1
    }

    private mutating func readField(
        _ line: UnsafeBufferPointer<UInt8>,
        count: Int
    ) throws(Failure) -> HTTPField {
        guard count < rules.fieldLimit else { throw .tooManyFields(limit: rules.fieldLimit) }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
            throw .malformed("the header line \(Self.quoted(line)) has no colon")
        }
        guard let (name, isSecret) = names.name(UnsafeBufferPointer(rebasing: line[..<colon])) else {
            throw .malformed(
                "the field name \(Self.quoted(UnsafeBufferPointer(rebasing: line[..<colon]))) is not a token")
        }
        if isSecret { hasSecret = true }
        let value = Self.trimmed(line, from: colon + 1)
        try Self.check(value, of: name)
        return HTTPField(name: name, value: value)
    }

    private static func isFolded(_ line: UnsafeBufferPointer<UInt8>) -> Bool { line[0] == 32 || line[0] == 9 }

    /// Extends the previous field by a line that begins with white space (RFC 9112 §5.2). `endFold` assembles the value
    /// after its last line: assembling it with each line would be quadratic.
    private mutating func fold(_ line: UnsafeBufferPointer<UInt8>, after last: HTTPField?) throws(Failure) {
        guard let last else { throw .malformed("the head begins with a folded line") }
        foldCount += 1
        // libcurl 7.88 assembles the value with each line, so the number of lines is limited.
        guard foldCount <= rules.fieldLimit else { throw .tooManyFields(limit: rules.fieldLimit) }
        let rest = Self.trimmed(line, from: 0)
        try Self.check(rest, of: last.name)
        if folded.isEmpty { folded = last.withUnsafeBytesOfValue { Array($0) } }
        folded.append(32)
        folded.append(contentsOf: rest)
    }

    /// Sets the value of the last of `fields`, if folded lines have extended it.
    private static func endFold(_ folded: inout [UInt8], in fields: inout HTTPFields) {
        guard !folded.isEmpty, let index = fields.indices.last else { return }
        fields[index] = HTTPField(name: fields[index].name, value: folded)
        folded = []
    }

    private mutating func addTrailer(_ content: UnsafeBufferPointer<UInt8>) throws(Failure) {
        // Taken out of the optional, so that a line changes it in place and does not copy it.
        var trailer = trailerFields.take() ?? HTTPFields()
        defer { trailerFields = trailer }
        guard !Self.isFolded(content) else { return try fold(content, after: trailer.last) }
        Self.endFold(&folded, in: &trailer)
        trailer.append(try readField(content, count: trailer.count))
    }

    /// The trailer fields so far, or `nil` if there are none. libcurl does not hand over the line that ends them.
    var trailers: HTTPFields? {
        guard var fields = trailerFields, !folded.isEmpty else { return trailerFields }
        var value = folded
        Self.endFold(&value, in: &fields)
        return fields
    }

    private static func check(_ value: UnsafeBufferPointer<UInt8>, of name: HTTPField.Name) throws(Failure) {
        guard !value.holdsControl else {
            throw .malformed("the value of the field \(name) contains a control character")
        }
    }

    // MARK: The end of a head

    private mutating func endHead(_ status: HTTPResponse.Status) throws(Failure) -> Progress {
        if recall == .same {
            if let known = memory.meaning, memory.isWhole(fieldCount + 1) { return enterBody(known) }
            fields = memory.meaning?.head.headerFields ?? HTTPFields()
            recall = .changed
        }
        if fieldCount < fields.count { fields.removeSubrange(fieldCount...) }
        let head = HTTPResponse(status: status, headerFields: fields)
        fields = HTTPFields()
        guard status.code >= 200 else {
            guard status.code != 101 else {
                throw .malformed("the server switches protocols (101), which the request did not ask for")
            }
            informationalCount += 1
            guard informationalCount <= rules.informationalLimit else {
                throw .tooManyInformational(limit: rules.informationalLimit)
            }
            section = .statusLine
            return .informational(head)
        }
        let meaning = HeadMemory.Meaning(
            head: head,
            status: status,
            version: version,
            length: try ContentLength.value(of: head.headerFields),
            isCoded: head.headerFields.contains(.transferEncoding)
        )
        try checkCoding(of: meaning)
        // A coding is not checked where there is no content, but the next response with this head may have some.
        if hasSecret || (meaning.isCoded && hasNoContent(status)) {
            memory.clear()
        } else if recall == .changed {
            memory.keep(meaning, count: fieldCount + 1)
        }
        return enterBody(meaning)
    }

    /// Rejects codings other than `chunked`, and a length together with it (RFC 9112 §6.1, §6.3): recipients disagree
    /// on the end of such a response.
    private func checkCoding(of meaning: HeadMemory.Meaning) throws(Failure) {
        guard meaning.isCoded, !hasNoContent(meaning.status) else { return }
        guard !rules.isHTTP2 else { throw .malformed("an HTTP/2 response has no Transfer-Encoding (RFC 9113 §8.2.2)") }
        do throws(FramingViolation) {
            try TransferCoding.requireChunked(meaning.head.headerFields[fields: .transferEncoding])
        } catch {
            throw .malformed(error.message)
        }
        guard meaning.length == nil else {
            throw .malformed("the response has both Transfer-Encoding and Content-Length")
        }
    }

    private func hasNoContent(_ status: HTTPResponse.Status) -> Bool {
        rules.isHead || status.code == 204 || status.code == 304
    }

    private mutating func enterBody(_ meaning: HeadMemory.Meaning) -> Progress {
        section = .body
        let isEmpty = hasNoContent(meaning.status)
        isChunked = meaning.isCoded && !isEmpty
        return .final(meaning.head, expectedLength: isEmpty ? 0 : meaning.length)
    }

    // MARK: Bytes

    /// Returns a line without its end.
    @inline(__always)
    private static func content(of line: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
        var end = line.count
        if end > 0, line[end - 1] == 10 { end -= 1 }
        if end > 0, line[end - 1] == 13 { end -= 1 }
        return UnsafeBufferPointer(start: line.baseAddress, count: end)
    }

    private static func trimmed(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> UnsafeBufferPointer<UInt8> {
        var start = start
        var end = bytes.count
        while start < end, bytes[start] == 32 || bytes[start] == 9 { start += 1 }
        while end > start, bytes[end - 1] == 32 || bytes[end - 1] == 9 { end -= 1 }
        return UnsafeBufferPointer(rebasing: bytes[start..<end])
    }

    private static func quoted(_ line: UnsafeBufferPointer<UInt8>) -> String {
        String(decoding: line.prefix(80), as: UTF8.self).debugDescription
    }
}
