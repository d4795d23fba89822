internal import AirframeTransport
internal import FoundationEssentials
internal import HTTPTypes
internal import Synchronization

/// The content of a response that several readers read while it is stored.
///
/// One task, the pump, takes the content from the connection and hands it to the readers and then to the store. A slow
/// store therefore delays no reader, and a reader that cancels does not end the exchange for the others. The pump waits
/// while too many bytes are unread.
final class SharedBody: Sendable {
    /// The maximum number of bytes that are received ahead of the fastest reader.
    private static let readAhead: Int64 = 256 << 10
    /// The maximum distance between the fastest and the slowest reader, in bytes. Beyond it the pump waits for the
    /// slowest.
    private static let window: Int64 = 8 << 20
    /// The number of bytes that are held for readers that join later.
    private static let retention: Int64 = 1 << 20
    /// Content without readers that has received no byte for this long is cancelled instead of joined: its connection
    /// may be dead, and the last reader may have cancelled for that reason.
    private static let stallLimit = Duration.seconds(2)

    private typealias Waiter = CheckedContinuation<Result<Data?, TransportError>, Never>
    private typealias Pump = CheckedContinuation<Void, Never>

    private struct Reader {
        var next = 0
        var read: Int64 = 0
        var waiter: Waiter?
    }

    private struct BodyState {
        var chunks: [Data] = []
        /// The number of chunks that were dropped before the first one in `chunks`.
        var dropped = 0
        var received: Int64 = 0
        var ending: Result<HTTPFields?, TransportError>?
        var readers: [UInt64: Reader] = [:]
        var nextReader: UInt64 = 0
        var isAbandoned = false
        /// The pump while it waits for a reader.
        var pump: Pump?
        /// The clock of the readers.
        var clock: (any TransportClock)?
        /// The last instant at which a wait of the pump ended.
        var releasedAt: MonotonicInstant?
        /// The instant at which the last byte arrived, or the first reader began.
        var lastByteAt: MonotonicInstant?

        /// Returns the waiting pump, to be resumed.
        mutating func release() -> Pump? {
            guard let pump = pump.take() else { return nil }
            releasedAt = clock?.now
            return pump
        }

        /// Whether the content has no reader and no byte of it has arrived for ``SharedBody/stallLimit``.
        func isStalled(at now: MonotonicInstant) -> Bool {
            guard readers.isEmpty, ending == nil, let lastByteAt else { return false }
            let last = releasedAt.map { max($0, lastByteAt) } ?? lastByteAt
            return last.duration(to: now) >= SharedBody.stallLimit
        }
    }

    /// The response's head for its readers.
    let head: HTTPResponse
    /// The entry that is stored.
    let entry: CacheEntry
    /// The length that the head announces.
    let expectedLength: Int64?
    /// The limits of the request that the engine sent, which end the content for all readers.
    let limits: FollowerLimits?
    /// Whether the head has cookies, and the request that the engine sent leaves them unstored. Another request cannot
    /// store them later, when they may have changed.
    let leavesCookies: Bool
    private let finishLimit: Int64
    private let upstream: ResponseBody
    // Guards the chunks, the readers and the ending.
    private let state = Mutex(BodyState())

    init(
        head: HTTPResponse,
        entry: CacheEntry,
        upstream: ResponseBody,
        prelude: Data = Data(),
        limits: FollowerLimits? = nil,
        leavesCookies: Bool = false,
        finishLimit: Int64
    ) {
        self.head = head
        self.entry = entry
        self.upstream = upstream
        self.limits = limits
        self.leavesCookies = leavesCookies
        self.finishLimit = finishLimit
        expectedLength = upstream.expectedLength.flatMap { announced in
            let (sum, overflow) = announced.addingReportingOverflow(Int64(prelude.count))
            return overflow ? nil : sum
        }
        if !prelude.isEmpty { deliver(prelude) }
    }

    // MARK: The pump

    /// Receives the content until its end, and stores it.
    ///
    /// - Parameters:
    ///   - recorder: Stores the content.
    ///   - finish: Called before the readers receive the end.
    func pump(into recorder: consuming StoreRecorder, finish: @Sendable () -> Void) async {
        var recorder = recorder
        do throws(TransportError) {
            while await hasCredit(), let chunk = try await upstream.next() {
                deliver(chunk)
                await recorder.append(chunk)
            }
            guard !state.withLock({ $0.isAbandoned }) else {
                throw .cancelled(in: .responseBody, processing: .unknown)
            }
            let trailers = upstream.trailers
            await recorder.finish(trailers: trailers)
            finish()
            end(.success(trailers))
        } catch {
            upstream.cancel()
            await recorder.fail()
            finish()
            end(.failure(error))
        }
    }

