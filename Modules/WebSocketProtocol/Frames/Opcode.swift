/// The kind of a frame (RFC 6455 §5.2).
package enum Opcode: UInt8, Sendable, Hashable {
    /// A further fragment of a message.
    case continuation = 0x0
    /// The first fragment of a text message.
    case text = 0x1
    /// The first fragment of binary data.
    case binary = 0x2
    /// The closing handshake (§5.5.1)
    case close = 0x8
    /// A ping (§5.5.2)
    case ping = 0x9
    /// A pong (§5.5.3)
    case pong = 0xA

    /// Whether frames of this kind may occur between the fragments of a message (§5.5).
    package var isControl: Bool { rawValue >= 0x8 }
}

/// The kind of a message (RFC 6455 §5.6).
package enum MessageKind: Sendable, Hashable {
    /// UTF-8
    case text
    /// Arbitrary bytes.
    case binary

    /// The opcode of the message's first frame.
    package var opcode: Opcode { self == .text ? .text : .binary }
}

/// The end of a connection that an implementation represents: clients mask their frames, servers do not (RFC 6455
/// §5.1).
package enum Role: Sendable, Hashable {
    case client
    case server
}
