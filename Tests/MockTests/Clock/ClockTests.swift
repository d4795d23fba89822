import AirframeMock
import AirframeTestSupport
import AirframeTransport
import FoundationEssentials
import HTTPTypes
import Testing

// One at a time, because some of them measure real time and one keeps all processors busy.
@Suite("The virtual clock", .serialized, .timeLimit(.minutes(1)))
struct ClockTests {
    @Test("Sleeping takes the requested virtual time and no real time")
    func sleeps() async throws {
        try await takesNoTime {
            let clock = VirtualClock()
            try await clock.sleep(for: .seconds(600))
            #expect(clock.elapsed == .seconds(600))
            #expect(clock.date.timeIntervalSince(clock.startDate) == 600)
        }
    }

    @Test("Ten minutes of sleeps of a second take hardly any time")
    func manySleeps() async throws {
        try await takesNoTime {
            let clock = VirtualClock()
            for _ in 0..<600 { try await clock.sleep(for: .seconds(1)) }
            #expect(clock.elapsed == .seconds(600))
        }
    }

    @Test("Sleepers wake in the order of their deadlines, each at its own")
    func order() async throws {
        let clock = VirtualClock()
        let woken = Log<Int>()
        try await withThrowingTaskGroup { group in
            for seconds in [5, 1, 4, 2, 3] {
                group.addTask {
                    try await clock.sleep(for: .seconds(seconds))
                    woken.append(seconds)
                    #expect(clock.elapsed == .seconds(seconds))
                }
            }
            try await group.waitForAll()
        }
        #expect(woken.values == [1, 2, 3, 4, 5])
    }

    @Test("Sleepers with the same deadline wake one at a time, in the order in which they began to sleep")
    func sameInstant() async throws {
        let clock = VirtualClock(.manual)
        let woken = Log<Int>()
        let tasks = try await clock.hold {
            var tasks: [Task<Void, any Error>] = []
            for index in 0..<20 {
                tasks.append(
                    Task {
                        try await clock.sleep(for: .seconds(1))
                        woken.append(index)
                    }
                )
                try await eventually("the sleeper") { clock.sleeperCount > index }
            }
            return tasks
        }
        await clock.advance(by: .seconds(1))
        for task in tasks { try await task.value }
        #expect(woken.values == Array(0..<20))
    }

    @Test("A sleeper that sleeps again within an advance is woken again at the right instant")
    func advanceInSteps() async throws {
        let clock = VirtualClock(.manual)
        let instants = Log<Duration>()
        let task = Task {
            while true {
                try await clock.sleep(for: .seconds(3))
                instants.append(clock.elapsed)
            }
        }
        await clock.advance(by: .seconds(10))
        #expect(instants.values == [.seconds(3), .seconds(6), .seconds(9)])
        #expect(clock.elapsed == .seconds(10))
        #expect(clock.sleeperCount == 1)
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(clock.sleeperCount == 0)
    }

    @Test("A manual clock stands still until it is moved")
    func manual() async throws {
        let clock = VirtualClock(.manual)
        let task = Task { try await clock.sleep(for: .seconds(1)) }
        await clock.settle()
        #expect(clock.elapsed == .zero)
        #expect(clock.nextDeadline == MonotonicInstant(nanoseconds: 1_000_000_000))
        #expect(await clock.advanceToNextDeadline())
        try await task.value
        #expect(clock.elapsed == .seconds(1))
        #expect(await clock.advanceToNextDeadline() == false)
    }

    @Test("Time stands still while it is held, on an automatic clock too")
    func hold() async throws {
        let clock = VirtualClock()
        let task = await clock.hold {
            let task = Task { try await clock.sleep(for: .seconds(1)) }
            await clock.settle()
            #expect(clock.elapsed == .zero)
            return task
        }
        try await task.value
        #expect(clock.elapsed == .seconds(1))
    }

