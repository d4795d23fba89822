public import FoundationEssentials

/// A format in which a jar exports and imports cookies. Values are in the clear.
public enum CookieFormat: Sendable, Hashable {
    /// The `cookies.txt` of Netscape, for curl, wget and browsers' extensions.
    case netscape
    /// Airframe's own, with all that is known of a cookie.
    case json
    /// A list of HAR 1.2 cookies. A whole archive can be imported too: the cookies that its responses set.
    case har
}

extension CookieJar {
    /// The cookies in a format, session cookies among them.
    ///
    /// - Parameter format: The format.
    /// - Throws: `EncodingError` where a date cannot be written.
    public func exported(as format: CookieFormat) throws -> Data {
        switch format {
        case .netscape: Data(NetscapeCookies.text(of: cookies).utf8)
        case .json: try JSONEncoder().encode(CookieFile(cookies: cookies))
        case .har: try HARCookies.data(of: cookies)
        }
    }

    /// Stores the cookies of a file of another program, or of another jar. Those that have expired, or that are for all
    /// names beneath a public suffix, are left out.
    ///
    /// - Parameters:
    ///   - data: The content of the file.
    ///   - format: Its format.
    /// - Returns: How many cookies were stored.
    /// - Throws: An error that says what of the file cannot be read; then nothing is stored.
    @discardableResult
    public func importCookies(from data: Data, as format: CookieFormat) throws -> Int {
        let found =
            switch format {
            case .netscape: try NetscapeCookies.cookies(in: String(decoding: data, as: UTF8.self))
            case .json: try JSONDecoder().decode(CookieFile.self, from: data).cookies
            case .har: try HARCookies.cookies(in: data)
            }
        let now = Date()
        let usable = found.filter { !$0.isExpired(at: now) && ($0.isHostOnly || !PublicSuffixes.contains($0.host)) }
        for cookie in usable { insert(cookie) }
        return usable.count
    }
}
