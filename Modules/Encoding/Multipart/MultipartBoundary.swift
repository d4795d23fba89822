/// The boundary between parts (RFC 2046 §5.1.1).
enum MultipartBoundary {
    /// A boundary of 64 random bits, which makes an accidental occurrence in a part negligible.
    static func random() -> String {
        let digits = String(UInt64.random(in: .min ... .max), radix: 16)
        return "airframe.boundary.\(String(repeating: "0", count: 16 - digits.count))\(digits)"
    }

    static func isValid(_ boundary: String) -> Bool {
        (1...70).contains(boundary.utf8.count) && boundary.utf8.allSatisfy(isAllowed) && !boundary.hasSuffix(" ")
    }

    /// The boundary as the value of a parameter: quoted if it is not a token (RFC 9110 §5.6.2).
    static func parameter(_ boundary: String) -> String {
        let isToken = boundary.utf8.allSatisfy { isAlphanumeric($0) || "'+_-.".utf8.contains($0) }
        return isToken ? boundary : "\"\(boundary)\""
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        isAlphanumeric(byte) || "'()+_,-./:=? ".utf8.contains(byte)
    }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