    /// Waits until more content may be received; `false` if no reader is left.
    private func hasCredit() async -> Bool {
        while true {
            let isReady: Bool? = state.withLock { $0.isAbandoned ? false : Self.hasCredit($0) ? true : nil }
            if let isReady { return isReady }
            await withCheckedContinuation { continuation in
                let isReady = state.withLock { state in
                    guard !state.isAbandoned, !Self.hasCredit(state) else { return true }
                    state.pump = continuation
                    return false
                }
                if isReady { continuation.resume() }
            }
        }
    }

    private static func hasCredit(_ state: BodyState) -> Bool {
        guard !state.readers.isEmpty else { return true }
        var (slowest, fastest) = (Int64.max, Int64(0))
        for reader in state.readers.values {
            slowest = min(slowest, reader.read)
            fastest = max(fastest, reader.read)
        }
        return state.received - fastest < readAhead && state.received - slowest < window
    }

    private func deliver(_ chunk: Data) {
        let waiters = state.withLock { state in
            state.chunks.append(chunk)
            state.received += Int64(chunk.count)
            state.lastByteAt = state.clock?.now
            return Self.takeWaiters(&state) { reader in
                reader.next += 1
                reader.read += Int64(chunk.count)
            }
        }
        for waiter in waiters { waiter.resume(returning: .success(chunk)) }
    }

    private func end(_ ending: Result<HTTPFields?, TransportError>) {
        let waiters = state.withLock { state in
            state.ending = ending
            return Self.takeWaiters(&state) { _ in }
        }
        for waiter in waiters { waiter.resume(returning: ending.map { _ in nil }) }
    }

    private static func takeWaiters(
        _ state: inout BodyState,
        _ change: (inout Reader) -> Void
    ) -> [Waiter] {
        var waiters: [Waiter] = []
        for id in state.readers.keys {
            guard let waiter = state.readers[id]?.waiter.take() else { continue }
            waiters.append(waiter)
            if var reader = state.readers[id] {
                change(&reader)
                state.readers[id] = reader
            }
        }
        return waiters
    }

    // MARK: Readers

    /// Adds a reader that starts at the beginning, or returns `nil` if the beginning has been dropped. Content that has
    /// stalled without a reader is abandoned.
    ///
    /// - Parameters:
    ///   - limits: The limits of the reader's request; `nil` if it has none, or the engine enforces them.
    ///   - request: The request whose sink is notified of the end of the exchange; `nil` for the request whose exchange
    ///     the engine reports.
    ///   - clock: The events' clock.
    func reader(
        within limits: FollowerLimits? = nil,
        reportingTo request: TransportRequest? = nil,
        _ clock: any TransportClock
    ) -> SharedBodyReader? {
        let now = clock.now
        let (id, mustCancel) = state.withLock { state -> (UInt64?, Bool) in
            guard state.dropped == 0, !state.isAbandoned else { return (nil, false) }
            guard !state.isStalled(at: now) else {
                state.isAbandoned = true
                return (nil, true)
            }
            state.nextReader += 1
            state.clock = clock
            if state.lastByteAt == nil { state.lastByteAt = now }
            state.readers[state.nextReader] = Reader()
            return (state.nextReader, false)
        }
        if mustCancel { upstream.cancel() }
        return id.map { SharedBodyReader(self, id: $0, limits: limits, request: request, clock: clock) }
    }

    var trailers: HTTPFields? {
        state.withLock { state in
            if case .success(let trailers) = state.ending { trailers } else { nil }
        }
    }

    /// Returns the next chunk of a reader; `nil` at the end.
    ///
    /// - Parameters:
    ///   - id: The reader.
    ///   - limits: The limits of its request.
    func next(for id: UInt64, within limits: FollowerLimits?) async throws(TransportError) -> Data? {
        if let limits, limits.isOver, state.withLock({ $0.ending == nil }) {
            let error = limits.error(.content)
            remove(id, error)
            throw error
        }
        let result: Result<Data?, TransportError> = await withTaskCancellationHandler {
            var timer: Task<Void, Never>?
            defer { timer?.cancel() }
            return await withCheckedContinuation { continuation in
                let (known, pump, position) = state.withLock { state in
                    let known = Self.take(id, &state, continuation)
                    return (known, Self.hasCredit(state) ? state.release() : nil, state.readers[id]?.next ?? 0)
                }
                pump?.resume()
                if let known {
                    continuation.resume(returning: known)
                } else if let limits {
                    timer = self.timer(limits, for: id, at: position)
                }
            }
        } onCancel: {
            remove(id)
        }
        return try result.get()
    }

