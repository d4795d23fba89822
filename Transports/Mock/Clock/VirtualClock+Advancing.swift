public import AirframeTransport
internal import Synchronization

extension VirtualClock {
    /// Lets `duration` pass. Sleepers are woken at their instants, one after the other, and the consequences of each
    /// happen before time moves on.
    ///
    /// Returns when no work is left at the new time. It waits about 250 ms of real time for a closure that runs without
    /// sleeping.
    public func advance(by duration: Duration) async {
        await advance(to: now.advanced(by: duration))
    }

    /// Lets time pass until `instant`. See ``advance(by:)``.
    public func advance(to instant: MonotonicInstant) async {
        await hold {
            while true {
                await settle()
                guard let sleeper = state.withLock({ $0.wakeFirst(until: instant) }) else { break }
                sleeper.resume(returning: .deadline)
            }
            state.withLock { $0.move(to: instant) }
        }
    }

    /// Lets time pass until the earliest instant that a task sleeps for, and wakes all sleepers of that instant.
    ///
    /// - Returns: Whether there was a sleeper.
    @discardableResult
    public func advanceToNextDeadline() async -> Bool {
        await hold {
            await settle()
            guard let next = nextDeadline else { return false }
            await advance(to: next)
            return true
        }
    }

    /// Waits until nothing is at work and the clock is quiet. Time does not advance.
    ///
    /// A test on a manual clock calls it before it checks the progress of its requests.
    public func settle() async {
        var watch = QuietWatch()
        while true {
            switch state.withLock({ watch.look(at: &$0) }) {
            case .quiet: return
            case .pause(let pause): await Self.letOthersRun(thenPausing: pause)
            case .awaitRest(let budget): await ProcessQuiet.shared.wait(budget: budget)
            }
        }
    }

    /// Runs `body` while time stands still, even on an automatic clock. Everything that `body` starts begins at the
    /// same instant.
    ///
    /// ```swift
    /// await mock.virtualClock.hold {
    ///     first = session.request("http://api.test/a").serializingString()
    ///     second = session.request("http://api.test/b").serializingString()
    ///     await mock.virtualClock.settle()
    /// }
    /// ```
    ///
    /// `body` must not wait for anything that needs time to pass, because that would never happen.
    ///
    /// - Parameters:
    ///   - isolation: The actor on which `body` runs; the caller's by default.
    ///   - body: The code to run.
    /// - Returns: The result of `body`.
    /// - Throws: The error of `body`.
    public func hold<Result: Sendable>(
        isolation: isolated (any Actor)? = #isolation,
        _ body: () async throws -> Result
    ) async rethrows -> Result {
        state.withLock { $0.holdCount += 1 }
        defer { change { $0.holdCount -= 1 } }
        return try await body()
    }

    /// Waits for quiet and wakes the first sleeper, until something is at work again or there is no sleeper.
    func jumpWhenQuiet() async {
        enum Step {
            case stop
            case look(QuietWatch.Look)
            case wake(ClockState.Continuation)
        }
        var watch = QuietWatch()
        while true {
            let step = state.withLock { state -> Step in
                guard state.mayJump else {
                    state.stopSettling()
                    return .stop
                }
                let look = watch.look(at: &state)
                guard case .quiet = look else { return .look(look) }
                return state.wakeFirst(until: .distantFuture).map(Step.wake) ?? .look(.pause(.zero))
            }
            switch step {
            case .stop: return
            case .look(.pause(let pause)): await Self.letOthersRun(thenPausing: pause)
            case .look(.awaitRest(let budget)): await ProcessQuiet.shared.wait(budget: budget)
            case .look(.quiet): break
            case .wake(let sleeper): sleeper.resume(returning: .deadline)
            }
        }
    }

    /// Yields several times, so that ready tasks, and the tasks that they make ready, run first.
    private static func letOthersRun(thenPausing pause: Duration) async {
        for _ in 0..<4 { await Task.yield() }
        if pause > .zero { try? await Task.sleep(for: pause, tolerance: .zero, clock: .continuous) }
    }
}

extension MonotonicInstant {
    /// The last representable instant.
    static let distantFuture = MonotonicInstant(nanoseconds: .max)
}
