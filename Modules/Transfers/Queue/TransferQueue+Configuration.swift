extension TransferQueue {
    /// The limits of a queue in this process. Processes that share a queue each have their own.
    public struct Configuration: Sendable {
        /// The most transfers at once.
        public var concurrentTransfers = 4
        /// The most transfers at once with one host.
        public var concurrentTransfersPerHost = 4
        /// The most transfers at once with a tag.
        public var concurrentTransfersPerTag: [String: Int] = [:]
        /// The bytes per second of all transfers together, both ways; `nil` for no limit.
        public var bytesPerSecond: Int64?
        /// The hours in which nothing is transferred.
        public var quietHours: QuietHours?
        /// Tells whether there is a network.
        public var network: any TransferNetwork = AlwaysConnected()
        /// Provides credentials.
        public var secrets: (any TransferSecrets)?
        /// How long another machine's process that does not renew its leases keeps them, in seconds. Those of a process
        /// of this machine end with it.
        public var leaseSeconds = 30.0
        /// How often progress is written to the disk, in seconds: a download that is killed fetches at most this much
        /// again.
        public var checkpointSeconds = 1.0

        /// The defaults.
        public init() {}
    }
}
