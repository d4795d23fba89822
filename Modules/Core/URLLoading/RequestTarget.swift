internal import Foundation
internal import HTTPTypes

/// The parts of a URL that a request is made of (RFC 9110 §7.1), found in one pass over its text.
///
/// `URLComponents` costs several microseconds for the same; a `URL` has checked and encoded its text before.
struct RequestTarget: Equatable {
    /// In lower case.
    let scheme: String
    /// Host and port, without user information.
    let authority: String
    /// Path and query, without the fragment; never empty.
    let path: String
    /// What stands before an `@` in the authority.
    let userInformation: UserInformation?

    /// Takes a URL's text apart; `nil` for one that names no host, or a port beyond 65535.
    init?(_ text: String) {
        let bytes = text.utf8
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), colon > bytes.startIndex,
            bytes[colon...].starts(with: "://".utf8)
        else { return nil }
        let start = bytes.index(colon, offsetBy: 3)
        let rest = bytes[start...]
        let end = rest.firstIndex { [UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#")].contains($0) }
        let authority = rest[..<(end ?? rest.endIndex)]
        let at = authority.lastIndex(of: UInt8(ascii: "@"))
        let hostAndPort = authority[(at.map { bytes.index(after: $0) } ?? start)...]
        guard let normalized = Self.checked(hostAndPort) else { return nil }

        scheme = text[..<colon].lowercased()
        self.authority = normalized
        userInformation = at.map { UserInformation(text[start..<$0]) }
        path = Self.pathAndQuery(rest[(end ?? rest.endIndex)...])
    }

    /// The host and port, without a colon that no port follows, or `nil` where they cannot be connected to.
    private static func checked(_ bytes: Substring.UTF8View) -> String? {
        var host = bytes
        if bytes.first == UInt8(ascii: "[") {
            guard let bracket = bytes.firstIndex(of: UInt8(ascii: "]")) else { return nil }
            host = bytes[...bracket]
        } else {
            if let colon = bytes.firstIndex(of: UInt8(ascii: ":")) { host = bytes[..<colon] }
            // A name with an escape in it is legal in a URL (RFC 3986 §3.2.2) and known to no resolver.
            guard !host.isEmpty, !host.contains(UInt8(ascii: "%")) else { return nil }
        }
        guard host.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { return nil }
        let port = bytes[host.endIndex...]
        guard !port.isEmpty else { return String(Substring(host)) }
        guard port.first == UInt8(ascii: ":") else { return nil }
        let digits = port.dropFirst()
        if digits.isEmpty { return String(Substring(host)) }
        guard digits.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            UInt16(Substring(digits)) != nil
        else { return nil }
        return String(Substring(bytes))
    }

    private static func pathAndQuery(_ bytes: Substring.UTF8View) -> String {
        let end = bytes.firstIndex(of: UInt8(ascii: "#")) ?? bytes.endIndex
        let target = bytes[..<end]
        let text = Substring(target)
        guard target.first == UInt8(ascii: "/") else { return "/" + encoded(text) }
        return encoded(text)
    }

    /// The text with everything outside visible ASCII encoded, which `URL` has done for all that it parsed itself.
    private static func encoded(_ text: Substring) -> String {
        let isVisible = { (byte: UInt8) in byte > 0x20 && byte < 0x7F }
        guard !text.utf8.allSatisfy(isVisible) else { return String(text) }
        return text.utf8.reduce(into: "") { result, byte in
            if isVisible(byte) {
                result.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                result += "%" + (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
    }
}

/// The user information of a URL (RFC 3986 §3.2.1).
struct UserInformation: Equatable {
    let user: String
    let password: String

    init(_ text: Substring) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        let decoded = parts.map { $0.removingPercentEncoding ?? String($0) }
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
