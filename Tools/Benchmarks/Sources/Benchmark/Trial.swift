internal import CBenchmark
internal import Synchronization

/// Runs the requests of the settings, with their concurrency, and prints the cost.
///
/// Each lane of requests starts its next one when the last one has ended. What a lane notes is its own, so that
/// lanes do not wait for each other.
public struct Trial: Sendable {
    private let client: String
    private let settings: Settings

    /// Prepares to measure.
    ///
    /// - Parameters:
    ///   - client: What the result calls the client.
    ///   - settings: How many requests, and how many concurrently.
    public init(of client: String, _ settings: Settings) {
        self.client = client
        self.settings = settings
    }

    /// Measures a function that returns when its request is over, and throws when the response is not as it should be.
    public func run(_ exchange: @escaping @Sendable () async throws -> Void) async {
        await measure { requests in
            var latencies: [Float] = []
            latencies.reserveCapacity(requests)
            for _ in 0..<requests {
                let start = benchmark_now()
                do {
                    try await exchange()
                    latencies.append(elapsed(since: start))
                } catch {
                    benchmark_explain("\(error)")
                }
            }
            return latencies
        }
    }

    /// Measures a function that calls back when its request has ended, with the fault.
    public func run(callingBack exchange: @escaping @Sendable (@escaping Completion) -> Void) async {
        await measure { requests in
            await withCheckedContinuation { continuation in
                CallbackLane(requests: requests, exchange: exchange, continuation).next()
            }
        }
    }

    /// Called when a request is over.
    public typealias Completion = @Sendable ((any Error)?) -> Void

    private func measure(_ lane: @escaping @Sendable (Int) async -> [Float]) async {
        _ = await runLanes(settings.options.warmup, lane)
        let before = benchmark_usage()
        let lanes = await runLanes(settings.options.requests, lane)
        let after = benchmark_usage()
        var latencies = lanes.flatMap(\.self)
        let count = latencies.count
        withUnsafePointer(to: settings.options) { options in
            benchmark_report(client, options, before, after, &latencies, count)
        }
    }

    private func runLanes(_ requests: Int, _ lane: @escaping @Sendable (Int) async -> [Float]) async -> [[Float]] {
        await withTaskGroup(of: [Float].self) { group in
            let lanes = settings.concurrency
            for index in 0..<lanes {
                let share = requests / lanes + (index < requests % lanes ? 1 : 0)
                group.addTask { await lane(share) }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
    }
}

/// Requests one after another, each begun by the end of the one before.
private final class CallbackLane: Sendable {
    private let latencies = Mutex<[Float]>([])
    private let left: Atomic<Int>
    private let exchange: @Sendable (@escaping Trial.Completion) -> Void
    private let continuation: CheckedContinuation<[Float], Never>

    init(
        requests: Int,
        exchange: @escaping @Sendable (@escaping Trial.Completion) -> Void,
        _ continuation: CheckedContinuation<[Float], Never>
    ) {
        left = Atomic(requests)
        self.exchange = exchange
        self.continuation = continuation
        latencies.withLock { $0.reserveCapacity(requests) }
    }

    func next() {
        guard left.subtract(1, ordering: .relaxed).oldValue > 0 else {
            return continuation.resume(returning: latencies.withLock(\.self))
        }
        let start = benchmark_now()
        exchange { [self] error in
            if let error {
                benchmark_explain("\(error)")
            } else {
                latencies.withLock { $0.append(elapsed(since: start)) }
            }
            next()
        }
    }
}

private func elapsed(since start: UInt64) -> Float {
    Float(benchmark_now() - start) / 1000
}
