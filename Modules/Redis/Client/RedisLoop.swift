internal import AirframeTransport
internal import Glibc
internal import Synchronization

/// Sends commands over one connection, on a thread that runs while there is work.
///
/// Tasks enqueue commands and wait for continuations. The thread owns the connection: it connects, writes, reads, and
/// enforces the time limits. Replies arrive in the order of the commands, so a command that times out ends the
/// connection and fails all commands after it.
final class RedisLoop: Sendable {
    typealias Answer = CheckedContinuation<Result<RedisReply, RedisError>, Never>

    /// The maximum number of bytes of commands without a reply. Bounds memory when a server hangs.
    static let byteLimit = 64 << 20
    /// The time for which an idle connection stays open.
    static let idleTime = Duration.seconds(30)
    /// The first and the longest pause after a failed connection.
    static let pauses = (first: Duration.milliseconds(50), longest: Duration.seconds(2))

    struct Command: Sendable {
        let id: UInt64
        let bytes: [UInt8]
        let deadline: ContinuousClock.Instant
    }

    private struct Waiting {
        let answer: Answer
        let byteCount: Int
    }

    private struct LoopState {
        var queue: [Command] = []
        var waiting: [UInt64: Waiting] = [:]
        var byteCount = 0
        var isServing = false
        var isClosed = false
        /// The server's addresses, once they have been resolved.
        var addresses: Result<[String], RedisConnection.Failure>?
        /// The end of a pipe that wakes the thread.
        var wakeUp: Int32 = -1
    }

    private enum Step {
        case refused(RedisError)
        case start
        case queued
    }

    private let configuration: RedisClient.Configuration
    private let threads = WorkerThreads(named: "airframe-redis", maximum: 1)
    private let nextID = Atomic<UInt64>(0)
    // Guards the queue, the continuations, the addresses and the descriptor that wakes the thread.
    private let state = Mutex(LoopState())
    // Guards the error of the last connection, with which commands fail during the pause after it.
    private let pause = Mutex<RedisPause?>(nil)

    init(_ configuration: RedisClient.Configuration) { self.configuration = configuration }

    // MARK: Tasks

    /// Enqueues a command and waits for its reply.
    func send(_ command: RedisCommand) async -> Result<RedisReply, RedisError> {
        let id = nextID.add(1, ordering: .relaxed).newValue
        return await withTaskCancellationHandler {
            await withCheckedContinuation { answer in
                let command = Command(
                    id: id, bytes: command.bytes, deadline: .now.advanced(by: configuration.commandTimeout))
                switch state.withLock({ queue(command, answer, &$0) }) {
                case .refused(let error): answer.resume(returning: .failure(error))
                case .start: threads.run { [self] in serve() }
                case .queued: break
                }
            }
        } onCancel: {
            finish(id, .failure(error(.cancelled, "the task was cancelled")))
        }
    }

    private func queue(_ command: Command, _ answer: Answer, _ state: inout LoopState) -> Step {
        if state.isClosed { return .refused(error(.closed, "the client is closed")) }
        if Task.isCancelled { return .refused(error(.cancelled, "the task was cancelled")) }
        guard state.byteCount + command.bytes.count <= Self.byteLimit else {
            return .refused(error(.overload, "\(state.byteCount) bytes of commands are already queued"))
        }
        state.waiting[command.id] = Waiting(answer: answer, byteCount: command.bytes.count)
        state.byteCount += command.bytes.count
        let wasEmpty = state.queue.isEmpty
        state.queue.append(command)
        guard state.isServing else {
            state.isServing = true
            return .start
        }
        if wasEmpty { Self.wake(state) }
        return .queued
    }

    /// Ends the thread and fails all commands.
    func close() {
        let answers = state.withLock { state in
            state.isClosed = true
            Self.wake(state)
            defer { (state.waiting, state.byteCount, state.queue) = ([:], 0, []) }
            return state.waiting.values.map(\.answer)
        }
        for answer in answers { answer.resume(returning: .failure(error(.closed, "the client is closed"))) }
    }

