import Testing

@testable import AirframeCore

@Suite("RequestLifecycle: every transition from every state", .timeLimit(.minutes(1)))
struct RequestLifecycleTests {
    /// A state of the lifecycle by name.
    enum Place: String, CaseIterable, CustomTestStringConvertible {
        case initialized, prepared, running, suspendedBeforeStart, suspended, pausing, cancelled, cancelledAndOver
        case interrupted, interruptedAndSuspended
        case abandoned, delivering, deliveringAndMore, deliveringCancelled, finished

        var testDescription: String { rawValue }

        var lifecycle: RequestLifecycle {
            switch self {
            case .initialized: .initialized(.idle)
            case .prepared: .initialized(.running(nil))
            case .running: .resumed(.running(nil))
            case .suspendedBeforeStart: .suspended(.idle)
            case .suspended: .suspended(.running(nil))
            case .pausing: .resumed(.pausing(nil))
            case .interrupted: .resumed(.interrupted(nil))
            case .interruptedAndSuspended: .suspended(.interrupted(nil))
            case .cancelled: .cancelled(.running(nil))
            case .cancelledAndOver: .cancelled(.over)
            case .abandoned: .abandoned(.running(nil))
            case .delivering: .finished(.delivering(nil))
            case .deliveringAndMore: .resumed(.delivering(nil))
            case .deliveringCancelled: .cancelled(.delivering(nil))
            case .finished: .finished(.over)
            }
        }

        init?(_ lifecycle: RequestLifecycle) {
            switch lifecycle {
            case .initialized(.idle): self = .initialized
            case .initialized(.running): self = .prepared
            case .resumed(.running): self = .running
            case .suspended(.idle): self = .suspendedBeforeStart
            case .suspended(.running): self = .suspended
            case .resumed(.pausing): self = .pausing
            case .resumed(.interrupted): self = .interrupted
            case .suspended(.interrupted): self = .interruptedAndSuspended
            case .cancelled(.over): self = .cancelledAndOver
            case .cancelled(.running), .cancelled(.pausing), .cancelled(.interrupted): self = .cancelled
            case .abandoned: self = .abandoned
            case .finished(.delivering): self = .delivering
            case .resumed(.delivering): self = .deliveringAndMore
            case .cancelled(.delivering): self = .deliveringCancelled
            case .finished(.over): self = .finished
            default: return nil
            }
        }
    }

    /// A row: the state after a transition, whether monitors are notified, and the stage that begins.
    struct Row: CustomTestStringConvertible {
        let from: Place
        let to: Place
        let happens: Bool
        let begins: Request.Entry?

        init(_ from: Place, _ to: Place, happens: Bool = false, begins: Request.Entry? = nil) {
            self.from = from
            self.to = to
            self.happens = happens
            self.begins = begins
        }

        var testDescription: String { "\(from) to \(to)" }
    }

    @Test(
        "resume() starts a new request and resumes a suspended one, and has no other effect",
        arguments: [
            Row(.initialized, .running, happens: true, begins: .attempt),
            Row(.prepared, .running, happens: true),
            Row(.running, .running),
            Row(.suspendedBeforeStart, .running, happens: true, begins: .attempt),
            Row(.suspended, .running, happens: true),
            Row(.pausing, .pausing),
            Row(.interrupted, .interrupted), Row(.interruptedAndSuspended, .interrupted, happens: true),
            Row(.cancelled, .cancelled), Row(.cancelledAndOver, .cancelledAndOver),
            Row(.abandoned, .abandoned), Row(.delivering, .delivering), Row(.finished, .finished),
        ])
    func resume(row: Row) { expect(row) { $0.resume() } }

    @Test(
        "start() starts a new request, and leaves one alone that was resumed, suspended or cancelled",
        arguments: [
            Row(.initialized, .running, happens: true, begins: .attempt),
            Row(.prepared, .running, happens: true),
            Row(.running, .running),
            Row(.suspendedBeforeStart, .suspendedBeforeStart), Row(.suspended, .suspended),
            Row(.cancelled, .cancelled), Row(.cancelledAndOver, .cancelledAndOver),
            Row(.abandoned, .abandoned), Row(.delivering, .delivering), Row(.finished, .finished),
        ])
    func start(row: Row) { expect(row) { $0.start() } }

    @Test(
        "suspend() suspends a request that is not suspended and has not ended",
        arguments: [
            Row(.initialized, .suspendedBeforeStart, happens: true),
            Row(.prepared, .suspended, happens: true),
            Row(.running, .suspended, happens: true),
            Row(.suspendedBeforeStart, .suspendedBeforeStart), Row(.suspended, .suspended),
            Row(.interrupted, .interruptedAndSuspended, happens: true),
            Row(.cancelled, .cancelled), Row(.cancelledAndOver, .cancelledAndOver),
            Row(.abandoned, .abandoned), Row(.delivering, .delivering), Row(.finished, .finished),
        ])
    func suspend(row: Row) { expect(row) { $0.suspend() } }

