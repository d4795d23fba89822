import Foundation

/// A value that encodes itself at random, the same way every time: all scalars, containers nested in every way,
/// containers that are filled by turns, keys that repeat, encoders for superclasses, and errors.
struct RandomValue: Encodable {
    let seed: UInt64
    let depth: Int
    /// Whether the value may ask for encoders for superclasses. `JSONEncoder` stops the process when a value beneath a
    /// nested container or beneath another superclass does.
    var hasSuperclasses = true

    struct Refusal: Error {}

    func encode(to encoder: any Encoder) throws {
        var random = RandomDocument(seed: seed)
        switch Int.random(in: 0..<(depth > 0 ? 12 : 4), using: &random) {
        case 0..<3: try encodeScalar(to: encoder, &random)
        case 3: if Int.random(in: 0..<6, using: &random) == 0 { throw Refusal() }
        case 4: try encodeOther(to: encoder, &random)
        case 5, 6: try encodeElements(to: encoder, &random)
        default: try encodeMembers(to: encoder, &random)
        }
    }

    private func child(_ random: inout RandomDocument, isNested: Bool = false) -> RandomValue {
        RandomValue(seed: random.next(), depth: depth - 1, hasSuperclasses: hasSuperclasses && !isNested)
    }

    private func encodeScalar(to encoder: any Encoder, _ random: inout RandomDocument) throws {
        var container = encoder.singleValueContainer()
        switch Int.random(in: 0..<12, using: &random) {
        case 0: try container.encodeNil()
        case 1: try container.encode(Bool.random(using: &random))
        case 2: try container.encode(Int(truncatingIfNeeded: random.next()))
        case 3: try container.encode(UInt8(truncatingIfNeeded: random.next()))
        case 4: try container.encode(Self.double(&random))
        case 5: try container.encode(Float(Self.double(&random)))
        case 6:
            try container.encode(
                Date(timeIntervalSinceReferenceDate: Double(Int32(truncatingIfNeeded: random.next())) / 8))
        case 7: try container.encode(Data((0..<Int.random(in: 0..<7, using: &random)).map { _ in random.byte() }))
        case 8: try container.encode(Decimal(Int.random(in: -99_999...99_999, using: &random)) / 100)
        case 9: try container.encode(Int128(truncatingIfNeeded: random.next()) * 1_000_000_007)
        case 10: try container.encode(URL(string: "https://a.test/b?c=d"))
        default: try container.encode(Self.text(&random))
        }
    }

    /// Whole collections, which have fast paths, and values whose encoding calls another's.
    private func encodeOther(to encoder: any Encoder, _ random: inout RandomDocument) throws {
        var container = encoder.singleValueContainer()
        let count = Int.random(in: 0..<5, using: &random)
        switch Int.random(in: 0..<8, using: &random) {
        case 0: try container.encode((0..<count).map { _ in Int32(truncatingIfNeeded: random.next()) })
        case 1: try container.encode((0..<count).map { _ in Int.random(in: -9...9, using: &random) })
        case 2: try container.encode((0..<count).map { _ in Self.text(&random) })
        case 3: try container.encode((0..<count).map { _ in Self.double(&random) })
        case 4: try container.encode((0..<count).map { _ in child(&random) })
        case 5:
            let members = (0..<count * 12).map { _ in (Self.key(&random).stringValue, child(&random)) }
            try container.encode(Dictionary(members) { first, _ in first })
        case 6: try container.encode(Dictionary((0..<count).map { ($0, child(&random)) }) { first, _ in first })
        default: try child(&random).encode(to: encoder)
        }
    }

