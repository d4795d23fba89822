extension StringProtocol {
    /// Returns whether two strings are equal except for the case of ASCII letters, the comparison of field names,
    /// schemes and media types (RFC 9110 §5.1). Unlike `lowercased()`, it does not allocate.
    package func equalsIgnoringASCIICase(_ other: some StringProtocol) -> Bool {
        let (left, right) = (utf8, other.utf8)
        guard left.count == right.count else { return false }
        return zip(left, right).allSatisfy { $0 == $1 || $0.asciiLowercased == $1.asciiLowercased }
    }

    /// The string with its ASCII letters in lower case: equal for strings that ``equalsIgnoringASCIICase(_:)``
    /// considers equal.
    package var asciiLowercased: String { String(decoding: utf8.map(\.asciiLowercased), as: UTF8.self) }
}

extension UInt8 {
    package var asciiLowercased: UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
    }
}
