/// How much of a response's head, chunk framing and trailer is taken before it is refused.
///
/// What a server sends beside the content is held in memory until it is whole, so all of it has a bound.
package struct HTTP1Limits: Sendable, Hashable {
    /// The most bytes of a status line, its end of line included.
    package let statusLine: Int
    /// The most bytes of one field, its folded lines and ends of line included.
    package let fieldLine: Int
    /// The most bytes of a head, from the status line to the empty line.
    package let head: Int
    /// The most fields of a head or a trailer.
    package let fieldCount: Int
    /// The most informational (1xx) responses before a final one.
    package let informationalCount: Int
    /// The most bytes of a chunk's size and extensions.
    package let chunkLine: Int
    /// The most bytes of a trailer.
    package let trailer: Int

    /// Sets limits, in bytes and numbers. Those that are too small to read any response are raised.
    package init(
        statusLine: Int = 16 * 1024,
        fieldLine: Int = 128 * 1024,
        head: Int = 256 * 1024,
        fieldCount: Int = 5_000,
        informationalCount: Int = 32,
        chunkLine: Int = 4 * 1024,
        trailer: Int = 64 * 1024
    ) {
        self.statusLine = max(statusLine, 32)
        self.fieldLine = max(fieldLine, 32)
        self.head = max(head, 64)
        // `HTTPFields` traps at 65,535.
        self.fieldCount = min(max(fieldCount, 1), 60_000)
        self.informationalCount = max(informationalCount, 0)
        self.chunkLine = max(chunkLine, 16)
        self.trailer = max(trailer, 16)
    }
}
