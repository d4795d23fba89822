internal import FoundationEssentials

/// The cookies of HTTP archives (HAR 1.2): a list of cookies, or those of a whole archive.
enum HARCookies {
    struct Cookie: Codable {
        var name: String
        var value: String
        var path: String?
        var domain: String?
        var expires: String?
        var httpOnly: Bool?
        var secure: Bool?
        var sameSite: String?
    }

    struct Archive: Decodable {
        struct Log: Decodable {
            var entries: [Entry]
        }

        struct Entry: Decodable {
            struct Request: Decodable {
                var url: String
            }

            struct Response: Decodable {
                var cookies: [Cookie]?
            }

            var request: Request
            var response: Response
        }

        var log: Log
    }

    /// Returns the cookies as a list in JSON, with Foundation's `domain`: a leading dot includes subdomains.
    static func data(of cookies: [HTTPCookie]) throws -> Data {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        let list = cookies.map { cookie in
            Cookie(
                name: cookie.name,
                value: cookie.value,
                path: cookie.path,
                domain: cookie.domain,
                expires: cookie.expiresDate.map { style.format($0) },
                httpOnly: cookie.isHTTPOnly,
                secure: cookie.isSecure,
                sameSite: cookie.sameSitePolicy?.rawValue
            )
        }
        return try JSONEncoder().encode(list)
    }

    /// Returns the cookies of a list, or those that the responses of an archive set. A cookie without a domain is a
    /// host-only cookie of its request's host; one that has neither, or that HTTP could not carry, is skipped.
    static func cookies(in data: Data) throws -> [HTTPCookie] {
        if let list = try? JSONDecoder().decode([Cookie].self, from: data) {
            return list.compactMap { cookie($0, of: nil) }
        }
        let archive = try JSONDecoder().decode(Archive.self, from: data)
        return archive.log.entries.flatMap { entry in
            let request = URL(string: entry.request.url).flatMap { CookieRequest(url: $0) }
            return (entry.response.cookies ?? []).compactMap { cookie($0, of: request) }
        }
    }

    private static func cookie(_ cookie: Cookie, of request: CookieRequest?) -> HTTPCookie? {
        var domain = cookie.domain.flatMap { $0.isEmpty ? nil : $0 }
        // Archives have the `Domain` attribute, which includes subdomains with and without a dot.
        if request != nil, let given = domain, given.first != "." { domain = "." + given }
        guard let host = domain ?? request?.host else { return nil }
        let path = cookie.path.flatMap { $0.first == "/" ? $0 : nil }
        return HTTPCookie(
            name: cookie.name,
            value: cookie.value,
            domain: host,
            path: path ?? request.map { CookieMatching.defaultPath(of: $0.path) } ?? "/",
            expires: cookie.expires.flatMap(date),
            isSecure: cookie.secure ?? false,
            isHTTPOnly: cookie.httpOnly ?? false,
            sameSite: cookie.sameSite.map { HTTPCookieStringPolicy(rawValue: $0.lowercased()) }
        )
    }

    private static func date(_ text: String) -> Date? {
        (try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)))
            ?? (try? Date(text, strategy: .iso8601)) ?? CookieDate.parse(text)
    }
}
