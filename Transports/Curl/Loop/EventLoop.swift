internal import AirframeTransport
internal import AirframeWire
internal import CCurl
internal import Glibc
internal import Synchronization

/// One thread that waits for sockets and time, and the rule by which libcurl is called from one thread at a time.
///
/// libcurl's handles may be used from any thread, but never from two at once. Whoever uses them holds the *turn*: the
/// loop's thread when a socket or a timer is due, or a caller that finds the loop asleep and does its own command at
/// once, which saves the wake-up of the thread (10–25 µs, as long as all of a small request's system calls). Commands
/// that come while somebody holds the turn are left in the inbox; the holder looks there before it lets go.
///
/// `@unchecked Sendable`: ``Engine`` is touched by the holder of the turn only; the inbox is behind its lock.
final class EventLoop: @unchecked Sendable {
    private enum Turn {
        case free
        case taken
        case stopped
    }

    private struct Inbox {
        var commands: [Command] = []
        var turn = Turn.free
        var isThreadStarted = false
        var threadWantsTurn = false
        /// When the thread wakes by itself; an earlier deadline must wake it.
        var sleepsUntil = Int64.max
    }

    private let inbox = Mutex(Inbox())
    private let poller: Poller
    private let engine: Engine
    /// The configuration's resolver.
    let resolver: any NameResolver

    // The thread looks up at least this often, so that a deadline that is far off never needs to wake it.
    private static let longestSleep: Int64 = 60_000_000_000

    // How often a caller that has the turn looks for commands of others.
    private static let mostRounds = 4

    init(_ configuration: CurlTransport.Configuration) throws(TransportError) {
        poller = try Poller()
        engine = Engine(configuration, poller: poller)
        resolver = configuration.resolver
    }

    /// Has `command` done, on this thread if nobody else has the turn. `false` when the loop has ended.
    @discardableResult
    func submit(_ command: Command) -> Bool {
        enum Action { case leave, drive, driveAll, startThread, refuse }
        let action: Action = inbox.withLock { inbox in
            guard inbox.turn != .stopped else { return .refuse }
            if case .retire = command, !inbox.isThreadStarted {
                inbox.turn = .stopped
                return .leave
            }
            let mayDrive = inbox.turn == .free && !inbox.threadWantsTurn
            if mayDrive { inbox.turn = .taken }
            // Those that came before are done before.
            if mayDrive, inbox.isThreadStarted, inbox.commands.isEmpty { return .drive }
            inbox.commands.append(command)
            guard mayDrive else { return .leave }
            guard !inbox.isThreadStarted else { return .driveAll }
            inbox.isThreadStarted = true
            return .startThread
        }
        switch action {
        case .leave: return true
        case .refuse: return false
        case .drive:
            engine.turn(command)
            finishDriving()
        case .driveAll:
            engine.turn(commands: takeCommands(), ready: [])
            finishDriving()
        case .startThread: startThread()
        }
        return true
    }

    /// Does what has come into the inbox meanwhile, and hands the turn back.
    private func finishDriving() {
        var rounds = 0
        while true {
            let wakeUps = engine.takeWakeUps()
            let deadline = engine.nextDeadline
            let mustEnd = engine.hasEnded
            let (commands, needsThread) = inbox.withLock { inbox -> ([Command], Bool) in
                // Waking the thread for a command costs more than doing it here; but this caller is not to work for all
                // others for ever, and sockets that are ready come first.
                if !inbox.commands.isEmpty, !mustEnd, !inbox.threadWantsTurn, rounds < Self.mostRounds {
                    return (inbox.commands.take(), false)
                }
                inbox.turn = .free
                let isThreadNeeded =
                    mustEnd || inbox.threadWantsTurn || !inbox.commands.isEmpty || deadline < inbox.sleepsUntil
                return ([], isThreadNeeded)
            }
            if needsThread { poller.wake() }
            wakeUps.perform(self)
            guard !commands.isEmpty else { return }
            rounds += 1
            engine.turn(commands: commands, ready: [])
        }
    }

    private func takeCommands() -> [Command] { inbox.withLock { $0.commands.take() } }

    // MARK: The thread

    private func startThread() {
        // The thread retains the loop until it ends.
        let result = DetachedThread.start(named: "airframe-curl") { self.run() }
        guard result != 0 else { return }
        let commands = inbox.withLock { inbox in
            inbox.turn = .free
            inbox.isThreadStarted = false
            return inbox.commands.take()
        }
        engine.refuse(commands, message: "no thread for the loop: \(String(cString: strerror(result)))")
        engine.takeWakeUps().perform(self)
    }

    /// The thread's life. It begins with the turn.
    private func run() {
        var ready: [Poller.Ready] = []
        var cooperativeYield = CooperativeYield()
        while true {
            engine.turn(commands: takeCommands(), ready: ready)
            ready.removeAll(keepingCapacity: true)
            let wakeUps = engine.takeWakeUps()
            guard !engine.hasEnded else {
                wakeUps.perform(self)
                return stop()
            }
            let now = Monotonic.now
            let sleepsUntil = min(engine.nextDeadline, now + Self.longestSleep)
            let isIdle = inbox.withLock { inbox in
                guard inbox.commands.isEmpty else { return false }
                inbox.turn = .free
                inbox.sleepsUntil = sleepsUntil
                return true
            }
            wakeUps.perform(self)
            guard isIdle else { continue }
            if !wakeUps.isEmpty { cooperativeYield.yieldIfQuick() }
            poller.wait(milliseconds: Monotonic.milliseconds(from: now, to: sleepsUntil), into: &ready)
            takeTurn()
        }
    }

    private func takeTurn() {
        while true {
            let hasTurn = inbox.withLock { inbox in
                inbox.threadWantsTurn = inbox.turn == .taken
                if !inbox.threadWantsTurn { inbox.turn = .taken }
                return !inbox.threadWantsTurn
            }
            guard !hasTurn else { return }
            // What is ready stays ready: epoll tells us again.
            poller.waitForWake()
        }
    }

    private func stop() {
        engine.tearDown()
        let commands = inbox.withLock { inbox in
            inbox.turn = .stopped
            return inbox.commands.take()
        }
        engine.refuse(commands, message: "the transport was shut down")
        engine.takeWakeUps().perform(self)
    }
}

extension [Command] {
    /// The commands, of which none are left.
    fileprivate mutating func take() -> [Command] {
        guard !isEmpty else { return [] }
        var taken: [Command] = []
        swap(&taken, &self)
        return taken
    }
}
