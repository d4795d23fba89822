internal import AirframeReachability
public import AirframeTransport
internal import HTTPTypes

/// Holds requests until there is a path to their server (`TransportOptions.waitsForConnectivity`).
///
/// The umbrella's sessions use it if their configuration sets `waitsForConnectivity`. Elsewhere, wrap an engine in it:
///
/// ```swift
/// let session = Session(transport: ConnectivityLayer(engine), configuration: configuration)
/// ```
///
/// There is no path when the kernel has no route over a working interface to any address of the server, or of the proxy
/// in between. A request waits if there is no path before it is sent. It also waits if it failed for that reason before
/// any byte was sent and its body can be sent again. Its deadline keeps running. Requests to this machine, or to a unix
/// socket, never wait. The wait and its end are reported as decisions.
public struct ConnectivityLayer: TransportLayer {
    /// The transport beneath.
    public let base: any Transport

    private let connectivity: any Connectivity

    /// Wraps `base`.
    public init(_ base: any Transport) { self.init(base, connectivity: NetworkConnectivity()) }

    package init(_ base: any Transport, connectivity: any Connectivity) {
        self.base = base
        self.connectivity = connectivity
    }

    /// The capabilities of the transport beneath, with `connectivityWait` added.
    public var capabilities: TransportCapabilities {
        var capabilities = base.capabilities
        capabilities.features.insert(.connectivityWait)
        return capabilities
    }

    /// Sends `request`, once there is a path if its options ask for that.
    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        guard request.options.waitsForConnectivity != nil else { return try await base.send(request) }
        var request = request
        let waits = request.options.waitsForConnectivity == true
        request.options.waitsForConnectivity = nil
        guard waits, let target = ConnectivityTarget(request) else { return try await base.send(request) }
        // An unsupported request fails now, not after the wait.
        try base.capabilities.requireSupport(for: request)
        let end = request.options.deadline.map { clock.now.advanced(by: $0) }
        if !connectivity.isOnline { _ = try await waitForPath(to: target, request, until: end) }
        while true {
            if let end { request.options.deadline = clock.now.duration(to: end) }
            do throws(TransportError) {
                return try await base.send(request)
            } catch {
                // The engine may have opened the body before it connected: a one-shot body is consumed by then.
                guard error.canComeFromBeingOffline, error.processing == .notSent, request.body.replay != .oneShot
                else { throw error }
                guard try await waitForPath(to: target, request, until: end) else { throw error }
            }
        }
    }

    /// - Returns: Whether the call had to wait. If not, there was a path all along.
    private func waitForPath(
        to target: ConnectivityTarget,
        _ request: TransportRequest,
        until end: MonotonicInstant?
    ) async throws(TransportError) -> Bool {
        let blocked = BlockedPath()
        do {
            let hasWaited = try await clock.limited(until: end) { [connectivity, clock] in
                try await connectivity.waitForPath(to: target, clock: clock) { reason in
                    blocked.record(reason)
                    report(
                        .waitsForConnectivity, "there is no path to \(target.hosts[0]): \(reason.explanation)", request)
                }
            }
            if hasWaited { report(.connectivityReturned, "there is a path to \(target.hosts[0]) again", request) }
            return hasWaited
        } catch {
            throw failed(error, blocked.reason, target, request)
        }
    }

    private func report(_ kind: TransportDecision.Kind, _ reason: String, _ request: TransportRequest) {
        request.events?.receive(TransportEvent(.decided(TransportDecision(kind, reason: reason)), at: clock.now))
    }

    private func failed(
        _ error: any Error,
        _ reason: NetworkPath.Reason?,
        _ target: ConnectivityTarget,
        _ request: TransportRequest
    ) -> TransportError {
        let origin = Origin(request.head)
        let failure =
            if error is TimeLimitError {
                TransportError(
                    .timedOut,
                    phase: .pool,
                    processing: .notSent,
                    message: "there was no path to \(target.hosts[0]) before the deadline: "
                        + (reason?.explanation ?? "the state of the network was not known in time"),
                    origin: origin
                )
            } else {
                TransportError.cancelled(in: .pool, processing: .notSent, origin: origin)
            }
        request.events?.receive(TransportEvent(.failed(failure), at: clock.now))
        return failure
    }
}
