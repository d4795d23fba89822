internal import AirframeTransport

/// The parameters of a query as forms encode them (`application/x-www-form-urlencoded`).

enum QueryPairs {
    /// Names and values, decoded and encoded again: percent-encoded, with upper-case digits (RFC 9421 §2.2.8).
    static func pairs(of query: Substring) -> [(name: String, value: String)] {
        query.split(separator: "&").map { pair in
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return (encode(decode(parts[0])), parts.count > 1 ? encode(decode(parts[1])) : "")
        }
    }

    private static func decode(_ text: Substring) -> [UInt8] {
        var result: [UInt8] = []
        var bytes = text.utf8[...]
        while let byte = bytes.popFirst() {
            let digits = bytes.prefix(2)
            if byte == UInt8(ascii: "+") {
                result.append(UInt8(ascii: " "))
            } else if byte == UInt8(ascii: "%"), digits.count == 2, digits.allSatisfy(\.isHexadecimal),
                let value = UInt8(String(Substring(digits)), radix: 16)
            {
                bytes = bytes.dropFirst(2)
                result.append(value)
            } else {
                result.append(byte)
            }
        }
        return result
    }

    static func encode(_ text: String) -> String { encode(Array(text.utf8)) }

    /// The percent-encode set of forms (WHATWG URL §1.3) leaves `*-._` and letters and digits.
    private static func encode(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        let encoded = bytes.flatMap { byte -> [UInt8] in
            byte.isLetter || byte.isDigit || "*-._".utf8.contains(byte)
                ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
        return String(decoding: encoded, as: UTF8.self)
    }
}

extension UInt8 {
    fileprivate var isHexadecimal: Bool {
        isDigit || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains(self)
            || (UInt8(ascii: "A")...UInt8(ascii: "F")).contains(self)
    }
}
