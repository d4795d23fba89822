internal import Glibc

/// A file descriptor that is closed when its owner is destroyed.
struct Descriptor: ~Copyable, Sendable {
    /// The system's number; negative for none.
    let number: Int32

    /// Takes ownership of `number`.
    init(_ number: Int32) { self.number = number }

    deinit {
        if number >= 0 { close(number) }
    }

    /// Whether this is a valid descriptor.
    var isOpen: Bool { number >= 0 }
}
