/// A part of a file that is sent as content: all of it, or a range of bytes.
public struct FileRegion: Sendable, Hashable {
    /// The path of the file.
    public let path: String

    /// The first byte.
    public let offset: Int64

    /// The number of bytes.
    public let length: Int64

    /// Names a region of a file.
    ///
    /// - Parameters:
    ///   - path: The path of the file. It is opened when the body is sent, each time anew.
    ///   - offset: The first byte; a negative one counts as 0.
    ///   - length: The number of bytes; a negative one counts as 0, and one that would lead beyond the largest offset
    ///     is cut there. A file that is shorter when it is read fails the exchange.
    public init(path: String, offset: Int64 = 0, length: Int64) {
        self.path = path
        self.offset = max(0, offset)
        // Engines add the two: the end of a region is an offset as well.
        self.length = min(max(0, length), .max - self.offset)
    }
}
