public import FoundationEssentials

/// A format in which a jar exports and imports cookies. Values are in the clear.
public enum CookieFormat: Sendable, Hashable {
    /// The `cookies.txt` of Netscape, for curl, wget and browsers' extensions.
    case netscape
    /// Airframe's own format, with all properties of a cookie.
    case json
    /// A list of HAR 1.2 cookies. Importing a whole archive stores the cookies that its responses set.
    case har
}

extension CookieJar {
    /// Returns the cookies in a format, session cookies included.
    ///
    /// - Parameter format: The format.
    /// - Throws: `EncodingError` if a date cannot be written.
    public func exported(as format: CookieFormat) throws -> Data {
        switch format {
        case .netscape: Data(NetscapeCookies.text(of: cookies).utf8)
        case .json: try JSONEncoder().encode(CookieFile(cookies: cookies))
        case .har: try HARCookies.data(of: cookies)
        }
    }

    /// Stores the cookies of a file of another program, or of another jar. Expired cookies, and those whose domain is a
    /// public suffix, are skipped.
    ///
    /// - Parameters:
    ///   - data: The content of the file.
    ///   - format: Its format.
    /// - Returns: The number of cookies stored.
    /// - Throws: An error that names the part of the file that cannot be read; then nothing is stored.
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
