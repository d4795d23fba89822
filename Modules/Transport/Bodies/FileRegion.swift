/// A file, or a range of its bytes, that is sent as content.
public struct FileRegion: Sendable, Hashable {
    /// The path of the file.
    public let path: String

    /// The offset of the region, in bytes from the start of the file.
    public let offset: Int64

    /// The length of the region, in bytes.
    public let length: Int64

    /// Names a region of a file.
    ///
    /// - Parameters:
    ///   - path: The path of the file. It is opened each time that the body is sent.
    ///   - offset: The offset of the region, in bytes from the start of the file; a negative one counts as 0.
    ///   - length: The length of the region, in bytes; a negative one counts as 0, and one that exceeds the largest
    ///     offset is clamped to it. If the file is shorter when it is read, the exchange fails.
    public init(path: String, offset: Int64 = 0, length: Int64) {
        self.path = path
        self.offset = max(0, offset)
        // Engines add the two, so the sum must be a valid offset.
        self.length = min(max(0, length), .max - self.offset)
    }
}
