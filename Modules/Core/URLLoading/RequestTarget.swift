internal import Foundation
internal import HTTPTypes

/// The parts of a URL that make up a request (RFC 9110 §7.1), found in one pass over its text.
///
/// `URLComponents` takes several microseconds to parse a string that `URL` has validated and encoded already.
struct RequestTarget: Equatable {
    /// In lower case.
    let scheme: String
    /// Host and port, without user information.
    let authority: String
    /// Path and query, without the fragment; never empty.
    let path: String
    /// The user information of the authority.
    let userInformation: UserInformation?

    /// Parses a URL's text. Returns `nil` if it has no host, or a port above 65535.
    init?(_ text: String) {
        guard let ranges = URLRanges(text.utf8.span) else { return nil }
        let slice = { (range: Range<Int>) in
            let start = text.utf8.index(text.startIndex, offsetBy: range.lowerBound)
            return text[start..<text.utf8.index(start, offsetBy: range.count)]
        }
        scheme = Self.scheme(slice(ranges.scheme))
        authority = String(slice(ranges.authority))
        userInformation = ranges.userInformation.map { UserInformation(slice($0)) }
        let target = slice(ranges.target)
        let encoded = ranges.isTargetVisible ? String(target) : Self.encoded(target)
        path = encoded.utf8.first == UInt8(ascii: "/") ? encoded : "/" + encoded
    }

    private static func scheme(_ text: Substring) -> String {
        switch text {
        case "https": "https"
        case "http": "http"
        default: text.lowercased()
        }
    }

    /// Returns the text with everything outside visible ASCII percent-encoded, as `URL` does when it parses.
    private static func encoded(_ text: Substring) -> String {
        text.utf8.reduce(into: "") { result, byte in
            if URLRanges.isVisible(byte) {
                result.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
    }
}

/// The ranges of a URL's parts in its bytes (RFC 3986 §3).
private struct URLRanges {
    let scheme: Range<Int>
    let userInformation: Range<Int>?
    /// Host and port, without a trailing colon.
    let authority: Range<Int>
    /// Path and query.
    let target: Range<Int>
    /// Whether path and query are visible ASCII throughout.
    let isTargetVisible: Bool

    init?(_ bytes: borrowing Span<UInt8>) {
        guard let colon = Self.first(of: ":", in: bytes, 0..<bytes.count), colon > 0, bytes.count >= colon + 3,
            bytes[colon + 1] == UInt8(ascii: "/"), bytes[colon + 2] == UInt8(ascii: "/")
        else { return nil }
        var end = colon + 3
        var hostStart = end
        while end < bytes.count, !Self.endsAuthority(bytes[end]) {
            if bytes[end] == UInt8(ascii: "@") { hostStart = end + 1 }
            end += 1
        }
        guard let authority = Self.authority(in: bytes, hostStart..<end) else { return nil }
        var targetEnd = end
        var isVisible = true
        while targetEnd < bytes.count, bytes[targetEnd] != UInt8(ascii: "#") {
            isVisible = isVisible && Self.isVisible(bytes[targetEnd])
            targetEnd += 1
        }
        scheme = 0..<colon
        userInformation = hostStart > colon + 3 ? colon + 3..<hostStart - 1 : nil
        self.authority = authority
        target = end..<targetEnd
        isTargetVisible = isVisible
    }

    static func isVisible(_ byte: UInt8) -> Bool { byte > 0x20 && byte < 0x7F }

    private static func endsAuthority(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") || byte == UInt8(ascii: "#")
    }

    private static func first(
        of character: Unicode.Scalar,
        in bytes: borrowing Span<UInt8>,
        _ range: Range<Int>
    ) -> Int? {
        for index in range where bytes[index] == UInt8(ascii: character) { return index }
        return nil
    }

    /// Returns the range of host and port, or `nil` if they cannot be connected to.
    private static func authority(in bytes: borrowing Span<UInt8>, _ range: Range<Int>) -> Range<Int>? {
        guard !range.isEmpty else { return nil }
        let isBracketed = bytes[range.lowerBound] == UInt8(ascii: "[")
        var hostEnd = range.upperBound
        if isBracketed {
            guard let bracket = first(of: "]", in: bytes, range) else { return nil }
            hostEnd = bracket + 1
        } else if let colon = first(of: ":", in: bytes, range) {
            hostEnd = colon
        }
        guard hostEnd > range.lowerBound else { return nil }
        for index in range.lowerBound..<hostEnd {
            // A percent-encoded name is valid in a URL (RFC 3986 §3.2.2), but no resolver accepts one.
            guard isVisible(bytes[index]), isBracketed || bytes[index] != UInt8(ascii: "%") else { return nil }
        }
        guard hostEnd < range.upperBound else { return range }
        guard bytes[hostEnd] == UInt8(ascii: ":") else { return nil }
        guard hostEnd + 1 < range.upperBound else { return range.lowerBound..<hostEnd }
        return isPort(bytes, hostEnd + 1..<range.upperBound) ? range : nil
    }

    private static func isPort(_ bytes: borrowing Span<UInt8>, _ range: Range<Int>) -> Bool {
        var port = 0
        for index in range {
            guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[index]) else { return false }
            port = port * 10 + Int(bytes[index] - UInt8(ascii: "0"))
            guard port <= UInt16.max else { return false }
        }
        return true
    }
}

/// The user information of a URL (RFC 3986 §3.2.1).
struct UserInformation: Equatable {
    let user: String
    let password: String

    init(_ text: Substring) {
        let parts = text.utf8.split(separator: UInt8(ascii: ":"), maxSplits: 1, omittingEmptySubsequences: false)
        let decoded = parts.map { Substring($0) }.map { $0.removingPercentEncoding ?? String($0) }
        user = decoded.first ?? ""
        password = decoded.count > 1 ? decoded[1] : ""
    }

    /// Basic credentials (RFC 7617).
    var basicAuthorization: HTTPField {
        HTTPField(
            name: .authorization,
            value: "Basic " + Data("\(user):\(password)".utf8).base64EncodedString()
        )
    }
}
