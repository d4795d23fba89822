internal import Glibc

/// The system's words.
enum SystemError {
    /// What `code` (an `errno`) means.
    static func text(_ code: Int32) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
            // `strerror` may not be called from two threads at once.
            guard let start = buffer.baseAddress, strerror_r(code, start, buffer.count) == 0 else {
                return "error \(code)"
            }
            return String(cString: start)
        }
    }
}