    @Test("A deadline that has passed returns immediately, and a cancelled task does not sleep")
    func edges() async throws {
        let clock = VirtualClock(.manual)
        await clock.advance(by: .seconds(5))
        try await clock.sleep(until: MonotonicInstant(nanoseconds: 0))
        try await clock.sleep(for: .zero)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await clock.sleep(for: .seconds(1))
        }
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(clock.elapsed == .seconds(5))
    }

    @Test("The clock waits for a task that computes between two requests, however little processor time it gets")
    func computesBetweenRequests() async throws {
        for _ in 0..<20 {
            let mock = MockTransport { Route(.get, "/").reply(.text("x")) }
            let clock = mock.virtualClock
            let sleeper = try await clock.hold {
                let sleeper = Task { try await clock.sleep(for: .seconds(30)) }
                try await eventually("the sleeper") { clock.sleeperCount > 0 }
                _ = try await mock.text("/")
                return sleeper
            }
            Processor.compute(for: .milliseconds(4))
            _ = try await mock.text("/")
            #expect(mock.requests.map(\.instant) == Array(repeating: MonotonicInstant(nanoseconds: 0), count: 2))
            try await sleeper.value
        }
    }

    @Test("The clock waits for a closure that works without sleeping")
    func waitsForWork() async throws {
        let mock = MockTransport {
            Route(.get, "/work") { _ in
                try await Task.sleep(for: .milliseconds(50))
                return .text("done")
            }
        }
        let sleeper = Task { try await mock.clock.sleep(for: .seconds(1)) }
        #expect(try await mock.text("/work") == "done")
        try await sleeper.value
        let request = try #require(mock.lastRequest)
        #expect(
            mock.virtualClock.elapsed <= .seconds(1) + MonotonicInstant(nanoseconds: 0).duration(to: request.instant))
    }

    @Test("A stream that a sleeping task feeds takes no real time")
    func fedStream() async throws {
        let mock = MockTransport()
        mock.on(.get, "/made") { [clock = mock.clock] _ in .stream { Self.ticks(on: clock) } }
        mock.on(.get, "/given") { [clock = mock.clock] _ in
            let ticks = Self.ticks(on: clock)
            return .stream { ticks }
        }
        try await takesNoTime {
            for path in ["/made", "/given"] {
                let start = mock.virtualClock.elapsed
                let text = try await mock.text(path)
                #expect(text == "tick tick tick ")
                #expect(mock.virtualClock.elapsed - start == .seconds(30))
            }
        }
    }

    private static func ticks(on clock: any TransportClock) -> AsyncStream<Data> {
        AsyncStream { continuation in
            Task {
                for _ in 0..<3 {
                    try await clock.sleep(for: .seconds(10))
                    continuation.yield(Data("tick ".utf8))
                }
                continuation.finish()
            }
        }
    }

    @Test("The clock moves on for a closure that waits for a sleeping task of the test")
    func gate() async throws {
        let (gate, opener) = AsyncStream<Void>.makeStream()
        let mock = MockTransport {
            Route(.get, "/gate") { _ in
                for await _ in gate { break }
                return .text("open")
            }
        }
        let task = Task { try await mock.text("/gate") }
        try await mock.clock.sleep(for: .seconds(10))
        opener.yield()
        #expect(try await task.value == "open")
        #expect(mock.virtualClock.elapsed == .seconds(10))
    }

    @Test("An upload that a task of the test feeds arrives")
    func fedUpload() async throws {
        let mock = MockTransport { Route(.post, "/") }
        let body = RequestBody.sequence(Self.ticks(on: mock.clock))
        #expect(try await mock.status(.post("/", body)) == 200)
        #expect(mock.lastRequest?.text == "tick tick tick ")
        #expect(mock.virtualClock.elapsed == .seconds(30))
    }

    @Test("The limit of a closure alone does not end it while it works")
    func workingClosureAndLimit() async throws {
        let mock = MockTransport {
            Route(.get, "/work") { _ in
                try await Task.sleep(for: .milliseconds(400))
                return .text("done")
            }
        }
        let request = TransportRequest.get("/work").with { $0.options.limits.firstByte = .seconds(1) }
        #expect(try await mock.fetch(request).head.status == .ok)
        #expect(mock.virtualClock.elapsed == .zero)
    }

    @Test("A thousand concurrent clocks are independent")
    func parallel() async throws {
        let start = ContinuousClock.now
        try await withThrowingTaskGroup { group in
            for index in 0..<1_000 {
                group.addTask {
                    let mock = MockTransport {
                        Route(.get, "/slow").reply(.text("\(index)").delayed(by: .seconds(index)))
                        Route(.get, "/trickle").reply(.text("0123456789").throttled(bytesPerSecond: 1, chunkSize: 1))
                    }
                    async let trickle = mock.text("/trickle")
                    async let slow = mock.text("/slow")
                    let texts = try await [slow, trickle]
                    #expect(texts == ["\(index)", "0123456789"])
                    #expect(mock.requests.count == 2)
                }
            }
            try await group.waitForAll()
        }
        #expect(start.duration(to: .now) < .seconds(20))
    }
}
