internal import Glibc

/// The system's error messages.
enum SystemError {
    /// Returns the message for `code`, an `errno`.
    static func text(_ code: Int32) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            // `strerror` is not thread-safe.
            guard let start = buffer.baseAddress, strerror_r(code, start, buffer.count) == 0 else {
                return "error \(code)"
            }
            return String(cString: start)
        }
    }
}
