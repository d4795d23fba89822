internal import Foundation

/// What this process holds of the kernel's goods.
public enum ProcessResources {
    /// The number of open descriptors.
    public static var descriptorCount: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
    }

    /// The number of threads.
    public static var threadCount: Int {
        (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count) ?? 0
    }
}
