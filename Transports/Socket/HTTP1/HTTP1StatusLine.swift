internal import AirframeTransport
internal import HTTPTypes

/// The first line of a response (RFC 9112 §4): `HTTP/1.1 200 OK`.
struct HTTP1StatusLine: Equatable, Sendable {
    let status: HTTPResponse.Status
    /// The minor version: 0, 1, or a later one, which is compatible with 1.1 (RFC 9110 §2.5).
    let minorVersion: UInt8

    /// The number of bytes that distinguish HTTP/1 from other protocols.
    static let signatureLength = 8

    private static let signature: [UInt8] = Array("HTTP/1.".utf8)

    /// Parses `line`, which includes its end of line.
    ///
    /// The reason may be empty, and the space before an empty reason may be missing, as some servers send it. Otherwise
    /// the line must follow the grammar.
    init(_ line: RawSpan) throws(HTTP1Violation) {
        try Self.checkSignature(line)
        let end = try line.endOfContent(of: "the status line")
        guard end >= 9, line.byte(8) == .space else {
            throw .malformed("the status line \(line.quoted(0..<end)) has no space after its version")
        }
        guard end >= 12, line.byte(9).isDigit, line.byte(10).isDigit, line.byte(11).isDigit,
            end == 12 || line.byte(12) == .space
        else {
            throw .malformed("the status line \(line.quoted(0..<end)) has no status of three digits")
        }
        let code = Int(line.byte(9) - 48) * 100 + Int(line.byte(10) - 48) * 10 + Int(line.byte(11) - 48)
        guard code >= 100 else { throw .malformed("the status \(line.quoted(9..<12)) is below 100") }
        minorVersion = line.byte(7) - 48
        status = HTTPResponse.Status(
            code: code,
            reasonPhrase: end > 13 ? try Self.reason(line.extracting(13..<end)) : ""
        )
    }

    /// Returns whether a line that starts with `bytes` can be a status line of HTTP/1 or an empty line.
    static func isBeginning(_ bytes: [UInt8]) -> Bool {
        signature.starts(with: bytes.prefix(signature.count)) || bytes == [.carriageReturn]
    }

    /// Checks that `line`, which may be incomplete, can be a status line of HTTP/1.
    ///
    /// Only the first eight bytes count, so that the result does not depend on how many bytes have arrived.
    static func checkSignature(_ line: RawSpan) throws(HTTP1Violation) {
        var length = 0
        while length < min(signatureLength, line.byteCount), line.byte(length) != .lineFeed { length += 1 }
        var matching = 0
        while matching < min(length, signature.count), line.byte(matching) == signature[matching] { matching += 1 }
        if matching == signature.count, length == signatureLength, line.byte(7).isDigit { return }
        let beginning = line.quoted(0..<length)
        if matching >= 5 {
            throw .malformed("the response's version is not 1.0 or 1.1: it begins with \(beginning)")
        }
        if length >= 5, line.byte(0) == 0x15, line.byte(1) == 3 {
            throw .malformed("the server answered with a TLS alert: it expects https")
        }
        if length == signatureLength, line.byte(0) == 0, line.byte(3) == 4 {
            throw .malformed("the server answered with an HTTP/2 frame: it does not speak HTTP/1.1")
        }
        throw .malformed("the response is not HTTP/1.1: it begins with \(beginning)")
    }

    /// Returns the reason, decoded as ISO Latin-1, which `HTTPResponse.Status` allows.
    private static func reason(_ bytes: RawSpan) throws(HTTP1Violation) -> String {
        var isASCII = true
        for offset in 0..<bytes.byteCount {
            let byte = bytes.byte(offset)
            guard !byte.isControl else {
                throw .malformed("the reason in the status line contains the control byte \(byte.hexadecimal)")
            }
            if byte > 127 { isASCII = false }
        }
        guard !isASCII else { return bytes.text(in: 0..<bytes.byteCount) }
        var text = ""
        for offset in 0..<bytes.byteCount { text.unicodeScalars.append(Unicode.Scalar(bytes.byte(offset))) }
        return text
    }
}

extension RawSpan {
    /// Returns where the content of a line ends: before its CR LF.
    ///
    /// - Throws: If the line ends with a bare line feed. RFC 9112 §2.2 allows recipients to accept one; rejecting it
    ///   ensures that no two recipients see different messages.
    @inline(__always)
    func endOfContent(of line: @autoclosure () -> String) throws(HTTP1Violation) -> Int {
        let end = byteCount - 2
        guard end >= 0, byte(end) == .carriageReturn else {
            throw .malformed("\(line()) ends with a bare line feed")
        }
        return end
    }

    /// Returns the beginning of `range` for an error message: quoted, with unprintable bytes escaped.
    func quoted(_ range: Range<Int>) -> String {
        let shown = range.lowerBound..<Swift.min(range.upperBound, range.lowerBound + 48)
        var text = "\""
        for offset in shown {
            let byte = byte(offset)
            switch byte {
            case 0x22, 0x5C: text += "\\\(Unicode.Scalar(byte))"
            case 0x20..<0x7F: text.unicodeScalars.append(Unicode.Scalar(byte))
            default: text += "\\x\(byte.hexadecimalDigits)"
            }
        }
        return text + (shown.count < range.count ? "…\"" : "\"")
    }
}

extension UInt8 {
    var hexadecimalDigits: String { String(self >> 4, radix: 16) + String(self & 15, radix: 16) }
    var hexadecimal: String { "0x\(hexadecimalDigits)" }
}
