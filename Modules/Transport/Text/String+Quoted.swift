extension String {
    /// The text as a quoted string (RFC 9110 §5.6.4).
    package var asQuotedString: String {
        // By bytes: a quote followed by a combining mark is another `Character`, but still ends the string.
        var bytes: [UInt8] = [UInt8(ascii: "\"")]
        for byte in utf8 {
            if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { bytes.append(UInt8(ascii: "\\")) }
            bytes.append(byte)
        }
        bytes.append(UInt8(ascii: "\""))
        return String(decoding: bytes, as: UTF8.self)
    }
}
