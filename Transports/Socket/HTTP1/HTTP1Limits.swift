/// The limits on response heads, chunk framing and trailers.
///
/// These are held in memory until they are complete, so that each needs a limit.
package struct HTTP1Limits: Sendable, Hashable {
    /// The maximum size of a status line in bytes, including its end of line.
    package let statusLine: Int
    /// The maximum size of a field in bytes, including folded lines and ends of line.
    package let fieldLine: Int
    /// The maximum size of a head in bytes, from the status line to the empty line.
    package let head: Int
    /// The maximum number of fields in a head or trailer.
    package let fieldCount: Int
    /// The maximum number of informational (1xx) responses before the final one.
    package let informationalCount: Int
    /// The maximum size of a chunk's size and extensions in bytes.
    package let chunkLine: Int
    /// The maximum size of a trailer in bytes.
    package let trailer: Int

    /// Creates limits, in bytes and numbers. Limits too small for any response are raised.
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
