/// A reproducible generator of random documents.
struct RandomDocument: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ (state >> 29)
    }

    mutating func byte() -> UInt8 {
        let likely = Array("{}[]\",:\\eE+-.0123456789tfnu ".utf8)
        return likely.randomElement(using: &self) ?? 0x20
    }

    mutating func value(depth: Int) -> String {
        let blank = Bool.random(using: &self) ? "" : " "
        switch Int.random(in: 0..<(depth > 0 ? 9 : 6), using: &self) {
        case 0: return "null"
        case 1: return Bool.random(using: &self) ? "true" : "false"
        case 2, 3: return number()
        case 4, 5: return string()
        case 6:
            let elements = (0..<Int.random(in: 0..<5, using: &self)).map { _ in value(depth: depth - 1) }
            return "[\(blank)\(elements.joined(separator: "," + blank))\(blank)]"
        default:
            let keys = [
                "id", "name", "score", "ratio", "isActive", "tags", "nested", "child", "small", "big", "one_two",
                "list",
            ]
            let members = (0..<Int.random(in: 0..<6, using: &self)).map { _ in
                let key = keys.randomElement(using: &self).map { "\"\($0)\"" } ?? string()
                return "\(key)\(blank):\(value(depth: depth - 1))"
            }
            return "{\(members.joined(separator: "," + blank))\(blank)}"
        }
    }

    mutating func number() -> String {
        var text = Bool.random(using: &self) ? "-" : ""
        func digits(_ count: Int) -> String {
            String((0..<count).compactMap { _ in "0123456789".randomElement(using: &self) })
        }
        let integer = digits(Int.random(in: 1..<[3, 12, 25][Int.random(in: 0..<3, using: &self)], using: &self))
        text += integer.first == "0" ? "0" : integer
        if Bool.random(using: &self) { text += "." + digits(Int.random(in: 1..<20, using: &self)) }
        if Int.random(in: 0..<3, using: &self) == 0 {
            text += ["e", "E", "e+", "e-", "E-"].randomElement(using: &self) ?? "e"
            text += digits(Int.random(in: 1..<4, using: &self))
        }
        return text
    }

    mutating func string() -> String {
        let pieces = [
            "a", "Z", "é", "漢", "😀", "\\n", "\\\"", "\\\\", "\\u0041", "\\u00e9", "\\ud83d\\ude00", "/", " ", "\\/",
        ]
        let text = (0..<Int.random(in: 0..<12, using: &self)).compactMap { _ in pieces.randomElement(using: &self) }
        return "\"\(text.joined())\""
    }
}
