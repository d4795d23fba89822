public import AirframeTransport
public import HTTPTypes

/// Sends a second attempt of a request whose response takes long, and returns the first response.
///
/// One slow server or connection among many determines the latency of the slowest requests. A second attempt after,
/// say, the 95th percentile of response times cuts them for five percent more requests.
///
/// Only requests with a safe method (RFC 9110 §9.2.1), a body that can be sent again and no upgrade are hedged. The
/// first response wins, regardless of its status, and the other attempt is cancelled. An attempt that fails does not
/// end the request while the other one is running. A request that fails before the delay is not hedged: that is a
/// retry, which `RetryPolicy` decides on. The deadline holds for both attempts together.
///
/// ```swift
/// configuration.layers.insert(below: .cache) { HedgingLayer($0, after: .percentile(95, initial: .milliseconds(500))) }
/// ```
///
/// Below the cache a stored response needs no second attempt.
public struct HedgingLayer: SelectiveLayer {
    /// The transport beneath.
    public let base: any Transport
    /// The time after which the second attempt is sent.
    public let delay: HedgeDelay
    /// The methods of the requests that are hedged.
    public let methods: Set<HTTPRequest.Method>
    /// The budget that second attempts draw on; `nil` for no bound.
    public let budget: RetryBudget?

    private let times = ResponseTimes()

    /// Wraps `base`.
    ///
    /// - Parameters:
    ///   - base: The transport beneath.
    ///   - delay: The time after which the second attempt is sent.
    ///   - methods: The methods of the requests that are hedged: the safe ones by default.
    ///   - budget: The budget that second attempts draw on; `nil` for no bound.
    public init(
        _ base: any Transport,
        after delay: HedgeDelay,
        methods: Set<HTTPRequest.Method> = [.get, .head, .options, .trace],
        budget: RetryBudget? = nil
    ) {
        self.base = base
        self.delay = delay
        self.methods = methods
        self.budget = budget
    }

    /// Returns whether the request may be sent twice.
    public func mustPerform(_ request: TransportRequest) -> Bool {
        methods.contains(request.head.method) && request.body.replay != .oneShot && request.upgrade == nil
    }

    /// Sends `request`, and a second attempt after the delay.
    ///
    /// - Throws: The error of the last attempt if all attempts fail.
    public func perform(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        guard let origin = Origin(request.head) else { return try await base.send(request) }
        var request = request
        request.startDeadline(on: clock)
        let start = clock.now
        let response = try await race(request, after: wait(for: origin)).get()
        times.add(start.duration(to: clock.now), of: origin)
        return response
    }

    private func wait(for origin: Origin) -> Duration {
        switch delay {
        case .fixed(let duration): duration
        case .percentile(let percentile, let initial): times.percentile(percentile, of: origin) ?? initial
        }
    }

    // MARK: The race

    private enum Step: Sendable {
        /// The delay has elapsed, or the wait was cancelled.
        case waited(isDue: Bool)
        case ended(Result<TransportResponse, TransportError>)
    }

    private func race(
        _ request: TransportRequest,
        after wait: Duration
    ) async -> Result<TransportResponse, TransportError> {
        await withTaskGroup(of: Step.self) { group in
            group.addTask { .ended(await result(of: request)) }
            group.addTask {
                do {
                    try await clock.sleep(for: wait)
                    return .waited(isDue: true)
                } catch {
                    return .waited(isDue: false)
                }
            }
            var running = 1
            var failures: [TransportError] = []
            while let step = await group.next() {
                switch step {
                case .waited(let isDue):
                    guard isDue, let second = secondAttempt(of: request, after: wait) else { continue }
                    running += 1
                    group.addTask { .ended(await result(of: second)) }
                case .ended(.success(let response)):
                    group.cancelAll()
                    // The other attempt may have been answered at the same time.
                    for await case .ended(.success(let other)) in group { other.body.cancel() }
                    return .success(response)
                case .ended(.failure(let error)):
                    running -= 1
                    failures.append(error)
                    guard running == 0 else { continue }
                    group.cancelAll()
                    // If one attempt may have been processed, so may the request.
                    let isUnknown = failures.contains { $0.processing == .unknown }
                    return .failure(isUnknown ? error.withUnknownProcessing() : error)
                }
            }
            // Not reached: the first attempt always ends.
            return .failure(.cancelled(in: .layer, processing: .unknown, origin: Origin(request.head)))
        }
    }

    private func secondAttempt(of request: TransportRequest, after wait: Duration) -> TransportRequest? {
        guard !Task.isCancelled, budget?.withdraw(at: clock.now) ?? true else { return nil }
        var second = request
        second.beginNewExchange()
        second.report(.hedged(attempt: 2), because: "there was no response after \(wait)", on: clock)
        return second
    }

    private func result(of request: TransportRequest) async -> Result<TransportResponse, TransportError> {
        do throws(TransportError) {
            return .success(try await base.send(request))
        } catch {
            return .failure(error)
        }
    }
}
