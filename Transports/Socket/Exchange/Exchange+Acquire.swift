internal import AirframeTransport

/// How an exchange comes by its connection.
extension Exchange {
    /// What the pool says to an exchange.
    enum Opening {
        /// Here is a connection that was kept.
        case connection(Connection)
        /// Make one.
        case permit(PoolEntry)
        /// Wait.
        case wait(PoolWaiter, PoolEntry)
    }

    /// Opens the content and asks the pool.
    func begin() throws(TransportError) -> Opening {
        try prepare()
        let (entry, answer) = engine.pool.ask(plan.key)
        self.entry = entry
        switch answer {
        case .granted(let grant): return accept(grant, entry)
        case .wait(let waiter): return .wait(waiter, entry)
        case .refused(let waiting):
            throw error(.poolExhausted, "\(waiting) requests wait for a connection already")
        }
    }

    /// Opens the content anew, and a connection in the place of the one that turned out to be dead. Going back to the pool could
    /// bring another such.
    func beginAnew() throws(TransportError) -> Opening {
        connection = nil
        guard let entry else { return try begin() }
        do throws(TransportError) {
            try prepare()
        } catch {
            engine.pool.giveBackPermit(to: entry)
            throw error
        }
        return .permit(entry)
    }

    private func prepare() throws(TransportError) {
        // What was opened and never begun is as good as new: a source that can be read once could not be opened again.
        if upload == nil { upload = try UploadContent(plan) }
        enter(.pool)
        guard !Task.isCancelled else { throw .cancelled(in: .pool, processing: .notSent, origin: plan.origin) }
    }

    /// Gets the connection that there is not yet.
    nonisolated(nonsending) func finish(_ opening: Opening) async throws(TransportError) -> Connection {
        switch opening {
        case .connection(let connection):
            return connection
        case .wait(let waiter, let entry):
            return try await finish(accept(try await waitForGrant(waiter, entry), entry))
        case .permit(let entry):
            do throws(TransportError) {
                let connection = try await Connector(self, entry).connect()
                adopt(connection)
                return connection
            } catch {
                engine.pool.giveBackPermit(to: entry)
                throw error
            }
        }
    }

    private func accept(_ grant: ConnectionPool.Grant, _ entry: PoolEntry) -> Opening {
        guard case .kept(let kept) = grant, kept.isQuiet else {
            // A kept connection that has died leaves its place to a new one.
            return .permit(entry)
        }
        adopt(kept)
        return .connection(kept)
    }

    private func adopt(_ connection: Connection) {
        self.connection = connection
        var information = connection.information
        if connection.exchangeCount > 0 {
            information.isReused = true
            emit(.decided(TransportDecision(.reusedConnection(id: information.id), reason: "it was idle")))
        }
        self.information = information
        emit(.connectionAcquired(information))
    }

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

    private func isOver(_ due: Int64) -> Bool { due != .max && Monotonic.now >= due }
}
