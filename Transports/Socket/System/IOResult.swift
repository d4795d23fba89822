/// The result of a nonblocking read or write.
enum IOResult: Equatable {
    /// This many bytes were transferred, at least one.
    case bytes(Int)
    /// No byte was transferred. Wait until the descriptor is ready.
    case blocked
    /// The peer has ended its direction.
    case ended
    /// The connection broke, with the system's error code. Over TLS the stream has the message.
    case failed(Int32)
}
