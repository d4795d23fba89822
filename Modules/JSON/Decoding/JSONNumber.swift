/// A number of a document: its decimal digits as an integer, and a power of ten.
struct JSONNumber {
    let isNegative: Bool
    /// The digits, including those of the fraction.
    let mantissa: UInt64
    /// The power of ten of the last digit.
    let exponent: Int
    /// Whether the number has neither fraction nor exponent, and ``mantissa`` holds all digits.
    let isPlainInteger: Bool

    private let hasAllDigits: Bool

    private static let powers: [Double] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ]

    /// The length up to which an integer with a sign fits into `Int`.
    private static let maximumShortLength: UInt32 = 18

    /// Returns the value of an integer of few digits, and whether it has no minus sign; `nil` for other numbers.
    @inline(__always)
    static func short(_ bytes: [UInt8], _ node: JSONNode) -> (value: Int, isPositive: Bool)? {
        guard node.kind == .integer, node.end &- node.start <= maximumShortLength else { return nil }
        let isPositive = bytes[Int(node.start)] != UInt8(ascii: "-")
        var value = 0
        for index in Int(node.start) + (isPositive ? 0 : 1)..<Int(node.end) {
            value = value &* 10 &+ Int(bytes[index] &- UInt8(ascii: "0"))
        }
        return (isPositive ? value : -value, isPositive)
    }

    init(_ bytes: [UInt8], _ node: JSONNode) {
        var index = Int(node.start)
        let end = Int(node.end)
        isNegative = bytes[index] == UInt8(ascii: "-")
        if isNegative { index += 1 }
        var mantissa: UInt64 = 0
        var exponent = 0
        var digits = 0
        var isInteger = true
        scan: while index < end {
            let byte = bytes[index]
            index += 1
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                mantissa = mantissa &* 10 &+ UInt64(byte - UInt8(ascii: "0"))
                if digits > 0 || byte != UInt8(ascii: "0") { digits += 1 }
                if !isInteger { exponent -= 1 }
            case UInt8(ascii: "."):
                isInteger = false
            default:
                isInteger = false
                exponent += Self.exponent(bytes, index, end)
                break scan
            }
        }
        self.mantissa = mantissa
        self.exponent = exponent
        // A zero with an exponent is left to Foundation, which rejects some of them.
        hasAllDigits = digits <= 19 && (mantissa != 0 || exponent == 0)
        isPlainInteger = isInteger && hasAllDigits
    }

    private static func exponent(_ bytes: [UInt8], _ start: Int, _ end: Int) -> Int {
        var index = start
        let isNegative = bytes[index] == UInt8(ascii: "-")
        if isNegative || bytes[index] == UInt8(ascii: "+") { index += 1 }
        var value = 0
        while index < end {
            // Bounds the exponent so that the sum cannot overflow.
            value = min(value * 10 + Int(bytes[index] - UInt8(ascii: "0")), 100_000)
            index += 1
        }
        return isNegative ? -value : value
    }

    /// The value, if one correctly rounded operation yields it: an exact integer and an exact power of ten.
    var double: Double? {
        guard hasAllDigits, mantissa <= 1 << 53, abs(exponent) <= 22 else { return nil }
        let magnitude =
            exponent < 0 ? Double(mantissa) / Self.powers[-exponent] : Double(mantissa) * Self.powers[exponent]
        return isNegative ? -magnitude : magnitude
    }

    /// The value, if one correctly rounded operation yields it.
    var float: Float? {
        guard hasAllDigits, mantissa <= 1 << 24, abs(exponent) <= 10 else { return nil }
        let power = Float(Self.powers[abs(exponent)])
        let magnitude = exponent < 0 ? Float(mantissa) / power : Float(mantissa) * power
        return isNegative ? -magnitude : magnitude
    }
}
