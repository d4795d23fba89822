import Foundation

extension Router {
    /// Parts of a representation (RFC 9110 §14).
    mutating func addRangeRoutes() {
        add("GET", path: "/range/{n}") { call in
            let count = try call.integer("n", in: 0...(1 << 40))
            let seed = try call.integer(query: "seed", in: 0...Int.max, default: 0)
            let fields = [
                Field("Accept-Ranges", "bytes"), Field("ETag", "\"range-\(count)-\(seed)\""),
                Field("Last-Modified", Self.modified),
            ]
            switch ByteRange.requested(by: call, of: count, etag: fields[1].value, modified: Self.modified) {
            case .all:
                return try Self.part(0..<count, of: call, status: 200, fields: fields)
            case .part(let range):
                let content = Field("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(count)")
                return try Self.part(range, of: call, status: 206, fields: fields + [content])
            case .unsatisfiable:
                throw Failure(
                    416, "the range lies outside of \(count) bytes",
                    fields: fields + [Field("Content-Range", "bytes */\(count)")])
            }
        }
    }

    private static func part(_ range: Range<Int>, of call: Call, status: Int, fields: [Field]) throws -> Reply {
        let body = GeneratedBody(try call.pattern(), range: range, rate: try call.rate(), cut: try call.cut())
        return .stream(
            body, length: range.count, type: "application/octet-stream", status: status, fields: fields)
    }

    private static let modified = HTTPDate.string(from: 1_735_689_600)
}

/// The result of a request's `Range` and `If-Range`.
private enum ByteRange {
    case all
    case part(Range<Int>)
    case unsatisfiable

    /// Several ranges in one field, and ranges in other units than bytes, are ignored, as RFC 9110 §14.2 allows.
    static func requested(by call: Call, of count: Int, etag: String, modified: String) -> ByteRange {
        guard let field = call.field("Range"), field.lowercased().hasPrefix("bytes="), !field.contains(",") else {
            return .all
        }
        if let condition = call.field("If-Range"), condition != etag, condition != modified { return .all }
        let bounds = field.dropFirst("bytes=".count).trimmingCharacters(in: .whitespaces)
            .split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard bounds.count == 2 else { return .all }
        switch (Int(bounds[0]), Int(bounds[1])) {
        case (nil, let suffix?) where bounds[0].isEmpty:
            return suffix > 0 && count > 0 ? .part(max(0, count - suffix)..<count) : .unsatisfiable
        case (let first?, let last) where last != nil || bounds[1].isEmpty:
            if let last, last < first { return .all }
            guard first < count else { return .unsatisfiable }
            return .part(first..<(min(last ?? .max, count - 1) + 1))
        default:
            return .all
        }
    }
}
