package import HTTPTypes

/// The transfer codings of a response.
package enum TransferCoding {
    /// Accepts `chunked`, once and alone: no request offers another coding (RFC 9112 §7.4), and with `chunked` not last
    /// the end of the message cannot be found (§6.3).
    ///
    /// - Parameter fields: The `Transfer-Encoding` fields, at least one.
    package static func requireChunked(_ fields: [HTTPField]) throws(FramingViolation) {
        var codings: [String] = []
        for field in fields {
            for member in field.value.utf8.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
                codings.append(trimmed(member).lowercased())
            }
        }
        guard let last = codings.last, codings != [""] else {
            throw FramingViolation("the Transfer-Encoding is empty")
        }
        guard last == "chunked" else {
            throw FramingViolation("the last transfer coding is \(last.prefix(80).debugDescription), not chunked")
        }
        guard codings.count == 1 else {
            let first = codings[0]
            throw FramingViolation(
                first == last
                    ? "the Transfer-Encoding names chunked twice"
                    : "the transfer coding \(first.prefix(80).debugDescription) was not asked for")
        }
    }

    private static func trimmed(_ member: Substring.UTF8View) -> String {
        var member = member
        while let first = member.first, first == 32 || first == 9 { member.removeFirst() }
        while let last = member.last, last == 32 || last == 9 { member.removeLast() }
        return String(Substring(member))
    }
}
