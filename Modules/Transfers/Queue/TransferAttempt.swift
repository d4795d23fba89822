internal import AirframeCore
internal import AirframeTransport
internal import Foundation
internal import HTTPTypes
internal import Synchronization

/// One attempt of a transfer, with the state that it shares with the queue while it runs.
final class TransferAttempt: Sendable {
    private struct AttemptProgress {
        var checkpoint: TransferCheckpoint
        /// The bytes that were present when the attempt began.
        var initial: Int64
        var since: MonotonicInstant
        var lastSaved: MonotonicInstant
        var isSaving = false
        /// Whether the store may have a checkpoint of the transfer.
        var isStored: Bool
    }

    let claim: ClaimedTransfer
    let session: Session
    let limiter: RateLimiter
    let store: TransferStore
    private let owner: LeaseOwner
    private let configuration: TransferQueue.Configuration
    private let interval: Duration
    // Guards the progress of the attempt.
    private let progress: Mutex<AttemptProgress>

    init(
        _ claim: ClaimedTransfer,
        _ session: Session,
        _ limiter: RateLimiter,
        _ store: TransferStore,
        _ owner: LeaseOwner,
        _ configuration: TransferQueue.Configuration
    ) {
        self.claim = claim
        self.session = session
        self.limiter = limiter
        self.store = store
        self.owner = owner
        self.configuration = configuration
        interval = .clamping(seconds: configuration.checkpointSeconds)
        let now = session.transport.clock.now
        progress = Mutex(
            AttemptProgress(
                checkpoint: TransferCheckpoint(data: claim.checkpoint), initial: 0, since: now, lastSaved: now,
                isStored: claim.checkpoint != nil))
    }

    var clock: any TransportClock { session.transport.clock }

    /// The progress of the attempt, with the metrics since the last save.
    var checkpoint: TransferCheckpoint {
        progress.withLock { progress in
            var checkpoint = progress.checkpoint
            checkpoint.added.seconds = progress.since.duration(to: clock.now).seconds
            return checkpoint
        }
    }

    /// Whether bytes were transferred in this attempt.
    var hasProgressed: Bool { progress.withLock { $0.checkpoint.completed > $0.initial } }

    /// Records the progress at the beginning of the attempt.
    func begin(completed: Int64, total: Int64?) {
        progress.withLock { progress in
            progress.initial = completed
            progress.checkpoint.completed = completed
            progress.checkpoint.total = total
        }
    }

    /// Records the progress and the state to store.
    func note(_ data: Data?, completed: Int64, total: Int64?) {
        progress.withLock { progress in
            progress.checkpoint.data = data
            progress.checkpoint.completed = completed
            progress.checkpoint.total = total
        }
    }

    /// Records that no bytes are present. If the store has a checkpoint, it is replaced before this function returns: a
    /// later process must not trust it once its bytes have been removed.
    ///
    /// - Throws: ``TransferError/Kind/leaseLost``, ``TransferError/Kind/store``.
    func reset(to data: Data?) async throws {
        note(data, completed: 0, total: nil)
        if progress.withLock({ $0.isStored }) { try await save() }
    }

    /// Records progress that is displayed and not stored.
    func noteProgress(completed: Int64, total: Int64?) {
        progress.withLock { progress in
            progress.checkpoint.completed = completed
            progress.checkpoint.total = total
        }
    }

    /// Adds to the metrics.
    func count(requests: Int = 0, received: Int = 0, sent: Int = 0) {
        progress.withLock { progress in
            progress.checkpoint.added.requests += requests
            progress.checkpoint.added.receivedBytes += Int64(received)
            progress.checkpoint.added.sentBytes += Int64(sent)
        }
    }

    /// Returns whether a checkpoint is due. Only one caller gets `true`; it calls ``save()``.
    func mustSave() -> Bool {
        let now = clock.now
        return progress.withLock { progress in
            guard !progress.isSaving, progress.lastSaved.advanced(by: interval) <= now else { return false }
            progress.isSaving = true
            return true
        }
    }

    /// Stores the recorded state.
    ///
    /// - Throws: ``TransferError/Kind/leaseLost``, ``TransferError/Kind/store``.
    func save() async throws {
        let now = clock.now
        let checkpoint = progress.withLock { progress in
            var checkpoint = progress.checkpoint
            checkpoint.added.seconds = progress.since.duration(to: now).seconds
            progress.checkpoint.added = TransferMetrics()
            progress.since = now
            progress.lastSaved = now
            progress.isStored = true
            return checkpoint
        }
        defer { progress.withLock { $0.isSaving = false } }
        try await store.save(checkpoint, of: claim.id, for: owner)
    }

    /// Returns a request with the transfer's header fields and, at the origin of the transfer, the provider's secrets.
    ///
    /// - Throws: ``TransferError/Kind/secrets``, `CancellationError`.
    func makeRequest(_ url: URL, method: String) async throws -> URLRequest {
        var request = URLRequest(url: url)
        request.httpMethod = method
        request.cachePolicy = .reloadIgnoringLocalCacheData
        for field in claim.description.headers { request.headers.update(name: field.name, value: field.value) }
        // Mirrors and upload resources elsewhere get no credentials.
        guard let secrets = configuration.secrets,
            request.origin == URLRequest(url: claim.description.url).origin
        else { return request }
        do {
            let headers = try await secrets.headers(for: claim.description)
            request[OriginBoundFields.self] = Set(headers.compactMap { HTTPField.Name($0.name) })
            for header in headers { request.headers.update(header) }
        } catch {
            guard !Task.isCancelled else { throw CancellationError() }
            throw TransferError(.secrets, "transfer \(claim.id) has no credentials: \(error)")
        }
        return request
    }

    /// Runs the transfer.
    func run() async throws {
        switch claim.description.work {
        case .download(let download): try await DownloadRun(self, download).run()
        case .upload(let upload): try await UploadRun(self, upload).run()
        }
    }

    /// Removes what a cancelled transfer has left locally and on the server.
    func discard() async {
        switch claim.description.work {
        case .download(let download): DownloadRun(self, download).discard()
        case .upload(let upload): await UploadRun(self, upload).discard()
        }
        progress.withLock { $0.checkpoint.data = nil }
    }
}