    /// Returns a task that ends a reader's wait for the chunk at `position` when a limit elapses; `nil` if no limit
    /// applies.
    private func timer(_ limits: FollowerLimits, for id: UInt64, at position: Int) -> Task<Void, Never>? {
        guard let due = limits.due(.content, since: limits.clock.now) else { return nil }
        return Task { [self] in
            var due = due
            while (try? await limits.clock.sleep(until: due)) != nil {
                let now = limits.clock.now
                // While a slower reader holds the transfer back, no byte can arrive.
                let start = state.withLock { $0.pump == nil ? $0.releasedAt : now }
                guard !limits.isOver, let start, let next = limits.due(.content, since: start), next > now else {
                    return remove(id, waitingAt: position, limits.error(.content))
                }
                due = next
            }
        }
    }

    private static func take(
        _ id: UInt64,
        _ state: inout BodyState,
        _ continuation: Waiter
    ) -> Result<Data?, TransportError>? {
        guard var reader = state.readers[id] else {
            return .failure(.cancelled(in: .responseBody, processing: .unknown))
        }
        defer { if state.readers[id] != nil { state.readers[id] = reader } }
        let index = reader.next - state.dropped
        if state.chunks.indices.contains(index) {
            let chunk = state.chunks[index]
            reader.next += 1
            reader.read += Int64(chunk.count)
            state.readers[id] = reader
            trim(&state)
            return .success(chunk)
        }
        if let ending = state.ending { return ending.map { _ in nil } }
        if Task.isCancelled {
            state.readers[id] = nil
            return .failure(.cancelled(in: .responseBody, processing: .unknown))
        }
        reader.waiter = continuation
        return nil
    }

    /// Drops chunks that all readers have read, except for ``retention`` bytes.
    private static func trim(_ state: inout BodyState) {
        guard state.received > retention else { return }
        let first = state.readers.values.lazy.map(\.next).min() ?? 0
        let count = first - state.dropped
        guard count > 0 else { return }
        state.chunks.removeFirst(count)
        state.dropped += count
    }

    /// Removes a reader. After the last one the exchange is cancelled, unless the rest of the content is small.
    ///
    /// - Parameters:
    ///   - id: The reader.
    ///   - position: The chunk that the reader must be waiting for; a reader that is not is kept. `nil` for any reader.
    ///   - error: The error of the reader's wait.
    func remove(
        _ id: UInt64,
        waitingAt position: Int? = nil,
        _ error: TransportError = .cancelled(in: .responseBody, processing: .unknown)
    ) {
        let (waiter, pump, mustCancel) = state.withLock { state -> (Waiter?, Pump?, Bool) in
            if let position {
                guard let reader = state.readers[id], reader.waiter != nil, reader.next == position else {
                    return (nil, nil, false)
                }
            }
            let waiter = state.readers.removeValue(forKey: id)?.waiter
            guard state.readers.isEmpty, state.ending == nil else {
                return (waiter, Self.hasCredit(state) ? state.release() : nil, false)
            }
            let rest = expectedLength.map { $0 - state.received } ?? .max
            if rest > finishLimit { state.isAbandoned = true }
            return (waiter, state.release(), state.isAbandoned)
        }
        if mustCancel { upstream.cancel() }
        pump?.resume()
        waiter?.resume(returning: .failure(error))
    }
}

/// One reader of shared content.
final class SharedBodyReader: ResponseBodySource {
    private let shared: SharedBody
    private let id: UInt64
    private let limits: FollowerLimits?
    private let request: TransportRequest?
    private let clock: any TransportClock

    init(
        _ shared: SharedBody,
        id: UInt64,
        limits: FollowerLimits?,
        request: TransportRequest?,
        clock: any TransportClock
    ) {
        self.shared = shared
        self.id = id
        self.limits = limits
        self.request = request
        self.clock = clock
    }

    var trailers: HTTPFields? { shared.trailers }

    func next() async throws(TransportError) -> Data? {
        do throws(TransportError) {
            let chunk = try await shared.next(for: id, within: limits)
            if chunk == nil {
                request?.report(.released(.unknown), on: clock)
                // The body has delivered the end, so nothing is left to read.
                shared.remove(id)
            }
            return chunk
        } catch {
            request?.report(.failed(error), on: clock)
            throw error
        }
    }

    func cancel() { shared.remove(id) }
}
