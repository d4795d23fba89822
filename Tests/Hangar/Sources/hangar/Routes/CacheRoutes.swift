import Foundation

extension Router {
    /// Validators and freshness (RFC 9110 §13, RFC 9111).
    mutating func addCacheRoutes() {
        add("GET", "PUT", "DELETE", path: "/etag/{etag}") { call in
            let tag = "\"\(call["etag"])\""
            let fields = [Field("ETag", tag)]
            guard fields.allSatisfy(\.isSendable) else { throw Failure(400, "the etag has line ends in it") }
            if let match = call.field("If-Match"), !EntityTag.list(match, contains: tag, weakly: false) {
                return .status(412, fields: fields)
            }
            if let none = call.field("If-None-Match"), EntityTag.list(none, contains: tag, weakly: true) {
                return .status(call.isSafe ? 304 : 412, fields: fields)
            }
            return try await .echo(call).adding(fields)
        }
        add("GET", path: "/cache") { call in
            let fields = [Field("ETag", "\"hangar-cache\""), Field("Last-Modified", Self.modified)]
            guard call.field("If-None-Match") == nil, call.field("If-Modified-Since") == nil else {
                return .status(304, fields: fields)
            }
            return try await .echo(call).adding(fields)
        }
        add("GET", path: "/cache/{n}") { call in
            let age = try call.integer("n", in: 0...Int(Int32.max))
            return try await .echo(call).adding([Field("Cache-Control", "public, max-age=\(age)")])
        }
        add("GET", path: "/last-modified/{n}") { call in
            let modified = try call.integer("n", in: 0...253_402_300_799)
            let fields = [Field("Last-Modified", HTTPDate.string(from: modified))]
            if let since = call.date("If-Unmodified-Since"), modified > since {
                return .status(412, fields: fields)
            }
            if call.field("If-None-Match") == nil, let since = call.date("If-Modified-Since"), modified <= since {
                return .status(304, fields: fields)
            }
            return try await .echo(call).adding(fields)
        }
    }

    private static let modified = HTTPDate.string(from: 1_735_689_600)
}

extension Call {
    fileprivate var isSafe: Bool { method == "GET" || method == "HEAD" }

    fileprivate func date(_ field: String) -> Int? { self.field(field).flatMap(HTTPDate.seconds) }
}

/// Comparing entity tags (RFC 9110 §8.8.3.2).
enum EntityTag {
    /// Whether a field such as `If-Match` names the tag; `*` names all.
    static func list(_ list: String, contains tag: String, weakly: Bool) -> Bool {
        list.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }.contains { candidate in
            candidate == "*" || candidate == tag || (weakly && candidate == "W/\(tag)")
        }
    }
}
