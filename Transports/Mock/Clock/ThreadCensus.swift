#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// The threads of this process that are running or ready to run.
enum ThreadCensus {
    /// A thread that is not at rest.
    struct RunningThread: Sendable {
        let number: Int32
        /// The processor time that the thread has used, in nanoseconds.
        let processorTime: Int64
    }

    #if os(Linux)
        /// The maximum number of threads to examine. With more, the examination would take too long.
        private static let limit = 256

        /// Returns the threads that are not at rest, except the calling one, or `nil` if the system does not report
        /// them.
        static func running() -> [RunningThread]? {
            guard let own = ownNumber, let folder = opendir("/proc/self/task") else { return nil }
            defer { closedir(folder) }
            var running: [RunningThread] = []
            var count = 0
            while let entry = readdir(folder) {
                guard let number = number(of: entry), number != own else { continue }
                count += 1
                guard count <= limit else { return nil }
                guard isRunning(number) else { continue }
                running.append(RunningThread(number: number, processorTime: processorTime(of: number)))
            }
            return running
        }

        private static func number(of entry: UnsafeMutablePointer<dirent>) -> Int32? {
            withUnsafePointer(to: &entry.pointee.d_name) { name in
                name.withMemoryRebound(to: CChar.self, capacity: 256) { Int32(String(cString: $0)) }
            }
        }

        /// `/proc/thread-self` is a link to `PID/task/NUMBER`.
        private static var ownNumber: Int32? {
            var buffer = [CChar](repeating: 0, count: 64)
            let length = readlink("/proc/thread-self", &buffer, buffer.count - 1)
            guard length > 0 else { return nil }
            let text = String(decoding: buffer.prefix(length).map { UInt8(bitPattern: $0) }, as: UTF8.self)
            return text.split(separator: "/").last.flatMap { Int32($0) }
        }

        /// Whether a thread's state, the letter after its name in `stat`, is running, ready to run, or waiting for a
        /// disk.
        private static func isRunning(_ number: Int32) -> Bool {
            let descriptor = open("/proc/self/task/\(number)/stat", O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { return false }
            defer { close(descriptor) }
            return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 128) { buffer in
                let count = read(descriptor, buffer.baseAddress, buffer.count)
                let text = buffer.prefix(max(0, count))
                // The name may contain parentheses.
                guard let end = text.lastIndex(of: UInt8(ascii: ")")), end + 2 < text.count else { return false }
                return text[end + 2] == UInt8(ascii: "R") || text[end + 2] == UInt8(ascii: "D")
            }
        }

        /// The kernel derives the number of a thread's processor clock from the thread's number (see
        /// `clock_getcpuclockid`).
        private static func processorTime(of number: Int32) -> Int64 {
            var time = timespec()
            guard clock_gettime(clockid_t(~number << 3 | 6), &time) == 0 else { return .max }
            return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
        }
    #else
        static func running() -> [RunningThread]? { nil }
    #endif
}
