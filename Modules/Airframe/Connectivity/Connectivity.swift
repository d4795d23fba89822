package import AirframeReachability
package import AirframeTransport

/// Whether there is a way to a request's server, and when there is one again.
package protocol Connectivity: Sendable {
    /// Whether packets can leave at all, as far as is known without asking: the question before every request.
    var isOnline: Bool { get }

    /// Returns at once when there is a way to `target`, otherwise when there is one again.
    ///
    /// - Parameters:
    ///   - target: Whom to reach.
    ///   - clock: The clock to measure pauses by.
    ///   - obstacle: Called once, before the wait, with what is in the way.
    /// - Returns: Whether there was a wait.
    /// - Throws: `CancellationError` when the task is cancelled.
    func waitForWay(
        to target: ConnectivityTarget,
        clock: any TransportClock,
        obstacle: @Sendable (NetworkPath.Reason) -> Void
    ) async throws -> Bool
}

/// Connectivity as the kernel tells it: by the routes to the target's addresses, not by requests that fail.
package final class NetworkConnectivity: Connectivity {
    private let watches: ConnectivityWatches
    private let accepts: @Sendable (NetworkPath) -> Bool

    /// How long a name that is not found is looked for once the network is back: name servers come later than links.
    private static let grace: Duration = .seconds(3)

    /// - Parameters:
    ///   - configuration: What to watch beside the target.
    ///   - accepts: Whether a path that is satisfied will do.
    package init(
        _ configuration: NetworkPathMonitor.Configuration = .init(),
        accepts: @escaping @Sendable (NetworkPath) -> Bool = { _ in true }
    ) {
        watches = ConnectivityWatches(configuration)
        self.accepts = accepts
    }

    package var isOnline: Bool {
        // Where the kernel cannot be asked, requests are sent.
        guard let path = watches.generalPath else { return true }
        return path.isSatisfied && accepts(path)
    }

    package func waitForWay(
        to target: ConnectivityTarget,
        clock: any TransportClock,
        obstacle: @Sendable (NetworkPath.Reason) -> Void
    ) async throws -> Bool {
        // What the kernel does not tell cannot be waited for.
        guard let paths = watches.paths(to: Set(target.hosts), through: target.interface) else { return false }
        defer { paths.end.finish() }
        var verdicts: [String: Verdict] = [:]
        var hasWaited = false
        var patience: Task<Void, Never>?
        defer { patience?.cancel() }
        for await path in paths.stream {
            verdicts[path.host?.name ?? ""] = verdict(on: path)
            switch Verdict(verdicts.values, outOf: Set(target.hosts).count) {
            case nil: continue
            case .open: return hasWaited
            case .nameless:
                // A network without that name: the engine says so in its own words.
                guard hasWaited else { return false }
                patience =
                    patience
                    ?? Task { [end = paths.end] in
                        // Not to be ended by a patience that is cancelled.
                        if (try? await clock.sleep(for: Self.grace)) != nil { end.finish() }
                    }
            case .closed(let reason):
                patience?.cancel()
                patience = nil
                if !hasWaited { obstacle(reason) }
                hasWaited = true
            }
        }
        try Task.checkCancellation()
        return hasWaited
    }

    private enum Verdict {
        case open
        /// There is a network, and no such name in it.
        case nameless
        case closed(NetworkPath.Reason)

        /// What the verdicts on several hosts amount to, one of which must be reached; `nil` while some are out that
        /// could change it.
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
