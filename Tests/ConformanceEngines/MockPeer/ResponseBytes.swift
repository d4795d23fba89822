import AirframeConformance
import FoundationEssentials
import HTTPTypes

/// Reads the bytes that a scenario sends as one response, strictly: what a mock cannot say is refused.
struct ResponseBytes {
    private enum Framing {
        case none
        case length(Int)
        case chunked
        case untilClose
    }

    private let isHead: Bool
    private var bytes: [UInt8] = []
    private var framing = Framing.none
    private(set) var informational: [HTTPResponse] = []
    private(set) var head: HTTPResponse?
    private(set) var trailers: HTTPFields?
    private(set) var isComplete = false
    private(set) var isHTTP = true
    /// How many bytes of content there were.
    private(set) var count = 0

    init(isHead: Bool) { self.isHead = isHead }

    var hasHead: Bool { head != nil }
    /// Whether any byte of a response has come.
    var hasBegun: Bool { head != nil || !bytes.isEmpty || !informational.isEmpty }
    /// Whether the end of the connection is the end of the body.
    var endsWithConnection: Bool {
        if case .untilClose = framing { hasHead } else { false }
    }

    /// Takes what is sent next, and returns the content in it.
    @discardableResult
    mutating func take(_ more: [UInt8]) throws -> Data {
        bytes += more
        if head == nil, !Array("HTTP/".utf8).starts(with: bytes.prefix(5)) {
            isHTTP = false
            return Data()
        }
        while head == nil, let lines = takeHead() { try read(lines) }
        guard head != nil else { return Data() }
        let content = try takeContent()
        count += content.count
        if isComplete, !bytes.isEmpty { throw InexpressibleScenario("a mock sends nothing beyond a response") }
        return Data(content)
    }

    // MARK: The head

    private mutating func takeHead() -> [String]? {
        guard let end = bytes.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let text = String(decoding: bytes[..<end.lowerBound], as: UTF8.self)
        bytes.removeSubrange(..<end.upperBound)
        return text.split(separator: "\r\n", omittingEmptySubsequences: false).map(String.init)
    }

    private mutating func read(_ lines: [String]) throws {
        let parts = lines[0].split(separator: " ", maxSplits: 2)
        guard parts.count >= 2, parts[0] == "HTTP/1.1", parts[1].count == 3, let code = Int(parts[1]), code >= 100
        else {
            throw InexpressibleScenario("a mock has no status line such as \(lines[0].debugDescription)")
        }
        let status = HTTPResponse.Status(code: code, reasonPhrase: parts.count > 2 ? String(parts[2]) : "")
        let response = HTTPResponse(status: status, headerFields: try Self.fields(lines.dropFirst()))
        guard code >= 200 else {
            guard code != 101 else { throw InexpressibleScenario("a mock does not switch protocols") }
            informational.append(response)
            return
        }
        head = response
        framing = try framing(of: response)
        if case .none = framing { isComplete = true }
    }

    private static func fields(_ lines: ArraySlice<String>) throws -> HTTPFields {
        // `HTTPFields` traps beyond 65,535.
        guard lines.count < 10_000 else { throw InexpressibleScenario("a mock has no \(lines.count) fields") }
        var fields = HTTPFields()
        for line in lines {
            guard let colon = line.firstIndex(of: ":"), let name = HTTPField.Name(String(line[..<colon])) else {
                throw InexpressibleScenario("a mock has no field line such as \(line.prefix(40).debugDescription)")
            }
            let value = line[line.index(after: colon)...]
            let field = HTTPField(name: name, value: String(value))
            guard !value.unicodeScalars.contains(where: { $0.value == 0 || $0 == "\r" || $0 == "\n" }) else {
                throw InexpressibleScenario("a mock has no field line such as \(line.prefix(40).debugDescription)")
            }
            fields.append(field)
        }
        return fields
    }

    private func framing(of response: HTTPResponse) throws -> Framing {
        if isHead || response.status == .noContent || response.status == .notModified { return .none }
        if let coding = response.headerFields[.transferEncoding] {
            let isPlain = coding.lowercased() == "chunked" && response.headerFields[.contentLength] == nil
            guard isPlain else { throw InexpressibleScenario("a mock has no transfer coding \(coding)") }
            return .chunked
        }
        let lengths = response.headerFields[values: .contentLength]
        guard let text = lengths.first else { return .untilClose }
        guard lengths.count == 1, let length = Int(text), "\(length)" == text, length >= 0 else {
            throw InexpressibleScenario("a mock's length is a number: \(lengths.joined(separator: " and "))")
        }
        return .length(length)
    }

    // MARK: The content

    private mutating func takeContent() throws -> [UInt8] {
        switch framing {
        case .none: return []
        case .untilClose:
            defer { bytes = [] }
            return bytes
        case .length(let length):
            let content = Array(bytes.prefix(length - count))
            bytes.removeFirst(content.count)
            isComplete = count + content.count == length
            return content
        case .chunked: return try takeChunks()
        }
    }

    private mutating func takeChunks() throws -> [UInt8] {
        var content: [UInt8] = []
        while let lineEnd = bytes.firstRange(of: [13, 10]) {
            let line = String(decoding: bytes[..<lineEnd.lowerBound], as: UTF8.self)
            let digits = line.prefix { $0 != ";" }
            guard !digits.isEmpty, digits.allSatisfy(\.isHexDigit), let size = Int(digits, radix: 16) else {
                throw InexpressibleScenario("a mock's chunks have a size: \(line.prefix(40).debugDescription)")
            }
            guard size > 0 else { return try takeTrailers(after: lineEnd.upperBound) ? content : content }
            let end = lineEnd.upperBound + size
            guard bytes.count >= end + 2 else { return content }
            guard bytes[end] == 13, bytes[end + 1] == 10 else {
                throw InexpressibleScenario("a mock's chunks end where they end")
            }
            content += bytes[lineEnd.upperBound..<end]
            bytes.removeSubrange(..<(end + 2))
        }
        return content
    }

    private mutating func takeTrailers(after start: Int) throws -> Bool {
        let rest = Array(bytes[start...])
        if rest.starts(with: [13, 10]) {
            bytes = Array(rest.dropFirst(2))
            isComplete = true
        } else if let end = rest.firstRange(of: Array("\r\n\r\n".utf8)) {
            let text = String(decoding: rest[..<end.lowerBound], as: UTF8.self)
            trailers = try Self.fields(text.split(separator: "\r\n").map(String.init)[...])
            bytes = Array(rest[end.upperBound...])
            isComplete = true
        }
        return isComplete
    }
}
