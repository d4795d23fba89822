public import AirframeTransport
internal import HTTPTypes

/// Rejects requests to servers that keep failing, until a probe succeeds.
///
/// Each origin has its own circuit. An exchange fails when no connection can be established, when it is lost or times
/// out, when the response is malformed, or with one of ``failureStatuses``. Cancelled requests, rejected certificates,
/// a missing network and a full pool do not count. A rejected request fails with ``TransportError/Code/circuitOpen``;
/// nothing of it was sent. The layer reports each change of a circuit as a decision.
///
/// ```swift
/// let breaker = CircuitBreaker(CircuitThresholds(minimumExchanges: 20, openDuration: .seconds(10)))
/// configuration.layers.insert(below: .cache) { CircuitBreakerLayer($0, breaker: breaker) }
/// ```
///
/// Below the cache stored responses are served while a circuit is open.
public struct CircuitBreakerLayer: TransportLayer {
    /// The transport beneath.
    public let base: any Transport
    /// The circuits.
    public let breaker: CircuitBreaker
    /// The statuses that count as failures of the server.
    public let failureStatuses: Set<Int>

    /// Wraps `base`.
    ///
    /// - Parameters:
    ///   - base: The transport beneath.
    ///   - breaker: The circuits, which several layers may share.
    ///   - failureStatuses: The statuses that count as failures of the server.
    public init(
        _ base: any Transport,
        breaker: CircuitBreaker = CircuitBreaker(),
        failureStatuses: Set<Int> = [500, 502, 503, 504]
    ) {
        self.base = base
        self.breaker = breaker
        self.failureStatuses = failureStatuses
    }

    /// Sends `request` if the circuit of its origin admits it.
    ///
    /// - Throws: ``TransportError/Code/circuitOpen`` when it does not.
    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        guard let origin = Origin(request.head) else { return try await base.send(request) }
        let (admission, change) = breaker.admit(origin, at: clock.now)
        report(change, request)
        switch admission {
        case .rejected(let time): throw request.failed(rejection(of: origin, for: time), on: clock)
        case .admitted(let ticket):
            do throws(TransportError) {
                let response = try await base.send(request)
                let isFailure = failureStatuses.contains(response.head.status.code)
                record(isFailure ? .failure : .success, of: origin, ticket, request)
                return response
            } catch {
                record(error.isOfServer ? .failure : .neutral, of: origin, ticket, request)
                throw error
            }
        }
    }

    private func record(
        _ result: Circuit.ExchangeResult,
        of origin: Origin,
        _ ticket: Int,
        _ request: TransportRequest
    ) {
        report(breaker.record(result, of: origin, ticket: ticket, at: clock.now), request)
    }

    private func report(_ change: CircuitBreaker.Change?, _ request: TransportRequest) {
        guard let change else { return }
        let kind: TransportDecision.Kind =
            switch change.state {
            case .open: .circuitOpened
            case .halfOpen: .circuitHalfOpened
            case .closed: .circuitClosed
            }
        request.report(kind, because: change.reason, on: clock)
    }

    private func rejection(of origin: Origin, for time: Duration) -> TransportError {
        let hint = time > .zero ? "it admits a probe in \(time)" : "it is half-open and its probes are on their way"
        return TransportError(
            .circuitOpen,
            phase: .layer,
            processing: .notSent,
            message: "the circuit breaker is open because exchanges with this server kept failing; \(hint)",
            origin: origin
        )
    }
}

extension TransportError {
    /// Returns whether the error indicates a failure of the server, rather than of the caller or this machine.
    fileprivate var isOfServer: Bool {
        [
            .timedOut, .nameResolutionFailed, .connectFailed, .proxyFailed, .tlsFailed, .connectionLost,
            .malformedResponse, .bodyTruncated,
        ].contains(code)
    }
}
