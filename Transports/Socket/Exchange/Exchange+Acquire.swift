internal import AirframeTransport
internal import AirframeWire
internal import FoundationEssentials
internal import Glibc

/// How an exchange acquires its lease.
extension Exchange {
    /// The pool's answer to an exchange.
    enum Opening {
        /// The exchange has a lease.
        case ready
        /// The exchange has a lease, and must wait for the server's SETTINGS.
        case settings(any StreamCarrier)
        /// The exchange must look for a connection of another origin, and then ask the pool.
        case search(PoolEntry)
        /// The exchange must open a connection.
        case permit(PoolEntry)
        /// The exchange must wait.
        case wait(PoolWaiter, PoolEntry)
    }

    /// Opens the request content and asks the pool for a stream.
    func begin() throws(TransportError) -> Opening {
        try prepare()
        return try ask()
    }

    /// Opens the request content.
    func prepare() throws(TransportError) {
        if case .none = plan.content {
        } else if case .none = upload, let content = try UploadContent(plan) {
            upload = .opened(content)
        }
        enter(.pool)
        guard !Task.isCancelled else { throw .cancelled(in: .pool, processing: .notSent, origin: plan.origin) }
    }

    private func ask() throws(TransportError) -> Opening {
        if plan.extendedConnectKey != nil, let lease = extendedConnectLease() {
            self.lease = lease
            return .ready
        }
        if let entry = entryWithoutRoom { return .search(entry) }
        return try askPool()
    }

    private func askPool() throws(TransportError) -> Opening {
        let way = plan.way
        while true {
            let (entry, answer) =
                isHTTP1Required
                ? engine.pool.ask(way.key.overHTTP1, isMultiplexing: false, priority: plan.queuePriority)
                : engine.pool.ask(way.key, isMultiplexing: way.mayMultiplex, priority: plan.queuePriority)
            switch answer {
            case .granted(let grant):
                if let opening = accept(grant, entry) { return opening }
            case .wait(let waiter):
                return .wait(waiter, entry)
            case .refused(let waiting):
                throw error(.poolExhausted, "\(waiting) requests are already waiting for a connection")
            }
        }
    }

    /// Waits for the lease, or opens a connection for it.
    nonisolated(nonsending) func finish(_ opening: Opening) async throws(TransportError) {
        var opening = opening
        // Reject a request that cannot be encoded before a connection is opened for it.
        try check(opening)
        while true {
            switch opening {
            case .ready:
                return
            case .settings(let carrier):
                return try await waitForSettings(of: carrier)
            case .search(let entry):
                let endpoints = try await Connector(self, entry).resolve()
                if let lease = coalesced(entry, endpoints) {
                    self.lease = lease
                    return
                }
                enter(.pool)
                opening = try askPool()
                if case .permit(let entry) = opening {
                    lease = try await open(entry, endpoints)
                    return
                }
            case .wait(let waiter, let entry):
                let grant = try await waitForGrant(waiter, entry)
                if let accepted = accept(grant, entry) { opening = accepted } else { opening = try ask() }
            case .permit(let entry):
                lease = try await open(entry)
                return
            }
        }
    }

    private func check(_ opening: Opening) throws(TransportError) {
        do throws(TransportError) {
            checkedHead = try plan.head.checked(plan.origin)
        } catch {
            switch opening {
            case .ready, .settings, .search: break
            case .permit(let entry): engine.pool.returnPermit(to: entry)
            case .wait(let waiter, let entry): engine.pool.giveUp(waiter, entry)
            }
            throw error
        }
    }

    /// Opens a connection.
    ///
    /// - Parameter known: The addresses of the server, if they have been looked up.
    private nonisolated(nonsending) func open(
        _ entry: PoolEntry,
        _ known: [Endpoint]? = nil
    ) async throws(TransportError) -> Lease {
        let connection: Connection
        do throws(TransportError) {
            let connector = Connector(self, entry)
            let endpoints: [Endpoint]
            if let known { endpoints = known } else { endpoints = try await connector.resolve() }
            if let lease = coalesced(entry, endpoints) {
                engine.pool.returnPermit(to: entry)
                return lease
            }
            connection = try await connector.connect(to: endpoints)
        } catch {
            // The caller's cancellation and deadline say nothing about the server. A limit on connecting does: other
            // requests would also have to wait for that long, one after another.
            if error.isCancellation || (error.isTimeout && isOver(limits.end)) {
                engine.pool.returnPermit(to: entry)
            } else {
                engine.pool.giveBackPermit(to: entry)
            }
            throw error
        }
        engine.pool.add(connection)
        guard let stream = connection.openStream(isNew: true, for: plan.destination) else {
            engine.pool.cancel(connection)
            // Another exchange may have read the server's alert.
            throw lost(ECONNRESET, connection.bytes.tls?.failureWords)
        }
        return Lease(connection: connection, stream: stream, isReused: false)
    }

    /// Accepts the pool's grant.
    ///
    /// - Returns: `nil` if the granted connection has been closed and the exchange must ask the pool again.
    private func accept(_ grant: ConnectionPool.Grant, _ entry: PoolEntry) -> Opening? {
        guard case .stream(let connection) = grant else { return .permit(entry) }
        if let stream = connection.openStream(isNew: false, for: plan.destination) {
            lease = Lease(connection: connection, stream: stream, isReused: true)
            // Extended CONNECT needs the server's permission (RFC 8441 §3).
            if case .token = plan.head.upgrade, case .multiple(let carrier) = connection.carrier, !carrier.hasSettings {
                return .settings(carrier)
            }
            return .ready
        }
        // Replace a closed kept connection by a new one: the other kept connections may be closed as well.
        return engine.pool.replace(connection) ? .permit(entry) : nil
    }

    // MARK: Waiting

    private nonisolated(nonsending) func waitForGrant(
        _ waiter: PoolWaiter,
        _ entry: PoolEntry
    ) async throws(TransportError) -> ConnectionPool.Grant {
        let due = limits.due(in: .pool, since: since)
        let alarm = due == .max ? nil : engine.reactor.makeAlarm { waiter.rouse() }
        alarm?.set(due)
        defer { alarm?.cancel() }
        while true {
            await withTaskCancellationHandler {
                await waiter.wait()
            } onCancel: {
                waiter.rouse()
            }
            if let interruption = interruption(Task.isCancelled ? .cancelled : isOver(due) ? .timeUp : .ready) {
                engine.pool.giveUp(waiter, entry)
                throw interruption
            }
            if let grant = waiter.takeGrant() { return grant }
        }
    }

    /// Waits until the server of an open connection has sent its SETTINGS, or the connection has ended.
    private nonisolated(nonsending) func waitForSettings(
        of carrier: any StreamCarrier
    ) async throws(TransportError) {
        enter(.connect)
        let waiter = SettingsWaiter()
        let due = limits.due(in: stage, since: since)
        let alarm = due == .max ? nil : engine.reactor.makeAlarm { waiter.rouse() }
        alarm?.set(due)
        defer { alarm?.cancel() }
        while !carrier.hasSettings {
            await withTaskCancellationHandler {
                await carrier.waitForSettings(waiter)
            } onCancel: {
                waiter.rouse()
            }
            let end: Socket.WaitEnd = Task.isCancelled ? .cancelled : isOver(due) ? .timeUp : .ready
            if let interruption = interruption(end) { throw interruption }
        }
    }

    private func isOver(_ due: Int64) -> Bool { due != .max && Monotonic.now >= due }
}
