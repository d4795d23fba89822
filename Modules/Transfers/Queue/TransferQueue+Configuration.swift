extension TransferQueue {
    /// The limits of a queue in this process. Each process that shares a queue has its own.
    public struct Configuration: Sendable {
        /// The maximum number of concurrent transfers.
        public var concurrentTransfers = 4
        /// The maximum number of concurrent transfers with one host.
        public var concurrentTransfersPerHost = 4
        /// The maximum number of concurrent transfers with a tag.
        public var concurrentTransfersPerTag: [String: Int] = [:]
        /// The maximum number of bytes per second of all transfers together, both ways; `nil` for no limit.
        public var bytesPerSecond: Int64?
        /// The hours in which nothing is transferred.
        public var quietHours: QuietHours?
        /// The monitor of the network.
        public var network: any TransferNetwork = AlwaysConnected()
        /// The provider of credentials.
        public var secrets: (any TransferSecrets)?
        /// The number of seconds after which leases that a process on another machine does not renew expire. Leases of
        /// processes on this machine end with their process.
        public var leaseSeconds = 30.0
        /// The number of seconds between writes of the progress to the disk. A download that is killed repeats at most
        /// this much.
        public var checkpointSeconds = 1.0

        /// Creates the default limits.
        public init() {}
    }
}