    private static func wake(_ state: LoopState) {
        // A full pipe also wakes the thread.
        if state.wakeUp >= 0 { _ = Glibc.write(state.wakeUp, [1], 1) }
    }

    func error(_ kind: RedisError.Kind, _ reason: String) -> RedisError {
        RedisError(kind, configuration.place, reason)
    }

    /// Resumes the task that waits for a command, unless the task was cancelled.
    func finish(_ id: UInt64, _ result: Result<RedisReply, RedisError>) {
        let answer = state.withLock { state in
            let waiting = state.waiting.removeValue(forKey: id)
            state.byteCount -= waiting?.byteCount ?? 0
            return waiting?.answer
        }
        answer?.resume(returning: result)
    }

    // MARK: The thread

    private func serve() {
        let pipe = Self.openPipe()
        state.withLock { $0.wakeUp = pipe?.writing ?? -1 }
        let exchange = RedisExchange(self, configuration, wakeUp: pipe?.reading ?? -1)
        while true {
            let (commands, isClosed) = state.withLock { state in
                defer { state.queue = [] }
                return (state.queue, state.isClosed)
            }
            if isClosed { break }
            exchange.submit(commands)
            if pipe == nil { exchange.fail(error(.connection, "no file descriptor is left for a pipe")) }
            if pipe == nil || !exchange.waitForSocket(), stopServing(pipe) { return }
        }
        state.withLock { $0.queue = [] }
        _ = stopServing(pipe)
    }

    /// Marks the thread as ended; `false` if a command has been enqueued in the meantime.
    private func stopServing(_ pipe: (reading: Int32, writing: Int32)?) -> Bool {
        let isIdle = state.withLock { state in
            guard state.queue.isEmpty else { return false }
            state.isServing = false
            state.wakeUp = -1
            return true
        }
        guard isIdle else { return false }
        if let pipe {
            Glibc.close(pipe.reading)
            Glibc.close(pipe.writing)
        }
        return true
    }

    private static func openPipe() -> (reading: Int32, writing: Int32)? {
        var ends: [Int32] = [-1, -1]
        guard Glibc.pipe(&ends) == 0 else { return nil }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        return (ends[0], ends[1])
    }

    // MARK: Names

    /// Resolves the server's name outside the thread, and wakes the thread.
    func resolve(_ host: String) {
        state.withLock { $0.addresses = nil }
        Task.detached { [self] in
            let answer: Result<[String], RedisConnection.Failure>
            do {
                answer = .success(try await SystemNameResolver.shared.addresses(of: host))
            } catch {
                answer = .failure(RedisConnection.Failure(reason: "\(error)"))
            }
            state.withLock { state in
                state.addresses = answer
                Self.wake(state)
            }
        }
    }

    /// Takes the resolved addresses.
    func takeAddresses() -> Result<[String], RedisConnection.Failure>? { state.withLock { $0.addresses.take() } }

    // MARK: Pauses

    /// The error for commands during a pause; `nil` outside pauses.
    func currentPause() -> RedisError? {
        pause.withLock { pause in pause.flatMap { $0.end > .now ? $0.error : nil } }
    }

    /// Begins a pause, twice as long as the previous one.
    func beginPause(_ error: RedisError) {
        pause.withLock { pause in
            let length = pause.map { min($0.length * 2, Self.pauses.longest) } ?? Self.pauses.first
            pause = RedisPause(length: length, end: .now.advanced(by: length), error: error)
        }
    }

    /// Resets the pause after the server has answered.
    func endPauses() { pause.withLock { $0 = nil } }
}

/// A period in which no connection is attempted.
struct RedisPause: Sendable {
    let length: Duration
    let end: ContinuousClock.Instant
    let error: RedisError
}
