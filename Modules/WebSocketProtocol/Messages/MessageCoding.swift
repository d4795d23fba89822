package import FoundationEssentials

/// A decompressor of messages (RFC 7692 §6.2). One task at a time uses it.
package protocol MessageDecompressor: AnyObject, Sendable {
    /// Appends a frame's payload or a part of it.
    func append(_ data: Data)

    /// Ends the payload of the message.
    func finishMessage()

    /// Returns the next piece of the message, of a bounded size; `nil` if it needs more payload.
    ///
    /// - Throws: The violation, if the payload is not valid DEFLATE.
    func next() throws(ProtocolViolation) -> Data?

    /// Prepares for the next message, after the last piece of this one.
    func endMessage()
}

/// A compressor of messages (RFC 7692 §6.1). One task at a time uses it.
package protocol MessageCompressor: AnyObject, Sendable {
    /// Compresses a part of a message.
    ///
    /// - Parameters:
    ///   - data: The part.
    ///   - isLast: Whether the message ends with it.
    /// - Returns: The payload of a frame; `nil` if compression fails to start and the message is sent uncompressed.
    func compress(_ data: Data, isLast: Bool) -> Data?
}
