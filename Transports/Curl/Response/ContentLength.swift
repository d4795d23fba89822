internal import HTTPTypes

/// The length that a response's fields announce (RFC 9110 §8.6).
enum ContentLength {
    /// - Returns: The length, or `nil` if none is announced.
    /// - Throws: ``HeadParser/Failure/malformed(_:)`` for an invalid length, or for several different ones.
    static func value(of fields: HTTPFields) throws(HeadParser.Failure) -> Int64? {
        var length: Int64?
        for field in fields where field.name == .contentLength {
            // Equal lengths in a list may be read as one (RFC 9110 §8.6).
            for member in field.value.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
                guard let number = number(member) else {
                    throw .malformed("the Content-Length \(field.value.debugDescription) is not a length")
                }
                guard length == nil || length == number else {
                    throw .malformed("the response has two Content-Lengths, \(length ?? 0) and \(number)")
                }
                length = number
            }
        }
        return length
    }

    /// Returns the number that digits with surrounding white space spell, or `nil` for anything else.
    private static func number(_ text: Substring.UTF8View) -> Int64? {
        var digits = text[...]
        while digits.first == UInt8(ascii: " ") || digits.first == UInt8(ascii: "\t") { digits.removeFirst() }
        while digits.last == UInt8(ascii: " ") || digits.last == UInt8(ascii: "\t") { digits.removeLast() }
        guard !digits.isEmpty else { return nil }
        var number: Int64 = 0
        for digit in digits {
            guard (48...57).contains(digit) else { return nil }
            let (product, isTooLarge) = number.multipliedReportingOverflow(by: 10)
            let (sum, isTooLargeBy) = product.addingReportingOverflow(Int64(digit - 48))
            guard !isTooLarge, !isTooLargeBy else { return nil }
            number = sum
        }
        return number
    }
}
