internal import Glibc

/// An error: the kernel did not answer a question about the network.
public struct NetworkPathError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The failed operation.
    public let operation: String
    /// The system's error number (`errno`).
    public let code: Int32

    init(_ operation: String, code: Int32) {
        self.operation = operation
        self.code = code
    }

    /// A sentence with the system's error message.
    public var description: String {
        // A local buffer: the buffer of `strerror` is shared between threads.
        var text = [CChar](repeating: 0, count: 128)
        strerror_r(code, &text, text.count)
        let words = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        return "could not \(operation): \(words.isEmpty ? "error \(code)" : words)"
    }
}