    private func encodeElements(to encoder: any Encoder, _ random: inout RandomDocument) throws {
        var container = encoder.unkeyedContainer()
        var nested: [any UnkeyedEncodingContainer] = []
        for _ in 0..<Int.random(in: 0..<6, using: &random) {
            switch Int.random(in: 0..<9, using: &random) {
            case 0: try container.encodeNil()
            case 1: try container.encode(random.next())
            case 2: try container.encode(Self.text(&random))
            case 3: nested.append(container.nestedUnkeyedContainer())
            case 4: for index in nested.indices.prefix(1) { try nested[index].encode(container.count) }
            case 5 where hasSuperclasses: try child(&random, isNested: true).encode(to: container.superEncoder())
            case 6: container = encoder.unkeyedContainer()
            case 7:
                var object = container.nestedContainer(keyedBy: Key.self)
                try object.encode(object.codingPath.map(\.stringValue), forKey: Self.key(&random))
            default: try container.encode(child(&random))
            }
        }
    }

    private func encodeMembers(to encoder: any Encoder, _ random: inout RandomDocument) throws {
        var container = encoder.container(keyedBy: Key.self)
        var nested: [KeyedEncodingContainer<Key>] = []
        for _ in 0..<Int.random(in: 0..<7, using: &random) {
            let key = Self.key(&random)
            switch Int.random(in: 0..<14, using: &random) {
            case 0: try container.encodeNil(forKey: key)
            case 1: try container.encode(Int16(truncatingIfNeeded: random.next()), forKey: key)
            case 2: try container.encode(Self.text(&random), forKey: key)
            case 3: try container.encodeIfPresent(Bool.random(using: &random) ? Self.double(&random) : nil, forKey: key)
            case 4: try container.encode([[child(&random)]], forKey: key)
            case 5: nested.append(container.nestedContainer(keyedBy: Key.self, forKey: key.prefixed("{")))
            case 6: for index in nested.indices.suffix(1) { try nested[index].encode(1, forKey: key) }
            case 7 where hasSuperclasses:
                try child(&random, isNested: true).encode(to: container.superEncoder(forKey: key.prefixed("^")))
            case 8: container = encoder.container(keyedBy: Key.self)
            case 9: try container.encode(encoder.codingPath.map(\.stringValue), forKey: key)
            case 10: try container.encode([Self.key(&random).stringValue: child(&random)], forKey: key)
            case 11:
                var list = container.nestedUnkeyedContainer(forKey: key.prefixed("["))
                try list.encode(child(&random, isNested: true))
            default: try container.encode(child(&random), forKey: key)
            }
        }
    }

    struct Key: CodingKey {
        let stringValue: String
        let intValue: Int? = nil

        init(stringValue: String) { self.stringValue = stringValue }

        init?(intValue: Int) { nil }

        /// `JSONEncoder` stops the process when a nested container has the key of a value of another kind.
        func prefixed(_ prefix: String) -> Key { Key(stringValue: prefix + stringValue) }
    }

    private static func key(_ random: inout RandomDocument) -> Key {
        Key(stringValue: (0..<Int.random(in: 1..<7, using: &random)).map { _ in piece(&random) }.joined())
    }

    private static func text(_ random: inout RandomDocument) -> String {
        (0..<Int.random(in: 0..<12, using: &random)).map { _ in piece(&random) }.joined()
    }

    private static func piece(_ random: inout RandomDocument) -> String {
        let pieces = [
            "a", "b", "Z", "URL", "x1", "_", "é", "e\u{301}", "É", "漢", "😀", "\"", "\\", "/", "\n", "\u{1F}", "\u{0}",
            "\u{7F}", "\u{2028}", " ", "ß", "aB", "ǅ",
        ]
        return pieces.randomElement(using: &random) ?? "a"
    }

    private static func double(_ random: inout RandomDocument) -> Double {
        switch Int.random(in: 0..<5, using: &random) {
        case 0: Double(Int.random(in: -1000...1000, using: &random))
        case 1: Double(bitPattern: random.next())
        case 2: [.infinity, -0.0, .greatestFiniteMagnitude, .leastNonzeroMagnitude].randomElement(using: &random) ?? 0
        default: Double.random(in: -1...1, using: &random)
        }
    }
}
