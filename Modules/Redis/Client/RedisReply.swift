internal import FoundationEssentials

/// A reply of the server (RESP2).
enum RedisReply: Sendable, Hashable {
    case null
    case integer(Int64)
    case status(String)
    case data(Data)
    case array([RedisReply])
    case error(String)

    /// The bytes of a string; `nil` for a reply of another kind.
    var data: Data? {
        if case .data(let data) = self { data } else { nil }
    }

    /// The elements of an array; `nil` for a reply of another kind.
    var elements: [RedisReply]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// The number; `nil` for a reply of another kind.
    var integer: Int64? {
        if case .integer(let integer) = self { integer } else { nil }
    }

    /// The text of a string; `nil` for a reply of another kind.
    var text: String? { data.map { String(decoding: $0, as: UTF8.self) } }
}
