import AirframeWire
import Testing

@Suite("The right to poll, in every interleaving", .timeLimit(.minutes(1)))
struct PollTurnTests {
    @Test("a loan is used only under its own number, and not after it has been taken back")
    func numbers() throws {
        var turn = PollTurn()
        let first = try #require(Self.lend(&turn))
        #expect(Self.lend(&turn) == nil)
        #expect(Self.takeBack(&turn))
        #expect(!Self.beginPoll(&turn, first))
        let second = try #require(Self.lend(&turn))
        #expect(!Self.beginPoll(&turn, first))
        #expect(Self.beginPoll(&turn, second))
        #expect(!Self.beginPoll(&turn, second))
        #expect(!Self.takeBack(&turn))
        let third = try #require(Self.pass(&turn))
        #expect(!Self.beginPoll(&turn, second))
        #expect(Self.beginPoll(&turn, third))
        turn.giveBack()
        #expect(turn.holder == .thread)
        #expect(Self.takeBack(&turn))
    }

    // The macros' arguments cannot call mutating functions.
    private static func lend(_ turn: inout PollTurn) -> UInt32? { turn.lend() }
    private static func pass(_ turn: inout PollTurn) -> UInt32? { turn.pass() }
    private static func takeBack(_ turn: inout PollTurn) -> Bool { turn.takeBack() }
    private static func beginPoll(_ turn: inout PollTurn, _ loan: UInt32) -> Bool { turn.beginPoll(loan) }

    @Test("at most one party polls, and each event is delivered without a timeout")
    func everyInterleaving() {
        let states = PollModel.reachable
        #expect(states.count > 5_000)
        for state in states {
            #expect(state.pollers <= 1, "\(state)")
            guard state.isQuiescent else { continue }
            // No task waits for a stopped reactor.
            #expect(state.readyCount == 0 || state.isStopped, "an event is lost: \(state)")
        }
    }

    @Test("if the pool runs no task, the thread's timeout delivers every event, and the thread ends")
    func blockedPool() {
        for state in PollModel.reachable where !state.isPoolPolling {
            var state = state
            for _ in 0..<8 { state = state.afterThreadAlone() }
            #expect(state.readyCount == 0 || state.isStopped, "\(state)")
            #expect(state.thread == .ended || !state.isStopped, "\(state)")
        }
    }
}

/// The hand-over as ``ReactorLoop`` and ``LentPoll`` perform it, one atomic step at a time, compared with a model of
/// the kernel.
private struct PollModel: Hashable {
    enum Thread: Hashable {
        /// The thread has not decided where to wait.
        case deciding
        case waitingForDescriptors
        /// The thread has polled and resumed tasks.
        case resumed
        case waitingForReturn
        case ended
    }

    enum Server: Hashable {
        case queued(UInt32)
        case polling
        /// The poll has found ready descriptors.
        case found
        /// The task has returned the poll.
        case returned
    }

    var turn = PollTurn()
    var thread = Thread.deciding
    /// Whether the thread believes that its poll is lent.
    var isLent = false
    var servers: [Server] = []
    var isStopped = false

    // The kernel.
    var readyCount = 0
    var isArmed = false
    var hasRungDescriptors = false
    var hasRungGate = false

    // Events that are still to happen.
    var eventCount = 3
    var loanCount = 3
    var tickCount = 3

    var isPoolPolling: Bool { servers.contains { $0 == .polling || $0 == .found } }

    /// The number of parties that may handle the kernel's events.
    var pollers: Int {
        let isThreadPolling = thread == .waitingForDescriptors || thread == .resumed
        return servers.count { $0 == .polling || $0 == .found } + (isThreadPolling ? 1 : 0)
    }

    /// Whether only the network, the clock or the owner can cause further steps.
    var isQuiescent: Bool { threadSteps(isTicking: false).isEmpty && serverSteps.isEmpty }

    static let reachable: Set<PollModel> = {
        var known: Set<PollModel> = [PollModel()]
        var open = Array(known)
        while let state = open.popLast() {
            for next in state.steps where known.insert(next).inserted { open.append(next) }
        }
        return known
    }()

