internal import FoundationEssentials

/// The `cookies.txt` of Netscape, curl, wget and browsers' extensions: seven fields a line, separated by tabs.
enum NetscapeCookies {
    /// A line that cannot be read.
    struct LineError: Error, Sendable, CustomStringConvertible {
        let number: Int

        var description: String { "line \(number) does not have the seven fields of a cookie" }
    }

    private static let httpOnlyMark = "#HttpOnly_"

    /// Returns the cookies as a file. Session cookies have the expiry 0. A cookie with a tab in its value cannot be
    /// written and is skipped.
    static func text(of cookies: [HTTPCookie]) -> String {
        let lines = cookies.compactMap { cookie -> String? in
            let expiry = cookie.expiresDate.map { String(max(1, Int(clamping: $0.timeIntervalSince1970))) } ?? "0"
            let fields = [
                (cookie.isHTTPOnly ? httpOnlyMark : "") + cookie.domain,
                cookie.isHostOnly ? "FALSE" : "TRUE", cookie.path, cookie.isSecure ? "TRUE" : "FALSE", expiry,
                cookie.name, cookie.value,
            ]
            return fields.contains { $0.utf8.contains(UInt8(ascii: "\t")) } ? nil : fields.joined(separator: "\t")
        }
        return (["# Netscape HTTP Cookie File", ""] + lines).joined(separator: "\n") + "\n"
    }

    /// The cookies of a file.
    ///
    /// - Throws: `LineError` for a line that is neither empty, nor a comment, nor a cookie.
    static func cookies(in text: String) throws(LineError) -> [HTTPCookie] {
        var cookies: [HTTPCookie] = []
        // Splits bytes, because `\r\n` is one character of a `String`.
        for (index, bytes) in text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .enumerated()
        {
            let trimmed = bytes.last == UInt8(ascii: "\r") ? bytes.dropLast() : bytes
            var line = Substring(trimmed)
            let isHTTPOnly = line.hasPrefix(httpOnlyMark)
            if isHTTPOnly { line = line.dropFirst(httpOnlyMark.count) }
            guard isHTTPOnly || !(line.isEmpty || line.hasPrefix("#") || line.allSatisfy(\.isWhitespace)) else {
                continue
            }
            guard let cookie = cookie(line, isHTTPOnly: isHTTPOnly) else { throw LineError(number: index + 1) }
            cookies.append(cookie)
        }
        return cookies
    }

    private static func cookie(_ line: Substring, isHTTPOnly: Bool) -> HTTPCookie? {
        var fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        // Some programs omit the last tab if the value is empty.
        if fields.count == 6 { fields.append("") }
        guard fields.count == 7, let expiry = Double(fields[4]), expiry.isFinite else { return nil }
        let host = fields[0].first == "." ? String(fields[0].dropFirst()) : fields[0]
        let cookie = HTTPCookie(
            name: fields[5],
            value: fields[6],
            host: host.lowercased(),
            isHostOnly: fields[1].uppercased() != "TRUE",
            path: fields[2],
            expires: expiry > 0 ? Date(timeIntervalSince1970: expiry) : nil,
            isSecure: fields[3].uppercased() == "TRUE",
            isHTTPOnly: isHTTPOnly,
            sameSite: nil,
            partitionKey: nil,
            created: Date()
        )
        return cookie.isStorable ? cookie : nil
    }
}

extension Int {
    /// `value` without its fraction, clamped to the range of the result.
    init(clamping value: Double) {
        self = value >= 9e18 ? .max : value <= -9e18 || value.isNaN ? .min : Int(value)
    }
}
