internal import AirframeTransport

extension ConformanceCase {
    /// Malformed and truncated chunks.
    static var brokenChunks: [ConformanceCase] {
        let malformed: [(name: String, title: String, text: String)] = [
            ("size.negative", "a size is not negative", "-2\r\nab\r\n0\r\n\r\n"),
            ("size.plus", "a size has no sign", "+2\r\nab\r\n0\r\n\r\n"),
            ("size.0x", "a size has no prefix", "0x2\r\nab\r\n0\r\n\r\n"),
            ("size.empty", "a size has a digit", "\r\nab\r\n0\r\n\r\n"),
            ("size.letters", "a size has hexadecimal digits", "g\r\nab\r\n0\r\n\r\n"),
            ("size.overflow", "a size beyond 64 bits is refused, not cut", "10000000000000002\r\nab\r\n0\r\n\r\n"),
            ("size.overflow.far", "nor one far beyond", "\(String(repeating: "f", count: 64))\r\nab\r\n0\r\n\r\n"),
            ("data.too-long", "a line end follows a chunk's data", "2\r\nabc\r\n0\r\n\r\n"),
            ("data.no-line-end", "and nothing else", "2\r\nabXX0\r\n\r\n"),
            ("size.underscore", "a size is followed by an extension or the end of the line", "2_\r\nab\r\n0\r\n\r\n"),
            ("size.blank-after", "not by a blank", "2 \r\nab\r\n0\r\n\r\n"),
            ("size.blank-before", "no space precedes a chunk's size", " 2\r\nab\r\n0\r\n\r\n"),
            ("size.words", "not by other words", "2 extension\r\nab\r\n0\r\n\r\n"),
            ("size.last-blank", "the last size neither", "2\r\nab\r\n0 \r\n\r\n"),
            (
                "size.many-zeros", "a size has 16 digits at most, leading zeros included",
                "00000000000000002\r\nab\r\n0\r\n\r\n"
            ),
            ("extension.no-name", "an extension has a name", "2;\r\nab\r\n0\r\n\r\n"),
            ("extension.no-value", "and a value after an equals sign", "2;a=\r\nab\r\n0\r\n\r\n"),
            ("extension.unquoted", "a quoted value ends", "2;a=\"b\r\nab\r\n0\r\n\r\n"),
            (
                "extension.long", "an extension has a bound",
                "2;\(String(repeating: "x", count: 1 << 20))\r\nab\r\n0\r\n\r\n"
            ),
            ("bare-line-feed.size", "a bare line feed ends no size", "2\nab\r\n0\r\n\r\n"),
            ("bare-line-feed.data", "nor a chunk", "2\r\nab\n0\r\n\r\n"),
            ("bare-line-feed.end", "nor the content", "2\r\nab\r\n0\n\n"),
            ("trailer.no-colon", "a trailer field has a colon", "2\r\nab\r\n0\r\nnothing\r\n\r\n"),
            ("trailer.folded-first", "a trailer does not begin with a fold", "2\r\nab\r\n0\r\n X: 1\r\n\r\n"),
        ]
        let cut: [(name: String, title: String, text: String)] = [
            ("cut.before-size", "a body that ends before its first chunk is cut", ""),
            ("cut.in-size", "so is one that ends within a size", "5"),
            ("cut.in-extension", "within an extension", "2;ab"),
            ("cut.in-data", "within a chunk", "5\r\nab"),
            ("cut.after-data", "after a chunk's data", "2\r\nab"),
            ("cut.no-last-chunk", "before the last chunk", "2\r\nab\r\n"),
            ("cut.in-last-chunk", "within the last chunk", "2\r\nab\r\n0"),
            ("cut.before-last-line", "before the empty line", "2\r\nab\r\n0\r\n"),
            ("cut.in-trailer", "within a trailer", "2\r\nab\r\n0\r\nX-Sum: "),
        ]
        let reset = chunks("reset.in-data", "a reset cuts it too", "5\r\nab", then: .reset, due: .cutBody)
        return malformed.map { chunks($0.name, $0.title, $0.text, due: .malformedBody) }
            + cut.map { chunks($0.name, $0.title, $0.text, due: .truncated) } + [reset]
    }
}
