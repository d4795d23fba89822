internal import AirframeTransport
internal import AirframeWire
internal import Synchronization

/// The state that all exchanges of a transport share.
final class Engine: Sendable {
    let configuration: SocketTransport.Configuration
    let pool: ConnectionPool
    let buffers = BufferPool()
    let addresses: AddressBook
    let destinations: DestinationTable
    /// The environment's proxies, read when the transport was created.
    let environment: EnvironmentProxies
    let tlsContexts = TLSContextCache()
    let reactors: [Reactor]
    /// Whether the clock is the system's, which is read without a call through a protocol.
    private let hasSystemClock: Bool
    private let connectionNumber = Atomic<UInt64>(0)
    private let turn = Atomic<UInt64>(0)

    // MARK: Exchanges in flight

    private let exchangeCount = Atomic(0)
    private let isShutDown = Atomic(false)
    // Guards the callers of `shutDown` that wait for the last exchange to end.
    private let waiting = Mutex<[UnsafeContinuation<Void, Never>]>([])
    private let ownSpinBudget = SpinBudget()

    init(_ configuration: SocketTransport.Configuration) throws(TransportError) {
        self.configuration = configuration
        hasSystemClock = configuration.clock is SystemClock
        environment = EnvironmentProxies()
        destinations = DestinationTable(environment)
        var reactors: [Reactor] = []
        for _ in 0..<max(1, configuration.reactorCount) { reactors.append(try Reactor()) }
        self.reactors = reactors
        pool = ConnectionPool(PoolLimits(configuration))
        addresses = AddressBook(configuration)
        pool.setAlarm(reactors[0])
    }

    deinit { pool.removeAlarm() }

    /// The current instant of the transport's clock.
    var now: MonotonicInstant { hasSystemClock ? SystemClock.shared.now : configuration.clock.now }

    /// The next reactor, round robin.
    var reactor: Reactor {
        guard reactors.count > 1 else { return reactors[0] }
        return reactors[Int(turn.wrappingAdd(1, ordering: .relaxed).newValue % UInt64(reactors.count))]
    }

    /// The first reactor's thread as an executor.
    var executor: any TaskExecutor { reactors[0].executor }

    /// Returns a number that no other connection of this transport has.
    func nextConnectionNumber() -> UInt64 { connectionNumber.add(1, ordering: .relaxed).newValue }

    /// The limits on response heads.
    var parserLimits: HTTP1Limits {
        HTTP1Limits(
            head: configuration.headSizeLimit,
            informationalCount: configuration.informationalResponseLimit
        )
    }

    // MARK: Exchanges

    /// Counts a new exchange. Returns `false` if the transport was shut down.
    func beginExchange() -> Bool {
        let count = exchangeCount.add(1, ordering: .sequentiallyConsistent).newValue
        ownSpinBudget.noteExchange(isAlone: count == 1)
        guard isShutDown.load(ordering: .sequentiallyConsistent) else { return true }
        endExchange()
        return false
    }

    /// Counts an exchange as ended.
    func endExchange() {
        // Decrement, then load; `shutDown` stores, then loads the count. One of the two always sees the other.
        let rest = exchangeCount.subtract(1, ordering: .sequentiallyConsistent).newValue
        if rest == 0, isShutDown.load(ordering: .sequentiallyConsistent) { wakeWaiting() }
    }

    /// Whether only one exchange is in flight.
    var isQuiet: Bool { exchangeCount.load(ordering: .relaxed) == 1 }

    /// The spin budget for an exchange that is about to wait; `nil` if it should not spin.
    var spinBudget: SpinBudget? {
        isQuiet && ownSpinBudget.isWorthwhile() && !reactors.contains { $0.isCurrent } ? ownSpinBudget : nil
    }

    // MARK: The end

    /// Closes connections as they become free. Called when the transport is released.
    func retire() { pool.close() }

    /// Rejects new exchanges and returns when the last one has ended.
    func shutDown() async {
        pool.close()
        isShutDown.store(true, ordering: .sequentiallyConsistent)
        await withUnsafeContinuation { continuation in
            waiting.withLock { $0.append(continuation) }
            if exchangeCount.load(ordering: .sequentiallyConsistent) == 0 { wakeWaiting() }
        }
    }

    private func wakeWaiting() {
        let continuations = waiting.withLock { waiting in
            defer { waiting = [] }
            return waiting
        }
        for continuation in continuations { continuation.resume() }
    }
}

extension PoolLimits {
    fileprivate init(_ configuration: SocketTransport.Configuration) {
        total = max(1, configuration.maximumConnections ?? .max)
        perOrigin = max(1, configuration.maximumConnectionsPerHost ?? .max)
        waiting = max(0, configuration.maximumWaitingRequests ?? .max)
        idle = max(0, configuration.maximumIdleConnections)
        idleAge = max(0, configuration.idleConnectionAge.wholeNanoseconds)
        age = configuration.connectionAge.map { max(0, $0.wholeNanoseconds) } ?? .max
    }
}
