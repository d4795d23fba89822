/// What became of an attempt to read or write without waiting.
enum IOResult: Equatable {
    /// So many bytes moved, at least one.
    case bytes(Int)
    /// Nothing moved; wait until the descriptor is ready.
    case blocked
    /// The peer has ended its direction.
    case ended
    /// The connection broke, with the system's error. Over TLS the stream knows more.
    case failed(Int32)
}
