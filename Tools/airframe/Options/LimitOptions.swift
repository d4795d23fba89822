import Airframe
import AirframeCommandLine
import ArgumentParser
import Dispatch

/// The limits of phases, and the rules for retries.
struct LimitOptions: ParsableArguments {
    @Option(name: .customLong("max-time"), help: "The longest time for the request with all retries, in seconds.")
    var all: Seconds?
    @Option(name: .customLong("connect-timeout"), help: "Name resolution and connecting.") var connect: Seconds?
    @Option(name: .customLong("tls-timeout"), help: "The TLS handshake.") var tls: Seconds?
    @Option(name: .customLong("first-byte-timeout"), help: "From the request's end to the response's first byte.")
    var firstByte: Seconds?
    @Option(name: .customLong("read-timeout"), help: "A pause of the response.") var readIdle: Seconds?
    @Option(name: .customLong("write-timeout"), help: "A pause of the request.") var writeIdle: Seconds?
    @Option(
        name: .long,
        help: """
            Retry up to this many times, later each time, after a lost connection, a timeout or a status of --retry-status, \
            if the method is safe to repeat. A wait ends early when the network returns.
            """
    )
    var retry: UInt?
    @Option(
        name: .customLong("retry-status"),
        help: """
            The statuses after which --retry retries, separated by commas, by default 408, 500, 502, 503 and 504; none for \
            no status.
            """
    )
    var retryStatuses: StatusList?
    @Option(
        name: .customLong("retry-offline"),
        help: "Without a network, retry when there is one, within this many seconds."
    )
    var offlineLimit: Seconds?
    @Flag(
        name: .customLong("wait-for-connectivity"),
        help: "Without a network, wait for one, as long as --max-time allows."
    )
    var waitsForConnectivity = false

    func validate() throws {
        let limits = [
            ("--max-time", all), ("--connect-timeout", connect), ("--tls-timeout", tls),
            ("--first-byte-timeout", firstByte), ("--read-timeout", readIdle), ("--write-timeout", writeIdle),
        ]
        if retryStatuses != nil, retry == nil { throw ValidationError("--retry-status needs --retry") }
        for (name, limit) in limits {
            if let limit, limit.duration <= .zero {
                throw ValidationError("\(name) needs a number of seconds above 0")
            }
        }
    }

    /// Runs `body`, which makes more than one request, and cancels it when `--max-time` has passed.
    ///
    /// - Throws: What `body` throws, or ``CommandFailure`` with the status of a time limit.
    func bounding<Value: Sendable>(
        hint: String,
        _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        guard let all else { return try await body() }
        return try await withThrowingTaskGroup(of: Value.self) { group in
            defer { group.cancelAll() }
            group.addTask { try await body() }
            group.addTask {
                try await Task.sleep(for: all.duration)
                throw CommandFailure("the limit of \(all.duration) passed", hint: hint, status: .timeout)
            }
            guard let value = try await group.next() else { throw CancellationError() }
            return value
        }
    }

    /// The limit of each phase.
    var phases: PhaseLimits {
        PhaseLimits(
            connect: connect?.duration,
            tls: tls?.duration,
            writeIdle: writeIdle?.duration,
            firstByte: firstByte?.duration,
            readIdle: readIdle?.duration
        )
    }

    /// The retriers of a request.
    var retriers: [any RequestRetrier] {
        var retriers: [any RequestRetrier] = []
        if let offlineLimit {
            retriers.append(OfflineRetrier(maximumWait: .milliseconds(Int(offlineLimit.count * 1000))))
        }
        if let retry {
            retriers.append(StatusRetries(statuses: statuses, retryLimit: retry))
            retriers.append(ReachabilityRetryPolicy(retryLimit: retry))
        }
        return retriers
    }

    /// What fails a request on a status of `--retry-status`, so that the retriers are called.
    var responseInterceptors: [any ResponseInterceptor] {
        retry.map { [StatusRetries(statuses: statuses, retryLimit: $0)] } ?? []
    }

    private var statuses: Set<Int> { retryStatuses?.codes ?? RetryPolicy.defaultRetryableHTTPStatusCodes }
}