    @Test(
        "cancel() ends a request that has not ended; one that has not begun runs, to call its handlers",
        arguments: [
            Row(.initialized, .cancelled, happens: true, begins: .attempt),
            Row(.prepared, .cancelled, happens: true),
            Row(.running, .cancelled, happens: true),
            Row(.suspendedBeforeStart, .cancelled, happens: true, begins: .attempt),
            Row(.suspended, .cancelled, happens: true),
            Row(.pausing, .cancelled, happens: true),
            Row(.interrupted, .cancelled, happens: true), Row(.interruptedAndSuspended, .cancelled, happens: true),
            Row(.cancelled, .cancelled), Row(.cancelledAndOver, .cancelledAndOver),
            Row(.abandoned, .abandoned), Row(.delivering, .delivering), Row(.finished, .finished),
        ])
    func cancel(row: Row) { expect(row) { $0.cancel() } }

    @Test(
        "cancelling the task of an attempt ends a run that is under way, and not the request",
        arguments: [
            Row(.initialized, .initialized), Row(.suspendedBeforeStart, .suspendedBeforeStart),
            Row(.running, .interrupted), Row(.suspended, .interruptedAndSuspended),
            Row(.interrupted, .interrupted), Row(.pausing, .pausing),
            Row(.cancelled, .cancelled), Row(.cancelledAndOver, .cancelledAndOver),
            Row(.abandoned, .abandoned), Row(.delivering, .delivering), Row(.finished, .finished),
        ])
    func interrupt(row: Row) { expect(row) { $0.interrupt() } }

    @Test("an interrupted run continues after its attempt, in another task if its own was cancelled")
    func endOfInterruption() {
        var lifecycle = RequestLifecycle.resumed(.running(nil))
        _ = lifecycle.interrupt()
        #expect(!lifecycle.mayProceed && lifecycle.endsAttempt && !lifecycle.isEnded)
        let continuesWithoutTask = lifecycle.endInterruption()
        #expect(!continuesWithoutTask)
        #expect(lifecycle.mayProceed && !lifecycle.endsAttempt)
        _ = lifecycle.attach(Task {})
        let pipeline = lifecycle.interrupt().pipeline
        #expect(pipeline != nil)
        let continues = lifecycle.endInterruption()
        #expect(continues)
        #expect(Place(lifecycle) == .running)
        _ = lifecycle.interrupt()
        _ = lifecycle.cancel()
        let continuesCancelled = lifecycle.endInterruption()
        #expect(!continuesCancelled)
        #expect(Place(lifecycle) == .cancelled)
    }

    @Test("a run that waits for the request to be resumed is interrupted immediately")
    func interruptionOfWait() async {
        var lifecycle = RequestLifecycle.suspended(.running(nil))
        await withCheckedContinuation { continuation in
            let mustWait = lifecycle.hold(Waiter(continuation))
            #expect(mustWait)
            let waiter = lifecycle.interrupt().waiter
            #expect(waiter != nil)
            if let waiter { waiter.resume() } else { continuation.resume() }
        }
        #expect(Place(lifecycle) == .interruptedAndSuspended)
    }

    @Test(
        "releasing the session ends requests that have not ended",
        arguments: [
            Row(.initialized, .abandoned, happens: true, begins: .attempt),
            Row(.prepared, .abandoned, happens: true),
            Row(.running, .abandoned, happens: true),
            Row(.suspendedBeforeStart, .abandoned, happens: true, begins: .attempt),
            Row(.suspended, .abandoned, happens: true),
            Row(.pausing, .abandoned, happens: true),
            Row(.interrupted, .abandoned, happens: true),
            Row(.cancelled, .cancelled), Row(.cancelledAndOver, .cancelledAndOver),
            Row(.abandoned, .abandoned), Row(.delivering, .delivering), Row(.finished, .finished),
        ])
    func abandon(row: Row) { expect(row) { $0.abandon() } }

    @Test(
        "a handler that is added after the end starts another run",
        arguments: [
            Row(.initialized, .initialized), Row(.prepared, .prepared), Row(.running, .running),
            Row(.suspendedBeforeStart, .suspendedBeforeStart), Row(.suspended, .suspended), Row(.pausing, .pausing),
            Row(.cancelled, .cancelled),
            Row(.cancelledAndOver, .cancelled, begins: .lateHandlers),
            Row(.abandoned, .abandoned),
            Row(.delivering, .deliveringAndMore),
            Row(.deliveringAndMore, .deliveringAndMore),
            Row(.deliveringCancelled, .deliveringCancelled),
            Row(.finished, .running, begins: .lateHandlers),
        ])
    func addHandler(row: Row) { expect(row) { $0.addHandler() } }

