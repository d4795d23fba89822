internal import AirframeTransport
internal import CCurl
internal import Glibc
internal import HTTPTypes

/// The transfers of one transport, and all that libcurl needs for them. Touched by the holder of the loop's turn only.
///
/// A class, because libcurl's callbacks reach it through the objects that they are given.
final class Engine {
    let configuration: CurlTransport.Configuration
    let poller: Poller
    var links = LinkTable()
    var watch = SocketWatch()

    private var transfers: [ExchangeID: Transfer] = [:]
    private var contexts: ContextTable
    private var timers = TimerQueue()
    private var handles = EasyHandlePool()
    private var dirty: [Transfer] = []
    private var toUnpause: [ExchangeID] = []
    private var wakeUps: [WakeUp] = []
    private var drainWaiters: [UnsafeContinuation<Void, Never>] = []
    private var lastHandshake: UInt64 = 0
    private var isShutDown = false
    private var isRetired = false

    init(_ configuration: CurlTransport.Configuration, poller: Poller) {
        self.configuration = configuration
        self.poller = poller
        contexts = ContextTable(limit: configuration.maximumContexts)
    }

    // MARK: A turn

    /// Does what is to be done now: commands, sockets that are ready, what is due.
    func turn(commands: [Command], ready: [Poller.Ready]) {
        for event in ready { handle(event) }
        for command in commands { perform(command) }
        var rounds = 0
        // Several rounds, because what one does may make another due at once; not endless, so that sockets are looked at.
        while runWhatIsDue(), rounds < 4 { rounds += 1 }
        deliver()
        if transfers.isEmpty { noteIdle() }
    }

    /// When the loop must look again, in nanoseconds; `.max` for never.
    var nextDeadline: Int64 {
        if !toUnpause.isEmpty { return 0 }
        return min(contexts.earliestDeadline, timers.earliest ?? .max)
    }

    /// Whether the loop has nothing to live for.
    var hasEnded: Bool { isRetired && transfers.isEmpty }

    func takeWakeUps() -> [WakeUp] {
        defer { wakeUps = [] }
        return wakeUps
    }

    func wakeUp(_ wakeUp: WakeUp) { wakeUps.append(wakeUp) }

    private func handle(_ event: Poller.Ready) {
        guard let (descriptor, mask) = watch.mask(of: event, poller: poller),
            let context = contexts[UInt32(event.token >> 32)]
        else { return }
        context.multi.socketIsReady(descriptor, mask: mask)
        collectEnded(context)
    }

    private func perform(_ command: Command) {
        switch command {
        case .start(let exchange): start(exchange)
        case .cancel(let id): cancel(id)
        case .unpause(let id): unpause(id)
        case .uploadReady(let id): transfers[id]?.easy.pause(CURLPAUSE_CONT)
        case .trustAnswered(let id, let handshake, let refusal): answer(id, handshake, refusal)
        case .shutDown(let continuation):
            isShutDown = true
            drainWaiters.append(continuation)
        case .retire:
            isRetired = true
        }
    }

    private func runWhatIsDue() -> Bool {
        var didSomething = false
        for id in toUnpause { unpause(id) }
        toUnpause.removeAll(keepingCapacity: true)
        let now = Monotonic.now
        for context in contexts.all where context.deadline <= now {
            context.runTimer()
            collectEnded(context)
            didSomething = true
        }
        while let id = timers.popDue(at: now) {
            guard let transfer = transfers[id] else { continue }
            transfer.limits.armedFor = .max
            checkLimits(of: transfer, now: now)
            didSomething = true
        }
        return didSomething
    }

    private func deliver() {
        for transfer in dirty { transfer.deliver(to: &wakeUps) }
        dirty.removeAll(keepingCapacity: true)
    }

    // MARK: Transfers

    private func start(_ exchange: Exchange) {
        exchange.plan.request.events?.receive(
            TransportEvent(.started(exchange.plan.request.head), at: configuration.clock.now)
        )
        do throws(TransportError) {
            guard !isShutDown else {
                throw exchange.plan.error(.transportShutDown, phase: .options, message: "the transport was shut down")
            }
            guard !exchange.isCancelled else {
                throw TransportError.cancelled(in: .options, processing: .notSent, origin: exchange.plan.origin)
            }
            let context = try contexts.context(for: exchange.plan.contextKey, engine: self)
            guard let easy = handles.take() else { throw Self.outOfMemory }
            let transfer = try Transfer(exchange, context: context, easy: easy, engine: self)
            transfers[transfer.id] = transfer
            let result = context.multi.add(easy)
            guard result == CURLM_OK else {
                transfers[transfer.id] = nil
                throw exchange.plan.error(.engineFailure, phase: .options, message: CurlLibrary.text(result))
            }
            context.transferCount += 1
            arm(transfer)
        } catch {
            refuse(exchange, error)
        }
    }

    private func refuse(_ exchange: Exchange, _ error: TransportError) {
        exchange.plan.request.events?.receive(TransportEvent(.failed(error), at: configuration.clock.now))
        exchange.finish(.failed(error))
        if let continuation = exchange.takeHeadContinuation() { wakeUps.append(.head(continuation, .failure(error))) }
    }

    private func cancel(_ id: ExchangeID) {
        guard let transfer = transfers[id] else { return }
        let processing = transfer.processing
        end(transfer) { _ in
            .failure(.cancelled(in: transfer.stage.phase, processing: processing, origin: transfer.plan.origin))
        }
    }

