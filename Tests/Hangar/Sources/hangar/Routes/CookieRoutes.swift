import Foundation

extension Router {
    /// Cookies (RFC 6265), kept by the client alone.
    mutating func addCookieRoutes() {
        add("GET", path: "/cookies") { call in
            .json(["cookies": .grouped(call.cookies)])
        }
        add("GET", path: "/cookies/set") { call in
            try Self.set(call.query.pairs.map { "\($0.name)=\($0.value); Path=/" })
        }
        add("GET", path: "/cookies/set/{name}/{value}") { call in
            try Self.set(["\(call["name"])=\(call["value"]); Path=/"])
        }
        add("GET", path: "/cookies/delete") { call in
            try Self.set(call.query.pairs.map { "\($0.name)=; Path=/; Max-Age=0; Expires=\(HTTPDate.string(from: 0))" })
        }
    }

    private static func set(_ cookies: [String]) throws -> Reply {
        let fields = cookies.map { Field("Set-Cookie", $0) }
        guard fields.allSatisfy(\.isSendable) else { throw Failure(400, "a cookie has line ends in it") }
        return .redirect(to: "/cookies", fields: fields)
    }
}

extension Call {
    fileprivate var cookies: [(name: String, value: String)] {
        (field("Cookie") ?? "").split(separator: ";").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let value = parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : ""
            return (parts[0].trimmingCharacters(in: .whitespaces), value)
        }
    }
}
