internal import AirframeTransport
internal import AirframeWire
internal import CCurl

/// The transfers of one transport, and everything that libcurl needs for them. Only the holder of the loop's turn
/// accesses it.
///
/// A class, because libcurl's callbacks reach it through other objects. Its properties are not checked for overlapping
/// accesses: one thread holds the turn, and a callback never uses the property that is being changed.
final class Engine {
    let configuration: CurlTransport.Configuration
    /// The configuration's clock, stored because every event reads it.
    let clock: any TransportClock
    let poller: Poller
    let fieldNames = FieldNameCache()
    private let idleAge: Int64
    @exclusivity(unchecked) var links = LinkTable()
    @exclusivity(unchecked) var watch = SocketWatch()

    @exclusivity(unchecked) var transfers: [ExchangeID: Transfer] = [:]
    @exclusivity(unchecked) var contexts: ContextTable
    @exclusivity(unchecked) var timers = TimerQueue()
    @exclusivity(unchecked) var names = NameTable()
    @exclusivity(unchecked) private var dirty: [Transfer] = []
    @exclusivity(unchecked) var toUnpause: [ExchangeID] = []
    /// The transfers of which an attempt to connect has failed.
    @exclusivity(unchecked) var toReconnect: [ExchangeID] = []
    /// The HTTP/2 sessions whose windows may have opened or closed.
    @exclusivity(unchecked) var sessionsToCheck: [HTTP2Session] = []
    @exclusivity(unchecked) private var wakeUps: [WakeUp] = []
    @exclusivity(unchecked) private var drainWaiters: [UnsafeContinuation<Void, Never>] = []
    @exclusivity(unchecked) var lastHandshake: UInt64 = 0
    @exclusivity(unchecked) var isShutDown = false
    @exclusivity(unchecked) private var isRetired = false

    init(_ configuration: CurlTransport.Configuration, poller: Poller) {
        self.configuration = configuration
        clock = configuration.clock
        self.poller = poller
        idleAge = max(0, configuration.idleConnectionAge.wholeNanoseconds)
        contexts = ContextTable(limit: configuration.maximumContexts)
    }

    // MARK: A turn

    /// Handles ready sockets, performs commands, and runs what is due.
    func turn(commands: [Command], ready: [Poller.Ready]) {
        for event in ready { handle(event) }
        for command in commands { perform(command) }
        finishTurn()
    }

    /// Performs one command, and runs what it makes due.
    func turn(_ command: Command) {
        perform(command)
        finishTurn()
    }

    private func finishTurn() {
        var rounds = 0
        // One round may make another due immediately. The number of rounds is limited so that sockets are not starved.
        while runWhatIsDue(), rounds < 4 { rounds += 1 }
        deliver()
        if transfers.isEmpty { noteIdle() }
    }

    /// The instant of the loop's next turn in nanoseconds; `.max` for never.
    var nextDeadline: Int64 {
        if !toUnpause.isEmpty || !toReconnect.isEmpty || !sessionsToCheck.isEmpty { return 0 }
        return min(contexts.earliestDeadline, contexts.earliestEviction(after: idleAge), timers.earliest ?? .max)
    }

    /// Whether the transport has been released and the last transfer has ended.
    var hasEnded: Bool { isRetired && transfers.isEmpty }

    func takeWakeUps() -> [WakeUp] {
        guard !wakeUps.isEmpty else { return [] }
        var taken: [WakeUp] = []
        swap(&taken, &wakeUps)
        return taken
    }

    func wakeUp(_ wakeUp: WakeUp) { wakeUps.append(wakeUp) }

    private func handle(_ event: Poller.Ready) {
        guard let (descriptor, mask) = watch.mask(of: event, poller: poller),
            let context = contexts[UInt32(event.token >> 32)]
        else { return tendIdle(event) }
        context.socketIsReady(descriptor, mask: mask)
        collectEnded(context)
    }

    private func perform(_ command: Command) {
        switch command {
        case .start(let exchange): start(exchange)
        case .cancel(let id): cancel(id)
        case .unpause(let id): unpause(id)
        case .uploadReady(let id): resumeSending(id)
        case .trustAnswered(let id, let handshake, let refusal): answer(id, handshake, refusal)
        case .nameAnswered(let lookup, let addresses): answer(lookup, addresses)
        case .shutDown(let continuation):
            isShutDown = true
            drainWaiters.append(continuation)
        case .retire:
            isRetired = true
        }
    }

    private func runWhatIsDue() -> Bool {
        var didSomething = false
        if !toUnpause.isEmpty {
            let ids = toUnpause
            toUnpause.removeAll(keepingCapacity: true)
            for id in ids { unpause(id) }
        }
        if !toReconnect.isEmpty { tryNextAddresses() }
        if !sessionsToCheck.isEmpty {
            let sessions = sessionsToCheck
            sessionsToCheck.removeAll(keepingCapacity: true)
            for session in sessions { session.check() }
            didSomething = true
        }
        let now = Monotonic.now
        for context in contexts.all where context.dueTime <= now {
            context.runTimer()
            collectEnded(context)
            didSomething = true
        }
        contexts.evictIdle(since: now - idleAge)
        while let id = timers.popDue(at: now) {
            guard let transfer = transfers[id] else { continue }
            transfer.limits.armedFor = .max
            nudge(transfer)
            giveUpSilentAttempts(of: transfer, now: now)
            checkLimits(of: transfer, now: now)
            didSomething = true
        }
        return didSomething
    }

    func markDirty(_ transfer: Transfer) {
        guard !transfer.isDirty else { return }
        transfer.isDirty = true
        dirty.append(transfer)
    }

    /// Collects the wake-ups of tasks for which this turn has brought something.
    private func deliver() {
        guard !dirty.isEmpty else { return }
        for transfer in dirty { transfer.deliver(to: &wakeUps) }
        dirty.removeAll(keepingCapacity: true)
    }

    // MARK: The end

    /// Resumes the waiters for shutdown, since no transfer is in flight.
    private func noteIdle() {
        guard !drainWaiters.isEmpty else { return }
        contexts.removeAll()
        wakeUps += drainWaiters.map { .resume($0) }
        drainWaiters = []
    }

    /// Fails commands that arrived after the end of the loop.
    func refuse(_ commands: [Command], message: String) {
        for command in commands {
            switch command {
            case .start(let exchange):
                refuse(exchange, exchange.plan.error(.engineFailure, phase: .options, message: message))
            case .shutDown(let continuation):
                wakeUps.append(.resume(continuation))
            default:
                break
            }
        }
    }

    /// Closes all connections.
    func tearDown() {
        contexts.removeAll()
    }

    static let outOfMemory = TransportError(
        .engineFailure,
        phase: .options,
        processing: .notSent,
        message: "out of memory"
    )
}
