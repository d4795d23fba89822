/// Random compressed field sections (RFC 7541 §6). Most repeat an earlier one byte for byte.
struct BlockSource {
    typealias Table = [FieldInflater.Field]

    private var numbers: SeededNumbers
    private var heads: [[UInt8]] = []
    private var run = 0

    init(_ numbers: SeededNumbers) { self.numbers = numbers }

    /// Returns the section of a final response.
    ///
    /// - Parameter table: The dynamic table before the section, the newest field first.
    mutating func head(_ table: Table) -> [UInt8] {
        if run > 0, let last = heads.last {
            run -= 1
            return last
        }
        if numbers.chance(40), !heads.isEmpty {
            let earlier = heads.remove(at: Int.random(in: heads.indices, using: &numbers))
            heads.append(earlier)
        } else {
            heads.append(makeHead(table))
            if heads.count > 4 { heads.removeFirst() }
        }
        // Long runs fill the table, and evict what was in it.
        run = numbers.chance(5) ? Int.random(in: 50...150, using: &numbers) : Int.random(in: 0...4, using: &numbers)
        return heads[heads.count - 1]
    }

    private mutating func makeHead(_ table: Table) -> [UInt8] {
        var block: [UInt8] = numbers.chance(4) ? sizeUpdate() : []
        switch Int.random(in: 0..<10, using: &numbers) {
        // 200 and 404 of the static table, a literal in all forms.
        case 0..<5: block.append(0x88)
        case 5..<7: block.append(0x8D)
        case 7: block += [0x08, 3] + Array("418".utf8)
        case 8: block += [0x48, 3] + Array("418".utf8)
        default: block += [0x18, 0x82, 0x64, 0x02]
        }
        return block + fields(table)
    }

    /// Returns the section of an informational response.
    mutating func informational(_ table: Table) -> [UInt8] {
        [numbers.chance(50) ? 0x08 : 0x48, 3] + Array("103".utf8) + fields(table)
    }

    /// Returns a section of trailers, now and then that of a head.
    mutating func trailers(_ table: Table) -> [UInt8] {
        if numbers.chance(10), let last = heads.last { return last }
        return fields(table)
    }

    private mutating func sizeUpdate() -> [UInt8] {
        let sizes = [0, 40, 100, 300, 4_096, 4_096]
        return (0..<(numbers.chance(20) ? 2 : 1)).flatMap { _ in Self.integer(numbers.pick(sizes), 5, 0x20) }
    }

    // MARK: Fields

    private mutating func fields(_ table: Table) -> [UInt8] {
        // Insertions of the section move the fields of the table.
        let known = table.indices.filter { !table[$0].name.hasPrefix(":") }.map { 62 + $0 }
        return (0..<Int.random(in: 0...4, using: &numbers)).flatMap { _ in field(known) }
    }

    private mutating func field(_ known: [Int]) -> [UInt8] {
        let form: (bits: Int, pattern: UInt8) = numbers.pick([(6, 0x40), (6, 0x40), (4, 0x00), (4, 0x10)])
        switch Int.random(in: 0..<10, using: &numbers) {
        // The newest field first of all: its index has another meaning after each insertion.
        case 0..<2 where !known.isEmpty: return Self.integer(known[0], 7, 0x80)
        case 2..<4 where !known.isEmpty: return Self.integer(numbers.pick(known), 7, 0x80)
        case 4 where !known.isEmpty: return Self.integer(numbers.pick(known), form.bits, form.pattern) + value()
        // accept-encoding, age and vary of the static table.
        case 5: return Self.integer(numbers.pick([16, 21, 59]), 7, 0x80)
        // server, date, etag and set-cookie.
        case 6: return Self.integer(numbers.pick([54, 33, 34, 55]), form.bits, form.pattern) + value()
        default:
            let name = Array(numbers.pick(["x-a", "x-b", "x-c", "x-longer-name"]).utf8)
            return [form.pattern, UInt8(name.count)] + name + value()
        }
    }

    private mutating func value() -> [UInt8] {
        switch Int.random(in: 0..<10, using: &numbers) {
        // Huffman codes of RFC 7541 appendix C.
        case 0: return [0x82, 0x64, 0x02]
        case 1: return [0x85, 0xAE, 0xC3, 0x77, 0x1A, 0x4B]
        case 2:
            let length = numbers.pick([126, 127, 128, 300, 1_500, 5_000])
            return Self.integer(length, 7, 0) + Array(repeating: UInt8(ascii: "z"), count: length)
        default:
            let text = Array(numbers.pick(["", "1", "2", "3", "some value"]).utf8)
            return [UInt8(text.count)] + text
        }
    }

    /// Encodes an integer with a prefix of `bits` bits (RFC 7541 §5.1).
    private static func integer(_ value: Int, _ bits: Int, _ pattern: UInt8) -> [UInt8] {
        let most = 1 << bits - 1
        guard value >= most else { return [pattern | UInt8(value)] }
        var bytes = [pattern | UInt8(most)]
        var rest = value - most
        while rest >= 128 {
            bytes.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        return bytes + [UInt8(rest)]
    }
}
