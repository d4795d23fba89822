internal import AirframeTransport
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

    // The thread looks up at least this often, so that a deadline that is far off never needs to wake it.
    private static let longestSleep: Int64 = 60_000_000_000

    init(_ configuration: CurlTransport.Configuration) throws(TransportError) {
        poller = try Poller()
        engine = Engine(configuration, poller: poller)
    }

    /// Has `command` done, on this thread if nobody else has the turn. `false` when the loop has ended.
    @discardableResult
    func submit(_ command: Command) -> Bool {
        enum Action { case leave, drive, startThread, refuse }
        let action: Action = inbox.withLock { inbox in
            guard inbox.turn != .stopped else { return .refuse }
            if case .retire = command, !inbox.isThreadStarted {
                inbox.turn = .stopped
                return .leave
            }
            inbox.commands.append(command)
            guard inbox.turn == .free, !inbox.threadWantsTurn else { return .leave }
            inbox.turn = .taken
            guard !inbox.isThreadStarted else { return .drive }
            inbox.isThreadStarted = true
            return .startThread
        }
        switch action {
        case .leave: return true
        case .refuse: return false
        case .drive: drive()
        case .startThread: startThread()
        }
        return true
    }

    /// Does what the inbox holds, and hands the turn back.
    private func drive() {
        let commands = inbox.withLock { inbox in
            swap(&inbox.commands, with: [])
        }
        engine.turn(commands: commands, ready: [])
        let wakeUps = engine.takeWakeUps()
        let deadline = engine.nextDeadline
        let mustEnd = engine.hasEnded
        let needsThread = inbox.withLock { inbox in
            inbox.turn = .free
            return mustEnd || inbox.threadWantsTurn || !inbox.commands.isEmpty || deadline < inbox.sleepsUntil
        }
        if needsThread { poller.wake() }
        wakeUps.resume(self)
    }

    // MARK: The thread

    private func startThread() {
        // The thread keeps the loop alive until it ends.
        let context = Unmanaged.passRetained(self).toOpaque()
        var thread = pthread_t()
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        let result = pthread_create(
            &thread, &attributes,
            { context in
                guard let context else { return nil }
                Unmanaged<EventLoop>.fromOpaque(context).takeRetainedValue().run()
                return nil
            }, context)
        pthread_attr_destroy(&attributes)
        guard result != 0 else { return }
        Unmanaged<EventLoop>.fromOpaque(context).release()
        let commands = inbox.withLock { inbox in
            inbox.turn = .free
            inbox.isThreadStarted = false
            return swap(&inbox.commands, with: [])
        }
        engine.refuse(commands, message: "no thread for the loop: \(String(cString: strerror(result)))")
        engine.takeWakeUps().resume(self)
    }

    /// The thread's life. It begins with the turn.
    private func run() {
        airframe_name_thread("airframe-curl")
        blockSignals()
        var ready: [Poller.Ready] = []
        while true {
            let commands = inbox.withLock { inbox in
                swap(&inbox.commands, with: [])
            }
            engine.turn(commands: commands, ready: ready)
            ready.removeAll(keepingCapacity: true)
            let wakeUps = engine.takeWakeUps()
            guard !engine.hasEnded else {
                wakeUps.resume(self)
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
            wakeUps.resume(self)
            guard isIdle else { continue }
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
            return swap(&inbox.commands, with: [])
        }
        engine.refuse(commands, message: "the transport was shut down")
        engine.takeWakeUps().resume(self)
    }

    // Signals are for the program's own threads.
    private func blockSignals() {
        var all = sigset_t()
        sigfillset(&all)
        pthread_sigmask(SIG_BLOCK, &all, nil)
    }
}

/// The system's monotonic clock, by which the loop and its limits live.
enum Monotonic {
    /// Nanoseconds since the machine started.
    static var now: Int64 { SystemClock.shared.now.nanoseconds }

    /// From one instant to another in milliseconds, rounded up, so that the loop never wakes just too early.
    static func milliseconds(from start: Int64, to end: Int64) -> Int32 {
        guard end > start else { return 0 }
        return Int32(clamping: (end - start + 999_999) / 1_000_000)
    }
}

/// Replaces a value and returns what it was.
private func swap<Value>(_ value: inout Value, with new: Value) -> Value {
    let old = value
    value = new
    return old
}
