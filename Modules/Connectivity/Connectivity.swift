package import AirframeReachability
package import AirframeTransport

/// Reports whether a request's server can be reached, and waits until it can.
package protocol Connectivity: Sendable {
    /// Whether packets can leave this machine, as far as is known without a system call: read before every request.
    var isOnline: Bool { get }

    /// Returns as soon as there is a path to `target`.
    ///
    /// - Parameters:
    ///   - target: The server, or the proxy in between.
    ///   - clock: The clock that times pauses.
    ///   - onBlocked: Called once, before the wait, with the reason why there is no path.
    /// - Returns: Whether the call had to wait.
    /// - Throws: `CancellationError` when the task is cancelled.
    func waitForPath(
        to target: ConnectivityTarget,
        clock: any TransportClock,
        onBlocked: @Sendable (NetworkPath.Reason) -> Void
    ) async throws -> Bool
}

/// Connectivity according to the kernel's routes to the target's addresses, not according to requests that fail.
package final class NetworkConnectivity: Connectivity {
    private let watches: ConnectivityWatches
    private let accepts: @Sendable (NetworkPath) -> Bool

    /// How long to retry a name that is not found once the network is back: name servers return later than links.
    private static let grace: Duration = .seconds(3)

    /// - Parameters:
    ///   - configuration: The settings of the path monitor. Its host, if there is one, is watched instead of the hosts
    ///     of the targets.
    ///   - accepts: Whether a satisfied path may be used.
    package init(
        _ configuration: NetworkPathMonitor.Configuration = .init(),
        accepts: @escaping @Sendable (NetworkPath) -> Bool = { _ in true }
    ) {
        watches = ConnectivityWatches(configuration)
        self.accepts = accepts
    }

    package var isOnline: Bool {
        // Without an answer from the kernel, requests are sent.
        guard let path = watches.generalPath else { return true }
        return path.isSatisfied && accepts(path)
    }

    package func waitForPath(
        to target: ConnectivityTarget,
        clock: any TransportClock,
        onBlocked: @Sendable (NetworkPath.Reason) -> Void
    ) async throws -> Bool {
        let hosts: Set<String> = watches.configuredHost.map { [$0] } ?? Set(target.hosts)
        // Without reports from the kernel there is nothing to wait for.
        guard let paths = watches.paths(to: hosts, through: target.interface) else { return false }
        defer { paths.end.finish() }
        var verdicts: [String: Verdict] = [:]
        var hasWaited = false
        var graceTimer: Task<Void, Never>?
        defer { graceTimer?.cancel() }
        for await path in paths.stream {
            verdicts[path.host?.name ?? ""] = verdict(on: path)
            switch Verdict(verdicts.values, outOf: hosts.count) {
            case nil: continue
            case .open: return hasWaited
            case .nameless:
                // The network is up and does not know the name: the engine reports that better.
                guard hasWaited else { return false }
                graceTimer =
                    graceTimer
                    ?? Task { [end = paths.end] in
                        // A cancelled timer must not end the wait.
                        if (try? await clock.sleep(for: Self.grace)) != nil { end.finish() }
                    }
            case .closed(let reason):
                graceTimer?.cancel()
                graceTimer = nil
                if !hasWaited { onBlocked(reason) }
                hasWaited = true
            }
        }
        try Task.checkCancellation()
        return hasWaited
    }

    private enum Verdict {
        case open
        /// The network is up, and the name does not exist.
        case nameless
        case closed(NetworkPath.Reason)

        /// Combines the verdicts on several hosts, one of which must be reachable; `nil` while a missing verdict could
        /// change the result.
        init?(_ verdicts: some Collection<Verdict>, outOf count: Int) {
            if verdicts.contains(where: { if case .open = $0 { true } else { false } }) {
                self = .open
            } else if verdicts.count < count {
                return nil
            } else {
                self = verdicts.first { if case .nameless = $0 { true } else { false } } ?? verdicts.first ?? .open
            }
        }
    }

    private func verdict(on path: NetworkPath) -> Verdict {
        switch path.status {
        case .satisfied: accepts(path) ? .open : .closed(.noInterface)
        case .unsatisfied(.hostNotFound): .nameless
        case .unsatisfied(let reason): .closed(reason)
        }
    }
}
