internal import AirframeReachability
public import AirframeTransport
internal import HTTPTypes

/// Lets requests wait for a way to their server instead of failing (`TransportOptions.waitsForConnectivity`).
///
/// The umbrella's sessions have it where their configuration says `waitsForConnectivity`. Wrap an engine of your own in
/// it to have it elsewhere:
///
/// ```swift
/// let session = Session(transport: ConnectivityLayer(engine), configuration: configuration)
/// ```
///
/// There is no way when the kernel has no route to any address of the server, or of the proxy between, whose interface
/// works. A request waits when that is so before it is sent, or when it has failed for it before any byte of it was sent
/// and its body can be sent again. Its deadline goes on. Requests to this machine, or to a unix socket, never wait. The wait and its end are
/// decisions among its events.
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

    /// The capabilities of the transport beneath, and waiting.
    public var capabilities: TransportCapabilities {
        var capabilities = base.capabilities
        capabilities.features.insert(.connectivityWait)
        return capabilities
    }

    /// Sends `request` when there is a way, if it asks for that.
    public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        guard request.options.waitsForConnectivity != nil else { return try await base.send(request) }
        var request = request
        let waits = request.options.waitsForConnectivity == true
        request.options.waitsForConnectivity = nil
        guard waits, let target = ConnectivityTarget(request) else { return try await base.send(request) }
        // What cannot be sent at all need not wait first.
        try base.capabilities.requireSupport(for: request)
        let end = request.options.deadline.map { clock.now.advanced(by: $0) }
        if !connectivity.isOnline { _ = try await waitForWay(to: target, request, until: end) }
        while true {
            if let end { request.options.deadline = clock.now.duration(to: end) }
            do throws(TransportError) {
                return try await base.send(request)
            } catch {
                // An engine may have opened a body before it connected; one that can be read once is gone then.
                guard error.mayComeFromBeingOffline, error.processing == .notSent, request.body.replay != .oneShot
                else { throw error }
                guard try await waitForWay(to: target, request, until: end) else { throw error }
            }
        }
    }

    /// - Returns: Whether there was a wait. Otherwise there was a way all along.
    private func waitForWay(
        to target: ConnectivityTarget,
        _ request: TransportRequest,
        until end: MonotonicInstant?
    ) async throws(TransportError) -> Bool {
        let obstacle = Obstacle()
        do {
            let hasWaited = try await clock.limited(until: end) { [connectivity, clock] in
                try await connectivity.waitForWay(to: target, clock: clock) { reason in
                    obstacle.note(reason)
                    report(.waitsForConnectivity, "there is no way to \(target.hosts[0]): \(reason.words)", request)
                }
            }
            if hasWaited { report(.connectivityReturned, "there is a way to \(target.hosts[0]) again", request) }
            return hasWaited
        } catch {
            throw failed(error, obstacle.reason, target, request)
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
                    message: "there was no way to \(target.hosts[0]) until the deadline: "
                        + (reason?.words ?? "the network could not be judged in time"),
                    origin: origin
                )
            } else {
                TransportError.cancelled(in: .pool, processing: .notSent, origin: origin)
            }
        request.events?.receive(TransportEvent(.failed(failure), at: clock.now))
        return failure
    }
}
