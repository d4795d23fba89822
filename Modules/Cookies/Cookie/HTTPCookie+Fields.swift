public import FoundationEssentials

extension HTTPCookie {
    /// Returns the cookies of the `Set-Cookie` fields of a response from `url`.
    ///
    /// A dictionary holds a field once, so several cookies must be separated by commas, as Foundation does. Cookies
    /// that `url` may not set are skipped.
    ///
    /// - Parameters:
    ///   - fields: The header fields. Names are case-insensitive.
    ///   - url: The URL of the response.
    public static func cookies(withResponseHeaderFields fields: [String: String], for url: URL) -> [HTTPCookie] {
        guard let request = CookieRequest(url: url) else { return [] }
        let texts = fields.filter { $0.key.lowercased() == "set-cookie" }.values.flatMap(split)
        let date = Date()
        return texts.compactMap { text in
            try? ReceivedCookie(text, request: request, rules: CookieRules(), at: date).cookie
        }
    }

    /// Returns the header fields that send `cookies`: `Cookie`, or none without cookies.
    public static func requestHeaderFields(with cookies: [HTTPCookie]) -> [String: String] {
        guard !cookies.isEmpty else { return [:] }
        return ["Cookie": cookies.map(\.pair).joined(separator: "; ")]
    }

    /// Splits joined fields at the commas that a name and `=` follow. The comma of a date is followed by neither.
    private static func split(_ field: String) -> [String] {
        var cookies: [String] = []
        for part in field.split(separator: ",", omittingEmptySubsequences: false) {
            let beginning = part.prefix { $0 != ";" && $0 != "=" }
            let name = beginning.drop { $0 == " " || $0 == "\t" }
            let isCookie =
                beginning.endIndex < part.endIndex && part[beginning.endIndex] == "=" && !name.isEmpty
                && !name.contains { $0 == " " || $0 == "\t" }
            if cookies.isEmpty || isCookie {
                cookies.append(String(part))
            } else {
                cookies[cookies.count - 1] += "," + part
            }
        }
        return cookies
    }
}
