/// An object whose members may be objects of the same type, read through containers of every kind.
struct JSONRecord: Codable {
    // Short names, which a fuzzer finds.
    private enum Keys: String, CodingKey, CaseIterable { case a, b, c, d, e, é, i = "7" }

    private let value: JSONAny?
    private let records: [JSONRecord]
    private let nested: [String]
    private let elements: [String]
    private let name: String?
    private let known: [String]
    /// Read by ``text``, when the decoding has ended.
    private let container: KeyedDecodingContainer<Keys>

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Keys.self)
        self.container = container
        value = try container.decodeIfPresent(JSONAny.self, forKey: .a)
        records = try container.decodeIfPresent([JSONRecord].self, forKey: .b) ?? []
        let inner = try? container.nestedContainer(keyedBy: Keys.self, forKey: .c)
        nested = Keys.allCases.map { key in (try? inner?.decode(Int.self, forKey: key)).map(String.init) ?? "-" }
        elements = Self.elements(of: try? container.nestedUnkeyedContainer(forKey: .d))
        // After the inner objects.
        name = try container.decodeIfPresent(String.self, forKey: .e)
        known = container.allKeys.map(\.stringValue).sorted()
    }

    private static func elements(of container: (any UnkeyedDecodingContainer)?) -> [String] {
        guard var container else { return [] }
        var elements: [String] = []
        while !container.isAtEnd {
            if let record = try? container.decode(JSONRecord.self) {
                elements.append(record.text)
            } else if let inner = try? container.nestedContainer(keyedBy: Keys.self) {
                elements.append("\(inner.contains(.é))")
            } else if let value = try? container.decode(JSONAny.self) {
                elements.append(value.text)
            } else {
                break
            }
        }
        return elements
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Keys.self)
        try container.encode(records, forKey: .b)
        try container.encodeIfPresent(value, forKey: .a)
        var inner = container.nestedContainer(keyedBy: Keys.self, forKey: .c)
        for (key, text) in zip(Keys.allCases, nested) { try inner.encode(Int(text), forKey: key) }
        try container.encode(elements, forKey: .é)
        // Two members of one key, if the name is this.
        try container.encode(name, forKey: name == "again" ? .b : .e)
    }

    var text: String {
        let late = Keys.allCases.map { "\((try? container.decodeNil(forKey: $0)) ?? false)" }
        let parts = [value?.text ?? "none", records.map(\.text).joined(separator: ";"), name ?? "none"]
        return "(\((parts + nested + elements + known + late).joined(separator: "|")))"
    }
}
