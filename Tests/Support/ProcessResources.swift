internal import Foundation
internal import Glibc

/// The kernel resources of this process.
public enum ProcessResources {
    /// The number of open descriptors.
    public static var descriptorCount: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
    }

    /// The number of threads.
    public static var threadCount: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count) ?? 0
    }

    /// The resident memory in MiB.
    public static var residentMiB: Int {
        let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = status?.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        return (line.flatMap { Int($0.filter(\.isNumber)) } ?? 0) / 1024
    }

    /// Whether a sanitizer adds memory to the process's own: AddressSanitizer keeps up to 256 MiB of freed memory, to
    /// detect later uses, and ThreadSanitizer a shadow of what is accessed.
    public static var hasSanitizer: Bool { dlsym(nil, "__asan_init") != nil || dlsym(nil, "__tsan_init") != nil }
}
