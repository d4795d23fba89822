internal import AirframeTransport
package import FoundationEssentials

extension DERReader.Value {
    /// An object identifier in dotted form.
    package func objectIdentifier() throws(DERError) -> String {
        guard tag == DERTag.objectIdentifier, !contents.isEmpty, contents.last.map({ $0 & 0x80 == 0 }) == true else {
            throw DERError("an object identifier is malformed")
        }
        var arcs: [UInt64] = []
        var arc: UInt64 = 0
        var isStart = true
        for octet in contents {
            guard !isStart || octet != 0x80, arc < 1 << 56 else { throw DERError("an object identifier is malformed") }
            arc = arc << 7 | UInt64(octet & 0x7F)
            isStart = octet & 0x80 == 0
            guard isStart else { continue }
            if arcs.isEmpty {
                let root = min(arc / 40, 2)
                arcs = [root, arc - root * 40]
            } else {
                arcs.append(arc)
            }
            arc = 0
        }
        return arcs.map { String($0) }.joined(separator: ".")
    }

    /// A boolean.
    package func boolean() throws(DERError) -> Bool {
        guard tag == DERTag.boolean, contents.count == 1, let octet = contents.first, octet == 0 || octet == 0xFF else {
            throw DERError("a boolean is malformed")
        }
        return octet == 0xFF
    }

    /// An integer of at most 32 bits.
    package func integer() throws(DERError) -> Int {
        guard !contents.isEmpty, contents.count <= 4 else { throw DERError("an integer is out of bounds") }
        let isNegative = contents.first.map { $0 & 0x80 != 0 } ?? false
        return contents.reduce(isNegative ? -1 : 0) { $0 << 8 | Int($1) }
    }

    /// The bits of a bit string, the first one in the lowest place; at most 32.
    package func namedBits() throws(DERError) -> UInt32 {
        guard tag == DERTag.bitString, let unused = contents.first, unused < 8, contents.count <= 5,
            unused == 0 || contents.count > 1
        else { throw DERError("a bit string is malformed") }
        var bits: UInt32 = 0
        for (index, octet) in contents.dropFirst().enumerated() {
            for bit in 0..<8 where octet & (0x80 >> UInt8(bit)) != 0 { bits |= 1 << UInt32(index * 8 + bit) }
        }
        return bits
    }

    /// Text of any of the string types that are in use.
    package var text: String {
        switch tag {
        case 0x1E:  // BMPString: two bytes a character.
            let bytes = Array(contents)
            let units = stride(from: 0, to: bytes.count - bytes.count % 2, by: 2).map { index -> UInt16 in
                let high = UInt16(bytes[index]) << 8
                return high | UInt16(bytes[index + 1])
            }
            return String(decoding: units, as: UTF16.self)
        default: return String(decoding: contents, as: UTF8.self)
        }
    }

    /// A date (RFC 5280 §4.1.2.5), and whether it has the form that certificates require.
    package func date() throws(DERError) -> (date: Date, isCanonical: Bool) {
        let digits = Array(contents)
        let yearDigits: Int
        switch tag {
        case DERTag.utcTime: yearDigits = 2
        case DERTag.generalizedTime: yearDigits = 4
        default: throw DERError("a date is neither of the two types")
        }
        guard digits.count >= yearDigits + 8 else { throw DERError("a date is cut off") }
        func number(_ start: Int, _ count: Int) -> Int? {
            guard start + count <= digits.count else { return nil }
            var value = 0
            for digit in digits[start..<start + count] {
                guard (48...57).contains(digit) else { return nil }
                value = value * 10 + Int(digit - 48)
            }
            return value
        }
        guard var year = number(0, yearDigits), let month = number(yearDigits, 2), let day = number(yearDigits + 2, 2),
            let hour = number(yearDigits + 4, 2), let minute = number(yearDigits + 6, 2),
            (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60
        else { throw DERError("a date is malformed") }
        if yearDigits == 2 { year += year < 50 ? 2000 : 1900 }
        let second = number(yearDigits + 8, 2)
        guard second ?? 0 < 60 else { throw DERError("a date is malformed") }
        let isCanonical =
            second != nil && digits.count == yearDigits + 11 && digits.last == UInt8(ascii: "Z")
            && (yearDigits == 2 || year >= 2050 || year < 1950)
        let days = Self.days(year: year, month: month, day: day)
        let seconds = ((days * 24 + hour) * 60 + minute) * 60 + (second ?? 0)
        return (Date(timeIntervalSince1970: Double(seconds)), isCanonical)
    }

    /// Returns the days since 1970-01-01 in the Gregorian calendar, computed in eras of 400 years that begin in March.
    private static func days(year: Int, month: Int, day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}
