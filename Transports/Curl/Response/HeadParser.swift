internal import AirframeTransport
internal import HTTPTypes

/// Header lines into responses, strictly.
///
/// libcurl frames messages but lets through much that is not HTTP; what a field means must not depend on which parser
/// reads it. It hands over one line at a time, its end of line included, first of every informational response, then of
/// the final one, and last of the trailer.
struct HeadParser {
    /// What a line completed.
    enum Progress {
        case more
        case informational(HTTPResponse)
        case final(HTTPResponse, expectedLength: Int64?)
        case trailer
    }

    /// Why a head is refused.
    enum Failure: Error, Equatable {
        case malformed(String)
        case tooLarge(limit: Int)
        case tooManyFields(limit: Int)
        case tooManyInformational(limit: Int)
    }

    private enum State {
        case statusLine
        case fields(HTTPResponse.Status)
        case body
    }

    /// Limits and circumstances of one exchange.
    struct Rules {
        var sizeLimit = 256 * 1024
        /// `HTTPFields` holds at most 65,535, and ends the process rather than take one more.
        var fieldLimit = 10_000
        var informationalLimit = 32
        var isHTTP2 = false
        var isHead = false
    }

    var rules: Rules
    private var state = State.statusLine
    private var fields = HTTPFields()
    private var informationalCount = 0
    /// The bytes of all heads so far.
    private(set) var byteCount = 0
    /// The version that the last status line named.
    private(set) var version = HTTPVersion.http1_1
    private(set) var trailers: HTTPFields?

    private let names: FieldNameCache

    init(_ rules: Rules, names: FieldNameCache = FieldNameCache()) {
        self.rules = rules
        self.names = names
    }

    /// A parser for the same exchange that has read nothing.
    func restarted() -> HeadParser { HeadParser(rules, names: names) }

    /// Whether the final response's head has been read.
    var isInBody: Bool {
        if case .body = state { true } else { false }
    }

    /// Takes the next line.
    mutating func read(_ line: UnsafeBufferPointer<UInt8>) throws(Failure) -> Progress {
        byteCount += line.count
        guard byteCount <= rules.sizeLimit else { throw .tooLarge(limit: rules.sizeLimit) }
        var content = line[...]
        if content.last == 10 { content = content.dropLast() }
        if content.last == 13 { content = content.dropLast() }
        switch state {
        case .statusLine:
            state = .fields(try readStatusLine(content))
            return .more
        case .fields(let status):
            guard content.isEmpty else {
                try readField(content, into: &fields)
                return .more
            }
            return try endHead(status)
        case .body:
            guard !content.isEmpty else { return .more }
            var trailer = trailers ?? HTTPFields()
            try readField(content, into: &trailer)
            trailers = trailer
            return .trailer
        }
    }

    // MARK: Lines

    /// RFC 9112 §4: `HTTP/1.1 200 OK`; the reason may be missing. libcurl makes `HTTP/2 200` up for HTTP/2.
    private mutating func readStatusLine(_ line: Slice<UnsafeBufferPointer<UInt8>>) throws(Failure)
        -> HTTPResponse.Status
    {
        let parts = line.split(separator: 32, maxSplits: 2, omittingEmptySubsequences: false)
        let name = String(decoding: parts.first ?? line, as: UTF8.self)
        switch (name, rules.isHTTP2) {
        case ("HTTP/2", true): version = .http2
        case ("HTTP/1.1", false): version = .http1_1
        case ("HTTP/1.0", false): version = .http1_0
        default: throw .malformed("the status line \(Self.quoted(line)) is of no version that was asked for")
        }
        guard parts.count > 1, parts[1].count == 3, parts[1].allSatisfy({ (48...57).contains($0) }) else {
            throw .malformed("the status line \(Self.quoted(line)) has no status of three digits")
        }
        let code = parts[1].reduce(0) { $0 * 10 + Int($1) - 48 }
        guard code >= 100 else { throw .malformed("the status \(code) is below 100") }
        guard !line.contains(where: { $0 == 0 || $0 == 13 }) else {
            throw .malformed("the status line \(Self.quoted(line)) holds NUL or a bare carriage return")
        }
        let reason = parts.count > 2 ? String(decoding: parts[2], as: UTF8.self) : ""
        return HTTPResponse.Status(code: code, reasonPhrase: reason)
    }

