/// Any JSON value, decoded by trying each kind in turn.
enum JSONAny: Codable {
    case null
    case bool(Bool)
    case short(Int16)
    case long(UInt64)
    case double(Double)
    case string(String)
    case array([JSONAny])
    case object([String: JSONAny])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int16.self) {
            self = .short(value)
        } else if let value = try? container.decode(UInt64.self) {
            self = .long(value)
        } else if let value = try? container.decode(Double.self) {
            self = .double(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSONAny].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSONAny].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .short(let value): try container.encode(value)
        case .long(let value): try container.encode(value)
        case .double(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let values): try container.encode(values)
        case .object(let members): try container.encode(members)
        }
    }

    var text: String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .short(let value): "\(value)"
        case .long(let value): "\(value)"
        case .double(let value): "\(value)"
        case .string(let value): value.debugDescription
        case .array(let values): "[\(values.map(\.text).joined(separator: ","))]"
        case .object(let members):
            "{\(members.map { "\($0.key.debugDescription):\($0.value.text)" }.sorted().joined(separator: ","))}"
        }
    }
}
