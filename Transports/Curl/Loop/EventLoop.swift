internal import AirframeTransport
internal import AirframeWire
internal import CCurl
internal import Glibc
internal import Synchronization

/// A thread that waits for sockets and timers, and the rule that lets one thread at a time call libcurl.
///
/// libcurl's handles may be used from any thread, but not from two at the same time. The thread that uses them holds
/// the *turn*: the loop's thread when a socket or a timer is due, or a caller that finds the loop asleep and performs
/// its own command immediately. This saves the wake-up of the loop's thread (10–25 µs, as long as all system calls of a
/// small request). Commands that arrive while another thread holds the turn wait in the inbox, which the holder empties
/// before it releases the turn.
///
/// `@unchecked Sendable`: only the holder of the turn accesses ``Engine``, and a lock guards the inbox.
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
        /// The instant at which the thread wakes by itself. An earlier deadline must wake it.
        var sleepsUntil = Int64.max
    }

    private let inbox = Mutex(Inbox())
    private let poller: Poller
    private let engine: Engine
    /// The configuration's resolver.
    let resolver: any NameResolver

    // The thread wakes at least this often, so that a distant deadline never needs to wake it.
    private static let longestSleep: Int64 = 60_000_000_000

    // The number of times that a caller with the turn empties the inbox.
    private static let mostRounds = 4

    init(_ configuration: CurlTransport.Configuration) throws(TransportError) {
        poller = try Poller()
        engine = Engine(configuration, poller: poller)
        resolver = configuration.resolver
    }

    /// Performs `command` on this thread if the turn is free, or leaves it to the holder. Returns `false` if the loop
    /// has ended.
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
            // Earlier commands are performed first.
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

    /// Performs the commands that have arrived meanwhile, and releases the turn.
    private func finishDriving() {
        var rounds = 0
        while true {
            let wakeUps = engine.takeWakeUps()
            let deadline = engine.nextDeadline
            let mustEnd = engine.hasEnded
            let (commands, needsThread) = inbox.withLock { inbox -> ([Command], Bool) in
                // Waking the thread would take 10–25 µs. The number of rounds is limited so that one caller does not
                // work for all others, and ready sockets come first.
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

    /// Runs the thread, which starts with the turn.
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
            // Ready sockets stay ready, so epoll reports them again.
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
    /// Returns the commands and leaves none.
    fileprivate mutating func take() -> [Command] {
        guard !isEmpty else { return [] }
        var taken: [Command] = []
        swap(&taken, &self)
        return taken
    }
}
