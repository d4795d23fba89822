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
/// Every transfer is stored in one SQLite file before anything is sent. If a process is killed, the next process that
/// opens the file continues its transfers. Several processes may use one file: the process that holds the lease of a
/// transfer runs it. Secrets are never stored: ``TransferSecrets`` provides them. Transfers stop when the queue is
/// deallocated.
public final class TransferQueue: Sendable {
    /// The queue's file.
    public let file: URL
    /// The limits in this process.
    public let configuration: Configuration
    let store: TransferStore
    let runner: TransferRunner
    let observers = TransferObservers()

    /// Opens a queue, and creates its file if there is none.
    ///
    /// - Parameters:
    ///   - file: The file. While it is open, SQLite keeps two more files in the same directory.
    ///   - session: The session that sends the requests. Its transport, trust, interceptors and monitors apply to
    ///     every transfer.
    ///   - configuration: The limits in this process.
    /// - Throws: ``TransferError/Kind/store`` for a file that cannot be used or has a later version.
    public init(file: URL, session: Session, configuration: Configuration = Configuration()) async throws {
        self.file = file
        self.configuration = configuration
        store = try await WorkerThreads.files.result { try TransferStore(path: file.path) }
        runner = TransferRunner(store, session, configuration, observers)
        // Without this, transfers of a process that was killed would be listed as running.
        try await runner.freeLeases()
    }

    deinit {
        Task { [runner] in await runner.stop() }
    }

    // MARK: Adding

    /// Adds a transfer. It is on the disk when this function returns.
    ///
    /// - Returns: The number of the transfer.
    /// - Throws: ``TransferError/Kind/invalidDescription``, ``TransferError/Kind/store``.
    @discardableResult
    public func add(_ description: TransferDescription) async throws -> TransferID {
        let ids = try await add(contentsOf: [description])
        guard let id = ids.first else { throw TransferError(.store, "the queue took no transfer") }
        return id
    }

    /// Adds all transfers or none, in one transaction.
    ///
    /// - Returns: The numbers of the transfers, in the same order.
    /// - Throws: ``TransferError/Kind/invalidDescription``, ``TransferError/Kind/store``.
    @discardableResult
    public func add(contentsOf descriptions: [TransferDescription]) async throws -> [TransferID] {
        let ids = try await store.add(descriptions)
        for id in ids { observers.send(TransferEvent(id: id, kind: .added)) }
        await runner.wake()
        return ids
    }

    // MARK: Running

    /// Starts to run transfers, until ``stop()``.
    public func start() async { await runner.start() }

    /// Stops all transfers of this process. They keep their progress and continue when any process runs the queue.
    public func stop() async { await runner.stop() }

    /// Runs transfers until none is waiting or running in any process. Paused transfers stay paused. Cancelling the
    /// task stops all transfers of this process.
    ///
    /// - Throws: ``TransferError/Kind/store``, `CancellationError`.
    public func runUntilIdle() async throws { try await runner.runUntilIdle() }

    /// Sets the maximum number of bytes per second of all transfers of this process together; `nil` for no limit.
    public func setBytesPerSecond(_ rate: Int64?) { runner.limiter.setRate(rate) }

    // MARK: Queries

    /// Returns transfers in the order in which they were added.
    ///
    /// - Parameters:
    ///   - selection: The transfers.
    ///   - states: The states to include; `nil` for all.
    ///   - id: The transfer after which the list starts; `nil` for the first.
    ///   - limit: The maximum number of transfers.
    /// - Throws: ``TransferError/Kind/store``.
    public func transfers(
        _ selection: TransferSelection = .all,
        in states: Set<TransferState>? = nil,
        after id: TransferID? = nil,
        limit: Int = 100_000
    ) async throws -> [Transfer] {
        try await store.list(selection, states, after: id, limit: limit)
    }

    /// Returns a transfer; `nil` if there is none with this number.
    ///
    /// - Throws: ``TransferError/Kind/store``.
    public func transfer(_ id: TransferID) async throws -> Transfer? {
        try await store.list(.ids([id]), nil, after: nil, limit: 1).first
    }

    /// Returns the description of a transfer; `nil` if there is none with this number.
    ///
    /// - Throws: ``TransferError/Kind/store``.
    public func description(of id: TransferID) async throws -> TransferDescription? {
        try await store.description(of: id)
    }

    // MARK: Changing

    /// Pauses waiting and running transfers of any process.
    ///
    /// - Throws: ``TransferError/Kind/store``.
    public func pause(_ selection: TransferSelection) async throws {
        _ = try await store.change(selection, from: [.waiting, .running], to: .paused)
        await runner.check()
    }

    /// Resumes paused transfers immediately, without the rest of a wait between attempts.
    ///
    /// - Throws: ``TransferError/Kind/store``.
    public func resume(_ selection: TransferSelection) async throws {
        _ = try await store.change(selection, from: [.paused], to: .waiting)
        await runner.wake()
    }

    /// Restarts failed transfers from their last progress. A transfer stays failed while one that it depends on is
    /// failed, cancelled or removed.
    ///
    /// - Throws: ``TransferError/Kind/store``.
    public func retry(_ selection: TransferSelection) async throws {
        _ = try await store.change(selection, from: [.failed], to: .waiting)
        await runner.wake()
    }

    /// Cancels transfers that have not completed, and removes their temporary files and their uploads on the server. A
    /// transfer of another process ends there within half a second.
    ///
    /// - Throws: ``TransferError/Kind/store``.
    public func cancel(_ selection: TransferSelection) async throws {
        _ = try await store.change(selection, from: [.waiting, .running, .paused, .failed], to: .cancelled)
        await runner.check()
        try await runner.discardCancelled()
    }

    /// Removes ended transfers from the queue. The temporary file of a failed transfer stays until the transfer is
    /// cancelled.
    ///
    /// - Returns: The number of removed transfers.
    /// - Throws: ``TransferError/Kind/store``.
    @discardableResult
    public func removeEnded(_ selection: TransferSelection = .all) async throws -> Int {
        try await store.removeEnded(selection)
    }

    /// Sets the priority of transfers that have not ended. Running transfers continue.
    ///
    /// - Throws: ``TransferError/Kind/store``.
    public func setPriority(_ priority: Int, of selection: TransferSelection) async throws {
        try await store.setPriority(priority, of: selection)
        await runner.wake()
    }
}
