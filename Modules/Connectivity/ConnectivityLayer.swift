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
/// any byte was sent and its body can be sent again. Its deadline keeps running. Requests to this machine, or to a Unix
/// socket, never wait. The wait and its end are reported as decisions.
public struct ConnectivityLayer: SelectiveLayer {
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

    /// Whether the options say anything about waiting for a path.
    public func mustPerform(_ request: TransportRequest) -> Bool { request.options.waitsForConnectivity != nil }

    /// Sends `request`, once there is a path if its options ask for that.
    ///
    /// - Throws: The errors of the transport beneath; ``TransportError/Code/timedOut`` if the deadline passes before
    ///   there is a path; ``TransportError/Code/cancelled`` if the task is cancelled meanwhile.
    public func perform(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        var request = request
        let waits = request.options.waitsForConnectivity == true
        request.options.waitsForConnectivity = nil
        guard waits, let target = ConnectivityTarget(request) else { return try await base.send(request) }
        // An unsupported request fails now, not after the wait.
        try base.capabilities.requireSupport(for: request)
        request.startDeadline(on: clock)
        if !connectivity.isOnline { _ = try await waitForPath(to: target, request) }
        while true {
            do throws(TransportError) {
                return try await base.send(request)
            } catch {
                // The engine may have opened the body before it connected: a one-shot body is consumed by then.
                guard error.canComeFromBeingOffline, error.processing == .notSent, request.body.replay != .oneShot
                else { throw error }
                request.beginNewExchange()
                guard try await waitForPath(to: target, request) else { throw error }
            }
        }
    }

    /// - Returns: Whether the call had to wait. If not, there was a path all along.
    private func waitForPath(
        to target: ConnectivityTarget,
        _ request: TransportRequest
    ) async throws(TransportError) -> Bool {
        let blocked = BlockedPath()
        do {
            let hasWaited = try await clock.limited(until: request.deadline) { [connectivity, clock] in
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
        request.report(kind, because: reason, on: clock)
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
        return request.failed(failure, on: clock)
    }
}