    private var steps: [PollModel] {
        environmentSteps + threadSteps(isTicking: tickCount > 0) + serverSteps
    }

    private func with(_ change: (inout PollModel) -> Void) -> PollModel {
        var next = self
        change(&next)
        return next
    }

    private var environmentSteps: [PollModel] {
        var steps: [PollModel] = []
        if eventCount > 0 {
            steps.append(
                with {
                    $0.eventCount -= 1
                    $0.readyCount += 1
                })
        }
        if !isStopped {
            steps.append(
                with {
                    $0.isStopped = true
                    $0.hasRungDescriptors = true
                    $0.hasRungGate = true
                })
        }
        return steps
    }

    // MARK: The thread

    private func threadSteps(isTicking: Bool) -> [PollModel] {
        switch thread {
        case .deciding: return [with { $0.decide() }]
        case .waitingForDescriptors:
            guard readyCount > 0 || hasRungDescriptors else { return [] }
            return [
                with {
                    $0.thread = $0.readyCount > 0 ? .resumed : .deciding
                    $0.readyCount = 0
                    $0.hasRungDescriptors = false
                }
            ]
        case .resumed:
            // The watch decides whether the thread lends the poll.
            return [with { $0.thread = .deciding }] + (loanCount > 0 ? [with { $0.lend() }] : [])
        case .waitingForReturn:
            var steps: [PollModel] = []
            if isArmed, readyCount > 0 {
                steps.append(
                    with {
                        $0.isArmed = false
                        $0.thread = .deciding
                    })
            }
            if hasRungGate {
                steps.append(
                    with {
                        $0.hasRungGate = false
                        $0.thread = .deciding
                    })
            }
            guard isTicking else { return steps }
            // The watch takes the poll back, or waits for another tick.
            return steps + [with { $0.tick(takesBack: true) }, with { $0.tick(takesBack: false) }]
        case .ended: return []
        }
    }

    private mutating func decide() {
        if turn.holder == .thread { isLent = false }
        if isLent, isStopped, turn.takeBack() { isLent = false }
        guard !isLent else { return thread = .waitingForReturn }
        thread = isStopped ? .ended : .waitingForDescriptors
    }

    private mutating func lend() {
        guard let loan = turn.lend() else { return }
        loanCount -= 1
        isLent = true
        servers.append(.queued(loan))
        thread = .deciding
    }

    private mutating func tick(takesBack: Bool) {
        tickCount -= 1
        thread = .deciding
        if takesBack, turn.takeBack() { isLent = false }
    }

    /// The thread's steps if the pool runs no task: each wait ends by its timeout at the latest.
    func afterThreadAlone() -> PollModel {
        if let next = threadSteps(isTicking: false).first { return next }
        return thread == .waitingForReturn ? with { $0.tick(takesBack: true) } : self
    }

    // MARK: The pool

    private var serverSteps: [PollModel] {
        servers.indices.flatMap { index in
            switch servers[index] {
            case .queued(let loan):
                return [
                    with {
                        if $0.turn.beginPoll(loan) {
                            $0.servers[index] = .polling
                        } else {
                            $0.servers.remove(at: index)
                        }
                    }
                ]
            case .polling:
                return [
                    with {
                        let isEmpty = $0.readyCount == 0
                        $0.readyCount = 0
                        $0.hasRungDescriptors = false
                        if isEmpty { $0.turn.giveBack() }
                        $0.servers[index] = isEmpty ? .returned : .found
                    }
                ]
            case .found:
                let stays = with {
                    let loan = $0.turn.loan
                    $0.turn.endPoll()
                    $0.servers[index] = .queued(loan)
                }
                let passes = with {
                    if let loan = $0.turn.pass() { $0.servers[index] = .queued(loan) }
                }
                return [stays, passes]
            case .returned:
                return [
                    with {
                        $0.isArmed = true
                        $0.servers.remove(at: index)
                    }
                ]
            }
        }
    }
}
