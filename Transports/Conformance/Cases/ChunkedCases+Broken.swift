internal import AirframeTransport

extension ConformanceCase {
    /// Chunks that break the rules, or off.
    static var brokenChunks: [ConformanceCase] {
        let malformed: [(name: String, title: String, text: String)] = [
            ("size.negative", "a size is not negative", "-2\r\nab\r\n0\r\n\r\n"),
            ("size.plus", "a size has no sign", "+2\r\nab\r\n0\r\n\r\n"),
            ("size.0x", "a size has no prefix", "0x2\r\nab\r\n0\r\n\r\n"),
            ("size.empty", "a size has a digit", "\r\nab\r\n0\r\n\r\n"),
            ("size.letters", "a size has hexadecimal digits", "g\r\nab\r\n0\r\n\r\n"),
            ("size.overflow", "a size beyond 64 bits is refused, not cut", "10000000000000002\r\nab\r\n0\r\n\r\n"),
            ("size.overflow.far", "nor one far beyond", "\(String(repeating: "f", count: 64))\r\nab\r\n0\r\n\r\n"),
            ("data.too-long", "after a chunk's data comes a line end", "2\r\nabc\r\n0\r\n\r\n"),
            ("data.no-line-end", "and nothing else", "2\r\nabXX0\r\n\r\n"),
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
        let either: [(name: String, title: String, text: String, body: String)] = [
            ("bare-line-feed.size", "a bare line feed after a size", "2\nab\r\n0\r\n\r\n", "ab"),
            ("bare-line-feed.data", "a bare line feed after a chunk", "2\r\nab\n0\r\n\r\n", "ab"),
            ("bare-line-feed.end", "bare line feeds at the end", "2\r\nab\r\n0\n\n", "ab"),
            ("size.blank-after", "a blank after a size", "2 \r\nab\r\n0\r\n\r\n", "ab"),
            ("size.blank-before", "a blank before a size", " 2\r\nab\r\n0\r\n\r\n", "ab"),
            (
                "size.many-zeros", "a size of a thousand digits, most of them zeros",
                "\(String(repeating: "0", count: 1000))2\r\nab\r\n0\r\n\r\n", "ab"
            ),
            (
                "extension.long", "an extension of 1 MiB",
                "2;\(String(repeating: "x", count: 1 << 20))\r\nab\r\n0\r\n\r\n", "ab"
            ),
        ]
        let reset = chunks("reset.in-data", "a reset cuts it too", "5\r\nab", then: .reset, due: .cutBody)
        return malformed.map { chunks($0.name, $0.title, $0.text, due: .malformedBody) }
            + cut.map { chunks($0.name, $0.title, $0.text, due: .truncated) } + [reset]
            + either.map {
                chunks($0.name, "\($0.title) is refused or does no harm", $0.text, due: .wholeOrBroken($0.body))
            }
    }
}
