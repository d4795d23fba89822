internal import Glibc

/// A descriptor that is closed with its owner.
struct Descriptor: ~Copyable, Sendable {
    /// The system's number, negative when there is none.
    let number: Int32

    /// Takes over `number`.
    init(_ number: Int32) { self.number = number }

    deinit {
        if number >= 0 { close(number) }
    }

    /// Whether there is a descriptor.
    var isOpen: Bool { number >= 0 }
}
