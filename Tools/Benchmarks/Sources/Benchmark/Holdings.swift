internal import CBenchmark

/// What the process holds at a moment: what grows with the number of requests is a leak.
public struct Holdings: Sendable {
    /// Open descriptors.
    public let descriptors: Int
    /// Threads.
    public let threads: Int
    /// Memory that is resident, in KiB.
    public let residentKiB: Int
    /// Memory that was allocated and not freed, in KiB: each object and each task that is alive is in it.
    public let allocatedKiB: Int

    /// Looks at the process.
    public init() {
        let holdings = benchmark_holdings()
        descriptors = holdings.descriptors
        threads = holdings.threads
        residentKiB = holdings.resident_kibibytes
        allocatedKiB = holdings.allocated_bytes / 1024
    }
}
