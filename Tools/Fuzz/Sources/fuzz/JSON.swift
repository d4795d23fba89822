internal import AirframeJSON
internal import Foundation

/// Decodes the bytes as JSON, and checks that Foundation's decoder has the same result.
@_cdecl("fuzzJSON")
func fuzzJSON(_ data: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let bytes = Data(UnsafeBufferPointer(start: data, count: count))
    let ours = outcome { try FastJSONDecoder().decode(Value.self, from: bytes) }
    let theirs = outcome { try JSONDecoder().decode(Value.self, from: bytes) }
    hold(ours == theirs, "\(ours)\nFoundation:\n\(theirs)")
    return 0
}

private func outcome(_ decode: () throws -> Value) -> String {
    do { return try decode().text } catch { return "\(error)" }
}

/// Any JSON value, decoded by trying each kind in turn.
private enum Value: Decodable {
    case null
    case scalar(String)
    case array([Value])
    case object([String: Value])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .scalar("\(value)")
        } else if let value = try? container.decode(Int16.self) {
            self = .scalar("\(value)")
        } else if let value = try? container.decode(UInt64.self) {
            self = .scalar("\(value)")
        } else if let value = try? container.decode(Double.self) {
            self = .scalar("\(value)")
        } else if let value = try? container.decode(String.self) {
            self = .scalar(value.debugDescription)
        } else if let value = try? container.decode([Value].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: Value].self))
        }
    }

    var text: String {
        switch self {
        case .null: "null"
        case .scalar(let text): text
        case .array(let values): "[\(values.map(\.text).joined(separator: ","))]"
        case .object(let members):
            "{\(members.sorted { $0.key < $1.key }.map { "\($0.key.debugDescription):\($0.value.text)" }.joined(separator: ","))}"
        }
    }
}
