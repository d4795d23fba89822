internal import Glibc

/// Why the kernel could not be asked about the network.
public struct NetworkPathError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was attempted, in words.
    public let operation: String
    /// The system's error number (`errno`).
    public let code: Int32

    init(_ operation: String, code: Int32) {
        self.operation = operation
        self.code = code
    }

    /// A sentence with the system's own words.
    public var description: String {
        // A buffer of our own: strerror's is shared between threads.
        var text = [CChar](repeating: 0, count: 128)
        strerror_r(code, &text, text.count)
        let words = String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        return "could not \(operation): \(words.isEmpty ? "error \(code)" : words)"
    }
}