    private func collectEnded(_ context: Context) {
        while let (easy, result) = context.multi.nextEnded() {
            guard let transfer = Transfer.of(EasyHandle.owner(of: easy)), transfer.stage != .over else { continue }
            end(transfer) { $0.outcome(of: result) }
        }
    }

    /// Takes a transfer from libcurl and ends it with what `outcome` says of it.
    private func end(_ transfer: Transfer, with outcome: (Transfer) -> Result<Void, TransportError>) {
        // Before libcurl lets go of it: afterwards the handle knows no more of its connection.
        let result = outcome(transfer)
        transfer.context.multi.remove(transfer.easy)
        transfers[transfer.id] = nil
        transfer.context.transferCount -= 1
        transfer.context.idleSince = Monotonic.now
        transfer.end(result)
        if case .success = result { handles.give(transfer.easy) } else { transfer.easy.set(CURLOPT_SHARE, pointer: nil) }
        if transfers.isEmpty { timers.removeAll() }
    }

    private func noteIdle() {
        guard !drainWaiters.isEmpty else { return }
        contexts.removeAll()
        wakeUps += drainWaiters.map { .done($0) }
        drainWaiters = []
    }

    func markDirty(_ transfer: Transfer) {
        guard !transfer.isDirty else { return }
        transfer.isDirty = true
        dirty.append(transfer)
    }

    // MARK: Backpressure

    func unpauseLater(_ transfer: Transfer) { toUnpause.append(transfer.id) }

    private func unpause(_ id: ExchangeID) {
        guard let transfer = transfers[id] else { return }
        transfer.noteActivity()
        transfer.easy.pause(CURLPAUSE_CONT)
    }

    // MARK: Limits

    /// Enters a transfer into the timer queue for the first of its limits.
    func arm(_ transfer: Transfer) {
        guard transfer.limits.isAny else { return }
        let due = transfer.limits.due(
            in: transfer.stage,
            waitingSince: transfer.exchange.waitingSince,
            sourceIsSlow: transfer.upload?.waitsForSource ?? false,
            now: Monotonic.now
        )
        guard due < transfer.limits.armedFor else { return }
        transfer.limits.armedFor = due
        timers.insert(TimerQueue.Entry(due: due, exchange: transfer.id))
    }

    private func checkLimits(of transfer: Transfer, now: Int64) {
        let expired = transfer.limits.expired(
            in: transfer.stage,
            waitingSince: transfer.exchange.waitingSince,
            sourceIsSlow: transfer.upload?.waitsForSource ?? false,
            now: now
        )
        guard let expired else { return arm(transfer) }
        let error = TransportError(
            .timedOut,
            phase: transfer.stage.phase,
            processing: transfer.processing,
            message: expired,
            origin: transfer.plan.origin
        )
        end(transfer) { _ in .failure(error) }
    }

    // MARK: Sockets

    func watch(_ descriptor: Int32, action: Int32, easy: UnsafeMutableRawPointer?, context: Context) {
        let isOurs = links[descriptor] != nil
        watch.want(action, of: descriptor, context: context.number, isKept: isOurs, poller: poller)
        guard isOurs, let transfer = Transfer.of(easy.flatMap { EasyHandle.owner(of: $0) }) else { return }
        transfer.noteSocket(descriptor, action: action)
    }

    func closeSocket(_ descriptor: Int32) -> Int32 {
        watch.drop(descriptor, poller: poller)
        if let link = links.close(descriptor), !link.isConnected { transfers[link.opener]?.noteFailedConnect(link) }
        return close(descriptor)
    }

    /// What has become of the connection of an exchange that is over.
    func fate(of link: Link?, after head: HTTPResponse?) -> TransportEvent.ConnectionFate {
        guard let link else { return .unknown }
        if links[link.descriptor] === link { return .kept }
        let asked = head?.headerFields[.connection]?.lowercased().contains("close") ?? false
        return .closed(reason: asked ? "the server closes it" : "it cannot be used again")
    }

    // MARK: Trust

    func nextHandshakeNumber() -> UInt64 {
        lastHandshake += 1
        return lastHandshake
    }

    func ask(_ question: TrustQuestion) {
        transfers[question.exchange]?.question = question
        wakeUps.append(.ask(question))
    }

    private func answer(_ id: ExchangeID, _ handshake: UInt64, _ refusal: (any Error)?) {
        guard let transfer = transfers[id], let current = transfer.handshake, current.number == handshake else { return }
        current.answer(refusal)
        transfer.question = nil
        // No socket has become ready; changing the pause twice is what makes libcurl look at the transfer again.
        transfer.easy.pause(CURLPAUSE_SEND)
        transfer.easy.pause(CURLPAUSE_CONT)
    }

    // MARK: The end

    /// Refuses what came too late, or in vain.
    func refuse(_ commands: [Command], message: String) {
        for command in commands {
            switch command {
            case .start(let exchange):
                refuse(exchange, exchange.plan.error(.engineFailure, phase: .options, message: message))
            case .shutDown(let continuation):
                wakeUps.append(.done(continuation))
            default:
                break
            }
        }
    }

    /// Closes all connections.
    func tearDown() {
        contexts.removeAll()
        handles = EasyHandlePool()
    }

    static let outOfMemory = TransportError(
        .engineFailure,
        phase: .options,
        processing: .notSent,
        message: "out of memory"
    )
}
