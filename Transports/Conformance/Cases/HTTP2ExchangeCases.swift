internal import AirframeTransport
internal import FoundationEssentials
internal import Glibc
internal import HTTPTypes

extension ConformanceCase {
    static let http2Exchanges: [ConformanceCase] =
        HTTP2Wire.allCases.flatMap { [many($0), together($0), closedWindow($0)] } + unprocessed + processed

    /// A peer that answers each request on its stream with an `ok`.
    private static let http2Answer: [PeerStep] = [
        .readHTTP2Request,
        .reply { request in
            let stream = request.http2Head?.stream ?? 1
            return [HTTP2Frame.ok(stream: stream), .data("ok", end: true, stream: stream)].bytes
        },
    ]

    private static func many(_ wire: HTTP2Wire) -> ConformanceCase {
        ConformanceCase(
            .http2, wire == .clear ? "many" : "many.tls", "requests that follow one another succeed",
            needs: wire.needs, limit: .seconds(15), peer: wire.peer(.forever(http2Answer))
        ) { trial in
            for number in 1...20 {
                let isUpload = number.isMultiple(of: 2)
                let body: RequestBody = isUpload ? .bytes(Data("hello".utf8)) : .none
                let request = try trial.http2Request(wire, isUpload ? .post : .get, body: body)
                trial.judge(await trial.exchange(request), .whole("ok"))
            }
        }
    }

    private static func together(_ wire: HTTP2Wire) -> ConformanceCase {
        ConformanceCase(
            .http2, wire == .clear ? "together" : "together.tls", "requests that are sent together succeed",
            needs: wire.needs, limit: .seconds(15), peer: wire.peer(.forever(http2Answer))
        ) { trial in
            for _ in 1...3 {
                let request = try trial.http2Request(wire)
                let tasks = (1...20).map { _ in trial.start(request) }
                for task in tasks { trial.judge(await task.value, .whole("ok")) }
            }
        }
    }

    // MARK: Windows

    private static func closedWindow(_ wire: HTTP2Wire) -> ConformanceCase {
        let content = Data(repeating: 7, count: 300_000)
        return ConformanceCase(
            .http2, wire == .clear ? "window.closed" : "window.closed.tls",
            "an upload waits for the server's window without using CPU time (RFC 9113 §5.2)",
            needs: wire.needs,
            peer: wire.peer(
                .readHTTP2Head, .await("open"),
                .frames([.windowUpdate(1 << 20), .windowUpdate(1 << 20, stream: 1)]),
                .readHTTP2Body, .frames([.ok(), .data("ok", end: true)])
            )
        ) { trial in
            let task = trial.start(try trial.http2Request(wire, .post, body: .bytes(content)))
            try await trial.reach("head")
            try await Task.sleep(for: .milliseconds(100))
            var least = Duration.seconds(1)
            for _ in 0..<8 where least > .milliseconds(20) {
                let start = processorTime
                try await Task.sleep(for: .milliseconds(200))
                least = min(least, processorTime - start)
            }
            trial.expect(least <= .milliseconds(20), "the process was busy for \(least) of 200 ms")
            trial.peer.signals.open("open")
            trial.judge(await task.value, .whole("ok"))
            trial.expect(trial.peer.requests.last?.body == Array(content), "the content did not arrive whole")
        }
    }

    /// The processor time that the process has used.
    private static var processorTime: Duration {
        var time = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    // MARK: What the server has processed

    /// The ways in which a server reports that it has not processed a request (RFC 9113 §8.7).
    private static let disclaimers: [(name: String, title: String, steps: [PeerStep])] = [
        ("refused", "REFUSED_STREAM", [.frames([.reset(7)]), .awaitClose]),
        ("refused.close", "REFUSED_STREAM and the end of the connection", [.frames([.reset(7)]), .close]),
        ("goaway", "GOAWAY with a lower stream", [.frames([.goAway(last: 0)]), .awaitClose]),
        (
            "goaway.close", "GOAWAY with a lower stream and the end of the connection",
            [.frames([.goAway(last: 0)]), .close]
        ),
        ("goaway.error", "GOAWAY with a lower stream and an error", [.frames([.goAway(last: 0, 2)]), .close]),
    ]

    private static let unprocessed: [ConformanceCase] = disclaimers.flatMap { name, title, steps in
        HTTP2Wire.allCases.flatMap { wire in
            let suffix = wire == .tls ? ".tls" : ""
            let always = ConformanceCase(
                .http2, "unprocessed.\(name)\(suffix)",
                "after \(title) the request counts as not processed (RFC 9113 §8.7)",
                needs: wire.needs, limit: .seconds(15), peer: wire.peer(connections: [[.readHTTP2Request] + steps])
            ) { trial in
                let request = try trial.http2Request(wire, .post, body: .oneShot(CountingSource(["hello"])))
                let outcome = await trial.exchange(request)
                trial.judge(outcome, .broken([.connectionLost], in: [.responseHead]))
                trial.expect(outcome.error?.processing == .notProcessed, "got \(outcome.summary)")
            }
            let once = ConformanceCase(
                .http2, "unprocessed.\(name).repeated\(suffix)", "after \(title) the engine sends the request again",
                needs: wire.needs, limit: .seconds(15),
                peer: wire.peer(connections: [[.readHTTP2Request] + steps, [.forever(http2Answer)]])
            ) { trial in
                let request = try trial.http2Request(wire, .post, body: .bytes(Data("hello".utf8)))
                trial.judge(await trial.exchange(request), .whole("ok"))
            }
            return wire == .clear || name == "goaway" || name == "refused" ? [always, once] : []
        }
    }

    private static let processed: [ConformanceCase] = [
        ("reset.cancel", "RST_STREAM with another code", [PeerStep.frames([.reset(8)]), .awaitClose]),
        ("reset.no-error", "RST_STREAM with NO_ERROR", [.frames([.reset(0)]), .awaitClose]),
        ("goaway", "GOAWAY that counts the stream", [.frames([.goAway(last: 1)]), .close]),
        ("close", "the end of the connection", [.close]),
        ("ping", "a malformed PING", [.frames([HTTP2Frame(type: 6, payload: [1])]), .awaitClose]),
    ].map { name, title, steps in
        ConformanceCase(
            .http2, "processed.\(name)", "\(title) before a response leaves open whether the request was processed",
            needs: HTTP2Wire.clear.needs, limit: .seconds(15),
            peer: HTTP2Wire.clear.peer(connections: [[.readHTTP2Request] + steps])
        ) { trial in
            let request = try trial.http2Request(.clear, .post, body: .bytes(Data("hello".utf8)))
            let outcome = await trial.exchange(request)
            trial.judge(outcome, .broken([.connectionLost, .malformedResponse], in: [.responseHead]))
            trial.expect(outcome.error?.processing == .unknown, "got \(outcome.summary)")
            trial.expect(trial.peer.connections.count == 1, "the request was sent again")
        }
    }
}