    @Test(
        "the end of a run finishes a request, unless it was cancelled",
        arguments: [
            Row(.prepared, .delivering), Row(.running, .delivering), Row(.suspended, .delivering),
            Row(.cancelled, .deliveringCancelled), Row(.abandoned, .delivering),
        ])
    func finish(row: Row) {
        expect(row) {
            $0.finish()
            return RequestLifecycle.Effects()
        }
    }

    @Test(
        "a run ends after its delivery, or continues with the handlers that were added meanwhile",
        arguments: [
            (Row(.delivering, .finished), false), (Row(.deliveringAndMore, .running), true),
            (Row(.deliveringCancelled, .cancelledAndOver), false), (Row(.deliveringCancelled, .cancelled), true),
        ])
    func endDelivery(row: Row, hasMore: Bool) {
        expect(row) {
            $0.endDelivery(hasMore: hasMore)
            return RequestLifecycle.Effects()
        }
    }

    @Test("a run begins once", arguments: Place.allCases)
    func begin(place: Place) {
        var lifecycle = place.lifecycle
        let (first, second) = (lifecycle.begin(), lifecycle.begin())
        #expect(first == [.initialized, .suspendedBeforeStart].contains(place))
        #expect(!second)
    }

    @Test("only cancelling during the delay of a retry discards the failure")
    func dismissal() {
        for place in Place.allCases {
            var lifecycle = place.lifecycle
            let effects = lifecycle.cancel()
            #expect(effects.dismissesFailure == (place == .pausing), "\(place)")
        }
    }

    @Test("a retry continues after its delay, unless the request was ended meanwhile")
    func pause() {
        var lifecycle = RequestLifecycle.resumed(.running(nil))
        lifecycle.beginPause()
        #expect(Place(lifecycle) == .pausing)
        let continues = lifecycle.endPause()
        #expect(continues)
        #expect(Place(lifecycle) == .running)
        lifecycle.beginPause()
        _ = lifecycle.cancel()
        let continuesCancelled = lifecycle.endPause()
        #expect(!continuesCancelled)
        #expect(Place(lifecycle) == .cancelled)
    }

    @Test("a retry that a handler requests which was added during the delivery pauses the run, too")
    func pauseDuringDelivery() {
        var lifecycle = RequestLifecycle.finished(.delivering(nil))
        _ = lifecycle.addHandler()
        lifecycle.beginPause()
        #expect(Place(lifecycle) == .pausing)
        let continues = lifecycle.endPause()
        #expect(continues)
        // A run that is suspended while it is in another state waits in a loop.
        #expect(Place(lifecycle) == .running)
    }

    @Test("a run waits only if the request is not resumed")
    func holding() async {
        for place in Place.allCases {
            var lifecycle = place.lifecycle
            await withCheckedContinuation { continuation in
                let mustWait = lifecycle.hold(Waiter(continuation))
                #expect(mustWait == [.prepared, .suspended].contains(place), "\(place)")
                let waiter = lifecycle.resume().waiter
                #expect((waiter != nil) == mustWait, "\(place)")
                if let waiter { waiter.resume() } else { continuation.resume() }
            }
        }
    }

    @Test("a task that is attached after the request or its attempt has ended is cancelled", arguments: Place.allCases)
    func attaching(place: Place) {
        var lifecycle = place.lifecycle
        let isEnded = [.cancelled, .cancelledAndOver, .abandoned, .deliveringCancelled].contains(place)
        let isInterrupted = [.interrupted, .interruptedAndSuspended].contains(place)
        let mustCancel = lifecycle.attach(Task {})
        #expect(mustCancel == (isEnded || isInterrupted))
        // The next transition that ends the request returns the task.
        let pipeline = lifecycle.cancel().pipeline
        let canBeCancelled: [Place] = [
            .prepared, .running, .suspended, .pausing, .interrupted, .interruptedAndSuspended, .deliveringAndMore,
        ]
        #expect((pipeline != nil) == canBeCancelled.contains(place))
    }

    @Test("the allowed transitions are Alamofire's")
    func stateTransitions() {
        let all: [Request.State] = [.initialized, .resumed, .suspended, .cancelled, .finished]
        let allowed: [Request.State: Set<Request.State>] = [
            .initialized: Set(all),
            .resumed: [.suspended, .cancelled, .finished],
            .suspended: [.resumed, .cancelled, .finished],
            .cancelled: [], .finished: [],
        ]
        for from in all {
            for to in all { #expect(from.canTransitionTo(to) == allowed[from]?.contains(to), "\(from) to \(to)") }
        }
    }

    private func expect(_ row: Row, _ call: (inout RequestLifecycle) -> RequestLifecycle.Effects) {
        var lifecycle = row.from.lifecycle
        let effects = call(&lifecycle)
        #expect(Place(lifecycle) == row.to)
        #expect(effects.happened == row.happens)
        #expect(String(describing: effects.begins) == String(describing: row.begins))
    }
}