    private func readField(
        _ line: Slice<UnsafeBufferPointer<UInt8>>,
        into fields: inout HTTPFields
    ) throws(Failure) {
        if let first = line.first, first == 32 || first == 9 { return try Self.fold(line, into: &fields) }
        guard fields.count < rules.fieldLimit else { throw .tooManyFields(limit: rules.fieldLimit) }
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else {
            throw .malformed("the header line \(Self.quoted(line)) has no colon")
        }
        guard let name = names.name(UnsafeBufferPointer(rebasing: line[..<colon])) else {
            throw .malformed("the field name \(Self.quoted(line[..<colon])) is not a token")
        }
        let value = Self.trimmed(line[line.index(after: colon)...])
        try Self.check(value, of: name)
        fields.append(HTTPField(name: name, value: value))
    }

    /// RFC 9112 §5.2: a line that begins with white space goes on with the field before it.
    private static func fold(
        _ line: Slice<UnsafeBufferPointer<UInt8>>,
        into fields: inout HTTPFields
    ) throws(Failure) {
        let index = fields.endIndex - 1
        guard index >= fields.startIndex else { throw .malformed("the head begins with a folded line") }
        let last = fields[index]
        let rest = trimmed(line)
        try check(rest, of: last.name)
        let joined = last.withUnsafeBytesOfValue { Array($0) } + [32] + rest
        fields[index] = HTTPField(name: last.name, value: joined)
    }

    private static func check(_ value: Slice<UnsafeBufferPointer<UInt8>>, of name: HTTPField.Name) throws(Failure) {
        guard !value.contains(where: { $0 == 0 || $0 == 13 || $0 == 10 }) else {
            throw .malformed("the value of the field \(name) holds NUL or a bare carriage return")
        }
    }

    // MARK: The end of a head

    private mutating func endHead(_ status: HTTPResponse.Status) throws(Failure) -> Progress {
        let head = HTTPResponse(status: status, headerFields: fields)
        fields = HTTPFields()
        guard status.code >= 200 else {
            guard status.code != 101 else {
                throw .malformed("the server switches protocols (101) without having been asked")
            }
            informationalCount += 1
            guard informationalCount <= rules.informationalLimit else {
                throw .tooManyInformational(limit: rules.informationalLimit)
            }
            state = .statusLine
            return .informational(head)
        }
        state = .body
        let length = try ContentLength.value(of: head.headerFields)
        let hasNoContent = rules.isHead || status.code == 204 || status.code == 304
        // RFC 9112 §6.3: the length that chunks frame is not the one that a field announces.
        let isCoded = head.headerFields.contains(.transferEncoding)
        return .final(head, expectedLength: hasNoContent ? 0 : (isCoded ? nil : length))
    }

    private static func trimmed(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Slice<UnsafeBufferPointer<UInt8>> {
        var bytes = bytes
        while let first = bytes.first, first == 32 || first == 9 { bytes = bytes.dropFirst() }
        while let last = bytes.last, last == 32 || last == 9 { bytes = bytes.dropLast() }
        return bytes
    }

    private static func quoted(_ line: Slice<UnsafeBufferPointer<UInt8>>) -> String {
        String(decoding: line.prefix(80), as: UTF8.self).debugDescription
    }
}

/// The length that a response's fields announce (RFC 9110 §8.6).
enum ContentLength {
    /// - Returns: The length, or `nil` when none is announced.
    /// - Throws: ``HeadParser/Failure/malformed(_:)`` for what is no length, or more than one.
    static func value(of fields: HTTPFields) throws(HeadParser.Failure) -> Int64? {
        var length: Int64?
        for value in fields[values: .contentLength] {
            // A list of equal lengths may be taken for one.
            for member in value.split(separator: ",", omittingEmptySubsequences: false) {
                var digits = member.drop { $0 == " " || $0 == "\t" }
                while digits.last == " " || digits.last == "\t" { digits.removeLast() }
                guard digits.utf8.allSatisfy({ (48...57).contains($0) }), let number = Int64(digits) else {
                    throw .malformed("the Content-Length \(value.debugDescription) is not a length")
                }
                guard length == nil || length == number else {
                    throw .malformed("the response has two Content-Lengths, \(length ?? 0) and \(number)")
                }
                length = number
            }
        }
        return length
    }
}
