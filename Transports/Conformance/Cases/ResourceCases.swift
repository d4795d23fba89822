internal import AirframeTransport
internal import FoundationEssentials
internal import HTTPTypes

extension ConformanceCase {
    static let resources: [ConformanceCase] = leaks + shuttingDown

    private static let leaks: [ConformanceCase] = [
        ConformanceCase(
            .resources, "sockets", "a released transport leaves no socket open, however its exchanges ended",
            peer: PeerScenario(
                connections: Array(
                    repeating: [
                        [.readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"), .awaitClose],
                        [.readRequest, .reset], [.readRequest, .send("garbage\r\n\r\n"), .awaitClose],
                        [.readRequest, .awaitClose], [.forever([.readRequest, .send(Answer.ok())])],
                    ],
                    count: 5
                ).flatMap(\.self)
            )
        ) { trial in
            let port = Int(trial.peer.authority.split(separator: ":").last ?? "") ?? 0
            for round in 0..<5 {
                let transport = try trial.makeTransport()
                let response = try await transport.send(trial.request())
                _ = try await response.body.next()
                for _ in 0..<2 {
                    let outcome = await trial.exchange(trial.request(.post), on: transport)
                    trial.expect(outcome.error != nil, "expected an error, got \(outcome.summary)")
                }
                let task = Task { await trial.exchange(trial.request(.post), on: transport) }
                try await trial.reach("request", count: round * 5 + 4)
                task.cancel()
                trial.judgeCancelled(await task.value, in: .responseHead, .unknown)
                trial.judge(await trial.exchange(trial.request(.post), on: transport), .whole("ok"))
                response.body.cancel()
            }
            let areClosed = await Waiting.until(within: .seconds(20)) { ProcessCensus.socketCount(to: port) == 0 }
            trial.expect(areClosed, "\(ProcessCensus.socketCount(to: port)) sockets are left")
        },
        ConformanceCase(
            .resources, "descriptors-and-threads",
            "released transports leave no descriptors and no threads",
            peer: .keeping()
        ) { trial in
            let count = 40
            let descriptors = ProcessCensus.descriptorCount
            let threads = ProcessCensus.threadCount
            for _ in 0..<count {
                let transport = try trial.makeTransport()
                trial.judge(await trial.exchange(trial.request(), on: transport), .whole("ok"))
            }
            // Other tests may run in this process, so the limit is half of what a leak would leave.
            let areFreed = await Waiting.until(within: .seconds(30)) {
                ProcessCensus.descriptorCount < descriptors + count / 2
                    && ProcessCensus.threadCount < threads + count / 2
            }
            trial.expect(
                areFreed,
                "\(ProcessCensus.descriptorCount - descriptors) descriptors and "
                    + "\(ProcessCensus.threadCount - threads) threads are left of \(count) transports"
            )
        },
        ConformanceCase(
            .resources, "sink", "an event sink is released when its exchange ends",
            peer: .keeping()
        ) { trial in
            for scenario in ["/whole", "/dropped", "/cancelled"] {
                weak var sink: EventLog?
                do {
                    let log = EventLog()
                    sink = log
                    let request = trial.request(.get, scenario).reporting(to: log)
                    switch scenario {
                    case "/whole": _ = await trial.exchange(request)
                    case "/dropped": _ = try await trial.transport.send(request)
                    default:
                        let task = trial.start(request)
                        task.cancel()
                        _ = await task.value
                    }
                }
                let holder = WeakHolder(sink)
                let isFree = await Waiting.until(within: .seconds(10)) { holder.isFree }
                trial.expect(isFree, "the sink of \(scenario) is still held")
            }
        },
        ConformanceCase(
            .resources, "source", "the source of a body is released when its exchange ends",
            peer: .keeping()
        ) { trial in
            weak var source: CountingSource?
            do {
                let body = CountingSource(["one", "two"])
                source = body
                trial.judge(await trial.exchange(trial.request(.post, body: .oneShot(body))), .whole("ok"))
            }
            let holder = WeakHolder(source)
            let isFree = await Waiting.until(within: .seconds(10)) { holder.isFree }
            trial.expect(isFree, "the source is still held")
        },
        ConformanceCase(
            .resources, "transport", "a transport is released with its last user, and closes idle connections",
            peer: .keeping()
        ) { trial in
            let holder: WeakHolder
            do {
                let transport = try trial.makeTransport()
                trial.judge(await trial.exchange(trial.request(), on: transport), .whole("ok"))
                holder = WeakHolder(type(of: transport) is AnyClass ? transport as AnyObject : nil)
            }
            let isFree = await Waiting.until(within: .seconds(10)) { holder.isFree }
            trial.expect(isFree, "the transport is still held")
            try await trial.reach("closed")
        },
        ConformanceCase(
            .resources, "body-outlives-transport", "a body that is being read outlives its transport",
            peer: PeerScenario(
                .readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nabc"), .await("rest"), .send("def"),
                .awaitClose
            )
        ) { trial in
            let body = try await trial.makeTransport().send(trial.request()).body
            trial.peer.signals.open("rest")
            let data = try await body.collect(upTo: 100)
            trial.expect(data == Data("abcdef".utf8), "the body is \(String(decoding: data, as: UTF8.self))")
        },
    ]

    private static let shuttingDown: [ConformanceCase] = [
        ConformanceCase(
            .resources, "shutdown.in-flight", "shutdown waits for exchanges in flight and rejects later requests",
            peer: PeerScenario(.forever([.readRequest, .await("answer"), .send(Answer.ok())]))
        ) { trial in
            let task = trial.start(trial.request())
            try await trial.reach("request")
            let transport = trial.transport
            let shutdown = Task { await transport.shutdown() }
            trial.peer.signals.open("answer")
            trial.judge(await task.value, .whole("ok"))
            try await Waiting.bounded(by: .seconds(10)) { await shutdown.value }
            let late = await trial.get()
            trial.judge(late, .broken([.transportShutDown], in: [.options, .pool]))
            trial.expect(late.error?.processing == .notSent, "not reported as not sent: \(late.summary)")
            try await trial.reach("closed")
        },
        ConformanceCase(
            .resources, "shutdown.again", "shutting down twice, or before the first request, is harmless",
            peer: .keeping()
        ) { trial in
            let transport = try trial.makeTransport()
            try await Waiting.bounded(by: .seconds(10)) {
                await transport.shutdown()
                await transport.shutdown()
            }
            let outcome = await trial.exchange(trial.request(), on: transport)
            trial.judge(outcome, .broken([.transportShutDown], in: [.options, .pool]))
        },
        ConformanceCase(
            .resources, "shutdown.idle", "shutting down closes idle connections",
            peer: .keeping()
        ) { trial in
            trial.judge(await trial.get(), .whole("ok"))
            let transport = trial.transport
            try await Waiting.bounded(by: .seconds(10)) { await transport.shutdown() }
            try await trial.reach("closed")
        },
    ]
}

/// Returns whether an object has been deallocated. `nil` counts as deallocated.
///
/// `@unchecked Sendable`: the reference is immutable, and the object is not used but compared with `nil`.
final class WeakHolder: @unchecked Sendable {
    private weak let object: AnyObject?

    init(_ object: AnyObject?) { self.object = object }

    var isFree: Bool { object == nil }
}
