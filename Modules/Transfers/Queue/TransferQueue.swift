public import AirframeCore
internal import AirframeTransport
public import Foundation

/// Downloads and uploads that outlive the request, the connection, the network and the process.
///
/// ```swift
/// let queue = try await TransferQueue(file: file, session: AF)
/// let id = try await queue.add(.download(from: url, to: destination))
/// try await queue.runUntilIdle()
/// ```
///
/// Transfers are in one SQLite file before anything is sent, and continue where they stood when a process is killed and
/// another opens the file. Several processes may use one file: each transfer is carried out by the one that holds its
/// lease. Secrets are never stored: ``TransferSecrets`` provides them. When nobody holds the queue any more, its transfers
/// stop where they are.
public final class TransferQueue: Sendable {
    /// The queue's file.
    public let file: URL
    /// The limits in this process.
    public let configuration: Configuration
    let store: TransferStore
    let runner: TransferRunner
    let observers = TransferObservers()

    /// Opens a queue, and creates it where it is missing.
    ///
    /// - Parameters:
    ///   - file: The file. SQLite keeps two more beside it while it is open.
    ///   - session: The session that sends: its transport, trust, interceptors and monitors hold for every transfer.
    ///   - configuration: The limits in this process.
    /// - Throws: ``TransferError/Kind/store`` for a file that cannot be used, or is of a later version.
    public init(file: URL, session: Session, configuration: Configuration = Configuration()) async throws {
        self.file = file
        self.configuration = configuration
        store = try await WorkerThreads.files.result { try TransferStore(path: file.path) }
        runner = TransferRunner(store, session, configuration, observers)
        // Otherwise the transfers of a process that was killed would be listed as running.
        try await runner.freeLeases()
    }

    deinit {
        Task { [runner] in await runner.stop() }
    }

    // MARK: Adding

    /// Adds a transfer. It is on the disk when this returns.
    ///
    /// - Returns: Its number.
    /// - Throws: ``TransferError/Kind/invalidDescription``, ``TransferError/Kind/store``.
    @discardableResult
    public func add(_ description: TransferDescription) async throws -> TransferID {
        let ids = try await add(contentsOf: [description])
        guard let id = ids.first else { throw TransferError(.store, "the queue took no transfer") }
        return id
    }

    /// Adds transfers, all or none, in one transaction.
    ///
    /// - Returns: Their numbers, in the same order.
    /// - Throws: ``TransferError/Kind/invalidDescription``, ``TransferError/Kind/store``.
    @discardableResult
    public func add(contentsOf descriptions: [TransferDescription]) async throws -> [TransferID] {
        let ids = try await store.add(descriptions)
        for id in ids { observers.send(TransferEvent(id: id, kind: .added)) }
        await runner.wake()
        return ids
    }

    // MARK: Running

    /// Begins to carry transfers out, until ``stop()``.
    public func start() async { await runner.start() }

    /// Stops all transfers of this process. They stay where they are, and continue when any process runs the queue.
    public func stop() async { await runner.stop() }

    /// Carries transfers out until none is left that waits or runs in any process, and returns. Paused ones stay. If
    /// the task is cancelled, all transfers of this process stop.
    ///
    /// - Throws: ``TransferError/Kind/store``, `CancellationError`.
    public func runUntilIdle() async throws { try await runner.runUntilIdle() }

    /// Sets the bytes per second of all transfers of this process together; `nil` for no limit.
    public func setBytesPerSecond(_ rate: Int64?) { runner.limiter.setRate(rate) }

    // MARK: Asking

    /// Returns transfers in the order in which they were added.
    ///
    /// - Parameters:
    ///   - selection: Which.
    ///   - states: The states that are wanted; `nil` for all.
    ///   - id: The transfer after which to begin; `nil` for the first.
    ///   - limit: The most transfers.
    /// - Throws: ``TransferError/Kind/store``.
    public func transfers(
        _ selection: TransferSelection = .all,
        in states: Set<TransferState>? = nil,
        after id: TransferID? = nil,
        limit: Int = 100_000
    ) async throws -> [Transfer] {
        try await store.list(selection, states, after: id, limit: limit)
    }

    /// Returns a transfer; `nil` when there is none with this number.
    ///
    /// - Throws: ``TransferError/Kind/store``.
    public func transfer(_ id: TransferID) async throws -> Transfer? {
        try await store.list(.ids([id]), nil, after: nil, limit: 1).first
    }

    /// Returns what was added under a number; `nil` when there is none with this number.
    ///
    /// - Throws: ``TransferError/Kind/store``.
    public func description(of id: TransferID) async throws -> TransferDescription? {
        try await store.description(of: id)
    }

    // MARK: Changing

    /// Pauses transfers that wait or run, in whichever process.
    ///
    /// - Throws: ``TransferError/Kind/store``.
    public func pause(_ selection: TransferSelection) async throws {
        _ = try await store.change(selection, from: [.waiting, .running], to: .paused)
        await runner.check()
    }

    /// Resumes paused transfers, at once even if they were waiting for their next attempt.
    ///
    /// - Throws: ``TransferError/Kind/store``.
    public func resume(_ selection: TransferSelection) async throws {
        _ = try await store.change(selection, from: [.paused], to: .waiting)
        await runner.wake()
    }

    /// Begins failed transfers again, where they stood.
    ///
    /// - Throws: ``TransferError/Kind/store``.
    public func retry(_ selection: TransferSelection) async throws {
        _ = try await store.change(selection, from: [.failed], to: .waiting)
        await runner.wake()
    }

    /// Cancels transfers that have not completed, and removes what they left: temporary files, and uploads at the
    /// server. A transfer of another process ends there, within its next half second.
    ///
    /// - Throws: ``TransferError/Kind/store``.
    public func cancel(_ selection: TransferSelection) async throws {
        _ = try await store.change(selection, from: [.waiting, .running, .paused, .failed], to: .cancelled)
        await runner.check()
        try await runner.discardCancelled()
    }

    /// Removes transfers that have ended from the queue. What a failed one has left stays until it is cancelled.
    ///
    /// - Returns: How many were removed.
    /// - Throws: ``TransferError/Kind/store``.
    @discardableResult
    public func removeEnded(_ selection: TransferSelection = .all) async throws -> Int {
        try await store.removeEnded(selection)
    }

    /// Sets the priority of transfers that have not ended. Those that run go on.
    ///
    /// - Throws: ``TransferError/Kind/store``.
    public func setPriority(_ priority: Int, of selection: TransferSelection) async throws {
        try await store.setPriority(priority, of: selection)
        await runner.wake()
    }
}
