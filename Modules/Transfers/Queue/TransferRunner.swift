internal import AirframeCore
internal import AirframeTransport
internal import Foundation

/// Runs the transfers of a queue in this process: claims them within the limits, maintains their leases, checks their
/// conditions, and handles the outcome of each attempt.
actor TransferRunner {
    /// A transfer that this process runs.
    private struct Running {
        let attempt: TransferAttempt
        let task: Task<Void, Never>
    }

    /// The end of an attempt that could not be stored.
    private struct UnstoredEnd {
        let outcome: AttemptOutcome
        let checkpoint: TransferCheckpoint
    }

    /// Whether transfers are claimed, and until when.
    private enum Mode {
        case idle
        /// Transfers are claimed until the runner is stopped.
        case running
        /// No more transfers are claimed; running transfers finish.
        case stopping
    }

    /// The interval between checks for changes by other processes, and between attempts to use a file that failed.
    private static let pollInterval = Duration.milliseconds(500)

    let store: TransferStore
    let limiter: RateLimiter
    nonisolated let clock: any TransportClock
    private let session: Session
    private let configuration: TransferQueue.Configuration
    private let observers: TransferObservers
    private let owner = LeaseOwner.current()
    private var mode = Mode.idle
    private var running: [TransferID: Running] = [:]
    /// Ends that the next step stores. Without them a transfer would stay ours and never run again.
    private var unstored: [TransferID: UnstoredEnd] = [:]
    private var loop: Task<Void, Never>?
    /// The pause of the loop after a failure of the queue's file.
    private var pause: Task<Void, Never>?
    private var networkWatch: Task<Void, Never>?
    private var signal: AsyncStream<Void>.Continuation?
    /// Wakes the loop when the next event is due.
    private var timer: Task<Void, Never>?
    private var lastRenewal: MonotonicInstant?
    private var lastChangeCount: Int64 = -1

    init(
        _ store: TransferStore,
        _ session: Session,
        _ configuration: TransferQueue.Configuration,
        _ observers: TransferObservers
    ) {
        self.store = store
        self.session = session
        self.configuration = configuration
        self.observers = observers
        clock = session.transport.clock
        limiter = RateLimiter(bytesPerSecond: configuration.bytesPerSecond, clock: clock)
    }

    // MARK: Running

    func start() {
        guard loop == nil else { return }
        loop = Task { await self.runUntilStopped() }
    }

    func stop() async {
        mode = .stopping
        for transfer in running.values { transfer.task.cancel() }
        wake()
        pause?.cancel()
        await loop?.value
        loop = nil
        for transfer in running.values { await transfer.task.value }
        mode = .idle
    }

    func runUntilIdle() async throws {
        do {
            try await withTaskCancellationHandler {
                try await run(untilIdle: true)
            } onCancel: {
                Task { await self.stop() }
            }
        } catch {
            await stop()
            throw error
        }
        if Task.isCancelled {
            await stop()
            throw CancellationError()
        }
    }

    /// Makes the loop look for work.
    func wake() { signal?.yield() }

    /// Makes the loop look for changes by users now.
    func check() {
        lastRenewal = nil
        wake()
    }

    /// Runs transfers until the runner is stopped, also if the queue's file cannot be used for a while.
    private func runUntilStopped() async {
        while mode != .stopping {
            do {
                return try await run(untilIdle: false)
            } catch {
                guard mode != .stopping else { return }
                let pause = Task<Void, Never> { [clock] in _ = try? await clock.sleep(for: Self.pollInterval) }
                self.pause = pause
                await pause.value
            }
        }
    }

    private func run(untilIdle: Bool) async throws {
        guard mode == .idle else { throw TransferError(.store, "the queue is running already") }
        mode = .running
        let (signals, signal) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        self.signal = signal
        watchNetwork()
        defer {
            self.signal = nil
            networkWatch?.cancel()
            if mode == .running { mode = .idle }
        }
        signal.yield()
        for await _ in signals {
            guard mode == .running else { break }
            let pause = try await step()
            guard mode == .running else { break }
            let isIdle = running.isEmpty && unstored.isEmpty
            if untilIdle, isIdle, try await store.outlook(after: date).openCount == 0 { break }
            timer?.cancel()
            timer = Task { [clock] in
                if (try? await clock.sleep(for: pause)) != nil { signal.yield() }
            }
        }
        timer?.cancel()
    }

    private func watchNetwork() {
        networkWatch = Task { [changes = configuration.network.changes] in
            for await _ in changes { wake() }
        }
    }

    /// Does what is due, and returns how long nothing else is due.
    private func step() async throws -> Duration {
        for (id, end) in unstored { try await release(id, end) }
        try await watchLeases()
        let now = date
        let network = await configuration.network.status
        let isQuiet = configuration.quietHours?.contains(now) ?? false
        stopUnfit(network, isQuiet: isQuiet)
        if !isQuiet { try await claim(network, now) }
        try await discardCancelled()
        guard let due = try await store.outlook(after: now).nextAttempt else { return Self.pollInterval }
        return min(Self.pollInterval, .clamping(seconds: max(due.timeIntervalSince(now), 0.001)))
    }

    // MARK: Leases

    /// Renews leases in time, and stops transfers that a user has paused or cancelled.
    private func watchLeases() async throws {
        let now = clock.now
        let changes = try await store.changeCount()
        let interval = Duration.clamping(seconds: configuration.leaseSeconds / 3)
        if let lastRenewal, changes == lastChangeCount, now < lastRenewal.advanced(by: interval) { return }
        lastRenewal = now
        let date = clock.date(at: now)
        let stopped = try await store.renew(owner, at: date, until: leaseEnd)
        lastChangeCount = try await store.changeCount()
        for (id, _) in stopped { running[id]?.task.cancel() }
    }

    /// Releases the leases of processes that have ended.
    func freeLeases() async throws { try await store.freeLeases(except: owner, at: date) }

    private var date: Date { clock.date(at: clock.now) }
    private var leaseEnd: Date { date.addingTimeInterval(configuration.leaseSeconds) }

    // MARK: Conditions

    /// Stops transfers whose conditions are no longer met.
    private func stopUnfit(_ network: TransferNetworkStatus, isQuiet: Bool) {
        for transfer in running.values {
            let conditions = transfer.attempt.claim.description.conditions
            let isUnfit =
                isQuiet || conditions.requiresConnectivity && !network.isConnected
                || !conditions.allowsMetered && network.isMetered
            if isUnfit { transfer.task.cancel() }
        }
    }

    // MARK: Claiming

    private func claim(_ network: TransferNetworkStatus, _ now: Date) async throws {
        while mode == .running, running.count < max(1, configuration.concurrentTransfers) {
            let filter = ClaimFilter(
                hasNetwork: network.isConnected, isMetered: network.isMetered, busyHosts: busyHosts, busyTags: busyTags)
            guard let claim = try await store.claim(filter, for: owner, at: now, until: leaseEnd) else { return }
            begin(claim)
        }
    }

    private var busyHosts: [String] {
        var counts: [String: Int] = [:]
        for transfer in running.values { counts[transfer.attempt.claim.host, default: 0] += 1 }
        return counts.filter { $0.value >= max(1, configuration.concurrentTransfersPerHost) }.map(\.key)
    }

    private var busyTags: [String] {
        configuration.concurrentTransfersPerTag.filter { tag, most in
            running.values.count { $0.attempt.claim.description.tags.contains(tag) } >= most
        }.map(\.key)
    }

    private func begin(_ claim: ClaimedTransfer) {
        let attempt = TransferAttempt(claim, session, limiter, store, owner, configuration)
        let task = Task {
            let failure: TransferError?
            do {
                try await attempt.run()
                failure = nil
            } catch {
                failure = .wrapping(error)
            }
            await self.end(attempt, failure)
        }
        running[claim.id] = Running(attempt: attempt, task: task)
        // The runner may have been stopped while the transfer was claimed.
        if mode != .running { task.cancel() }
        let completed = DownloadCheckpoint(reading: claim.checkpoint)?.completed
        let sent = UploadRecord(reading: claim.checkpoint)?.completed
        observers.send(TransferEvent(id: claim.id, kind: .started(completedBytes: completed ?? sent ?? 0)))
    }

    // MARK: Ends

    private func end(_ attempt: TransferAttempt, _ failure: TransferError?) async {
        let id = attempt.claim.id
        let state = (try? await store.list(.ids([id]), nil, after: nil, limit: 1))?.first?.state
        let outcome: AttemptOutcome
        let event: TransferEvent.Kind
        if failure == nil {
            outcome = .completed
            event = .completed((try? await metrics(of: attempt)) ?? TransferMetrics())
        } else if state == .cancelled {
            // The attempt's own task is cancelled, which would cancel these requests too.
            await Task { await attempt.discard() }.value
            outcome = .cancelled
            event = .cancelled
        } else if let failure, failure.kind != .stopped, failure.kind != .leaseLost {
            (outcome, event) = judge(failure, attempt)
        } else {
            outcome = .stopped
            event = .stopped
        }
        try? await release(id, UnstoredEnd(outcome: outcome, checkpoint: attempt.checkpoint))
        // A step may have claimed the transfer again since its release.
        if running[id]?.attempt === attempt { running[id] = nil }
        observers.send(TransferEvent(id: id, kind: event))
        wake()
    }

    /// Stores the end of an attempt, or keeps it for the next step.
    private func release(_ id: TransferID, _ end: UnstoredEnd) async throws {
        do {
            try await store.release(id, as: end.outcome, end.checkpoint, for: owner)
        } catch let error as TransferError where error.kind == .leaseLost {
            // Another process has the transfer.
        } catch {
            unstored[id] = end
            throw error
        }
        unstored[id] = nil
    }

    private func metrics(of attempt: TransferAttempt) async throws -> TransferMetrics {
        let stored = try await store.list(.ids([attempt.claim.id]), nil, after: nil, limit: 1).first?.metrics
        var sum = stored ?? TransferMetrics()
        let added = attempt.checkpoint.added
        sum.requests += added.requests
        sum.receivedBytes += added.receivedBytes
        sum.sentBytes += added.sentBytes
        sum.seconds += added.seconds
        return sum
    }

    private func judge(_ failure: TransferError, _ attempt: TransferAttempt) -> (AttemptOutcome, TransferEvent.Kind) {
        let final = (AttemptOutcome.failed(failure.message), TransferEvent.Kind.failed(failure))
        guard failure.isTransient else { return final }
        // Progress resets the count of failures, unless all of it was discarded.
        let isProgress = attempt.hasProgressed && failure.kind != .integrity && failure.kind != .representationChanged
        let failures = isProgress ? 1 : attempt.claim.failures + 1
        let delay = attempt.claim.description.retry.delay(
            afterFailures: failures, retryAfter: failure.retryAfter, jitter: .random(in: 0...1))
        guard let delay else { return final }
        let next = date.addingTimeInterval(delay)
        return (.mustWait(until: next, failures: failures, message: failure.message), .retrying(failure, at: next))
    }

    /// Removes what cancelled transfers have left that no process runs.
    func discardCancelled() async throws {
        while let claim = try await store.claimCancelled(for: owner, until: leaseEnd) {
            let attempt = TransferAttempt(claim, session, limiter, store, owner, configuration)
            await attempt.discard()
            try await release(claim.id, UnstoredEnd(outcome: .cancelled, checkpoint: attempt.checkpoint))
            observers.send(TransferEvent(id: claim.id, kind: .cancelled))
        }
    }

    // MARK: Progress

    /// Returns the bytes of running transfers that are not in their checkpoints yet.
    func liveBytes(_ selection: TransferSelection) async throws -> Int64 {
        let live = running.filter { id, transfer in
            switch selection {
            case .all: true
            case .ids(let ids): ids.contains(id)
            case .tag(let tag): transfer.attempt.claim.description.tags.contains(tag)
            }
        }
        guard !live.isEmpty else { return 0 }
        let stored = try await store.list(.ids(Array(live.keys)), nil, after: nil, limit: live.count)
        let saved = stored.reduce(0) { $0 + $1.completedBytes }
        return live.values.reduce(0) { $0 + $1.attempt.checkpoint.completed } - saved
    }
}
