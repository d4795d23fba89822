package import FoundationEssentials

/// Decompresses messages (RFC 7692 §6.2). One task at a time uses it.
package protocol MessageDecompressor: AnyObject, Sendable {
    /// Takes a frame's payload, or a part of it.
    func append(_ data: Data)

    /// Notes that the message has no further payload.
    func finishMessage()

    /// Returns the next piece of the message, of a bounded size, or `nil` when it needs more payload.
    ///
    /// - Throws: The violation, if the payload is not what DEFLATE makes.
    func next() throws(ProtocolViolation) -> Data?

    /// Prepares for the next message, after the last piece of this one.
    func endMessage()
}

/// Compresses messages (RFC 7692 §6.1). One task at a time uses it.
package protocol MessageCompressor: AnyObject, Sendable {
    /// Compresses a part of a message.
    ///
    /// - Parameters:
    ///   - data: The part.
    ///   - isLast: Whether the message ends with it.
    /// - Returns: The payload of a frame, or `nil` if compression cannot begin: the message is sent as it is.
    func compress(_ data: Data, isLast: Bool) -> Data?
}
