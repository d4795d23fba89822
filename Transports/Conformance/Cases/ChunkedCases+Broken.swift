internal import AirframeTransport

extension ConformanceCase {
    /// Malformed and truncated chunks.
    static var brokenChunks: [ConformanceCase] {
        let malformed: [(name: String, title: String, text: String)] = [
            ("size.negative", "a negative chunk size is rejected", "-2\r\nab\r\n0\r\n\r\n"),
            ("size.plus", "a chunk size with a plus sign is rejected", "+2\r\nab\r\n0\r\n\r\n"),
            ("size.0x", "a chunk size with a prefix is rejected", "0x2\r\nab\r\n0\r\n\r\n"),
            ("size.empty", "a chunk size without a digit is rejected", "\r\nab\r\n0\r\n\r\n"),
            (
                "size.letters", "a chunk size with other letters than hexadecimal digits is rejected",
                "g\r\nab\r\n0\r\n\r\n"
            ),
            (
                "size.overflow", "a chunk size beyond 64 bits is rejected, not truncated",
                "10000000000000002\r\nab\r\n0\r\n\r\n"
            ),
            (
                "size.overflow.far", "a chunk size far beyond 64 bits is rejected",
                "\(String(repeating: "f", count: 64))\r\nab\r\n0\r\n\r\n"
            ),
            ("data.too-long", "a chunk with more data than its size is rejected", "2\r\nabc\r\n0\r\n\r\n"),
            ("data.no-line-end", "a chunk whose data is not followed by a line end is rejected", "2\r\nabXX0\r\n\r\n"),
            ("size.underscore", "a chunk size followed by an underscore is rejected", "2_\r\nab\r\n0\r\n\r\n"),
            ("size.blank-after", "a chunk size followed by a space is rejected", "2 \r\nab\r\n0\r\n\r\n"),
            ("size.blank-before", "a chunk size preceded by a space is rejected", " 2\r\nab\r\n0\r\n\r\n"),
            ("size.words", "a chunk size followed by words is rejected", "2 extension\r\nab\r\n0\r\n\r\n"),
            ("size.last-blank", "a space after the size of the last chunk is rejected", "2\r\nab\r\n0 \r\n\r\n"),
            (
                "size.many-zeros", "a chunk size has at most 16 digits, leading zeros included",
                "00000000000000002\r\nab\r\n0\r\n\r\n"
            ),
            ("extension.no-name", "an extension without a name is rejected", "2;\r\nab\r\n0\r\n\r\n"),
            (
                "extension.no-value", "an extension without a value after its equals sign is rejected",
                "2;a=\r\nab\r\n0\r\n\r\n"
            ),
            (
                "extension.unquoted", "an extension whose quoted value does not end is rejected",
                "2;a=\"b\r\nab\r\n0\r\n\r\n"
            ),
            (
                "extension.long", "the length of an extension is limited",
                "2;\(String(repeating: "x", count: 1 << 20))\r\nab\r\n0\r\n\r\n"
            ),
            ("bare-line-feed.size", "a bare line feed after a chunk's size is rejected", "2\nab\r\n0\r\n\r\n"),
            ("bare-line-feed.data", "a bare line feed after a chunk's data is rejected", "2\r\nab\n0\r\n\r\n"),
            ("bare-line-feed.end", "a bare line feed at the end of the content is rejected", "2\r\nab\r\n0\n\n"),
            ("trailer.no-colon", "a trailer field without a colon is rejected", "2\r\nab\r\n0\r\nnothing\r\n\r\n"),
            (
                "trailer.folded-first", "a trailer section that begins with a folded line is rejected",
                "2\r\nab\r\n0\r\n X: 1\r\n\r\n"
            ),
        ]
        let cut: [(name: String, title: String, text: String)] = [
            ("cut.before-size", "a body that ends before its first chunk is truncated", ""),
            ("cut.in-size", "a body that ends within a size is truncated", "5"),
            ("cut.in-extension", "a body that ends within an extension is truncated", "2;ab"),
            ("cut.in-data", "a body that ends within a chunk is truncated", "5\r\nab"),
            ("cut.after-data", "a body that ends after a chunk's data is truncated", "2\r\nab"),
            ("cut.no-last-chunk", "a body that ends before the last chunk is truncated", "2\r\nab\r\n"),
            ("cut.in-last-chunk", "a body that ends within the last chunk is truncated", "2\r\nab\r\n0"),
            ("cut.before-last-line", "a body that ends before the final empty line is truncated", "2\r\nab\r\n0\r\n"),
            ("cut.in-trailer", "a body that ends within a trailer field is truncated", "2\r\nab\r\n0\r\nX-Sum: "),
        ]
        let reset = chunks(
            "reset.in-data", "a body whose connection is reset within a chunk is truncated", "5\r\nab", then: .reset,
            due: .cutBody)
        return malformed.map { chunks($0.name, $0.title, $0.text, due: .malformedBody) }
            + cut.map { chunks($0.name, $0.title, $0.text, due: .truncated) } + [reset]
    }
}
