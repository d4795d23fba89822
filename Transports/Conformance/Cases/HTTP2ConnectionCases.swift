internal import AirframeTransport
internal import HTTPTypes

extension ConformanceCase {
    /// The duties of a client on an HTTP/2 connection: acknowledgements, limits on streams, windows.
    static let http2Connections: [ConformanceCase] = [
        acknowledgement(
            "settings", "SETTINGS is acknowledged (RFC 9113 §6.5.3)", of: .settings([(3, 100)]), type: 4),
        acknowledgement("ping", "PING is answered (RFC 9113 §6.7)", of: .ping, type: 6),
        streamLimit, loweredStreamLimit, sleepingReader, ignoredWindow, closedStream, gracefulGoAway,
    ]

    private static func acknowledgement(
        _ name: String,
        _ title: String,
        of frame: HTTP2Frame,
        type: UInt8
    ) -> ConformanceCase {
        ConformanceCase(
            .http2, "acknowledged.\(name)", title, needs: HTTP2Wire.clear.needs, limit: .seconds(15),
            // The first acknowledgement of SETTINGS is for the server's preface.
            peer: HTTP2Wire.clear.peer(
                .readHTTP2Request, .frames([frame]), .readHTTP2Frame(type: type, flags: 1),
                .frames([frame]), .readHTTP2Frame(type: type, flags: 1), .mark("acknowledged"),
                .frames([.ok(), .data("ok", end: true)]), .awaitClose
            )
        ) { trial in
            trial.judge(await trial.exchange(try trial.http2Request(.clear)), .whole("ok"))
            try await trial.reach("acknowledged")
        }
    }

    // MARK: Limits on streams

    /// Answers one request after the other. Sets a mark if a request arrives while another one is open.
    private static func oneByOne(_ mark: String) -> PeerStep {
        .forever([
            .readHTTP2Request, .watchForHTTP2Head(.milliseconds(100), mark: mark),
            .reply { request in
                let stream = request.http2Head?.stream ?? 1
                return [HTTP2Frame.ok(stream: stream), .data("ok", end: true, stream: stream)].bytes
            },
        ])
    }

    private static let streamLimit = ConformanceCase(
        .http2, "streams.limit", "no more streams are open than the server allows (RFC 9113 §5.1.2)",
        needs: HTTP2Wire.clear.needs, limit: .seconds(20),
        peer: HTTP2Wire.clear.peer(settings: [(3, 1)], connections: [[oneByOne("excess")], [oneByOne("further")]])
    ) { trial in
        let request = try trial.http2Request(.clear)
        // On a new connection requests may be sent before the limit is known (RFC 9113 §3.4). On the first one it is,
        // once a response has arrived.
        trial.judge(await trial.exchange(request), .whole("ok"))
        let tasks = (1...6).map { _ in trial.start(request) }
        for task in tasks { trial.judge(await task.value, .whole("ok")) }
        trial.expect(trial.peer.signals.count(of: "excess") == 0, "a request was sent although one stream was open")
    }

    private static let loweredStreamLimit = ConformanceCase(
        .http2, "streams.limit.lowered", "a limit on streams that the server lowers to 0 stops new requests",
        needs: HTTP2Wire.clear.needs, limit: .seconds(20),
        peer: HTTP2Wire.clear.peer(connections: [
            [
                .readHTTP2Request, .frames([.settings([(3, 0)]), .ok(), .data("first", end: true)]),
                .watchForHTTP2Head(.milliseconds(300), mark: "excess"), .awaitClose,
            ],
            [oneByOne("further")],
        ])
    ) { trial in
        var request = try trial.http2Request(.clear)
        trial.judge(await trial.exchange(request), .whole("first"))
        // An engine may open another connection, or wait for the limit to be raised.
        request.options.deadline = .seconds(2)
        trial.judge(await trial.exchange(request), .anything)
        trial.expect(trial.peer.signals.count(of: "excess") == 0, "a request was sent although the limit was 0")
    }

    // MARK: Windows

    private static let sleepingReader = ConformanceCase(
        .http2, "window.sleeping-reader", "a reader that sleeps does not delay other streams of its connection",
        needs: HTTP2Wire.clear.needs, limit: .seconds(15),
        peer: HTTP2Wire.clear.peer(
            .readHTTP2Request,
            .frames([.ok()] + (0..<3).map { _ in .data([UInt8](repeating: 1, count: 16_384)) }),
            .forever([
                .readHTTP2Request,
                .reply { request in
                    let stream = request.http2Head?.stream ?? 3
                    return [HTTP2Frame.ok(stream: stream), .data("ok", end: true, stream: stream)].bytes
                },
                .frames([.data("end", end: true)]), .awaitClose,
            ])
        )
    ) { trial in
        let sleeping = try await trial.transport.send(try trial.http2Request(.clear))
        trial.judge(await trial.exchange(try trial.http2Request(.clear)), .whole("ok"))
        let content = try await sleeping.body.collect(upTo: 1 << 20)
        trial.expect(content.count == 3 * 16_384 + 3, "the sleeping reader got \(content.count) bytes")
        trial.expectOneConnection()
    }

    private static let ignoredWindow = ConformanceCase(
        .http2, "window.ignored", "a server that ignores the windows cannot exhaust the memory (RFC 9113 §5.2)",
        needs: HTTP2Wire.clear.needs, limit: .seconds(20),
        peer: HTTP2Wire.clear.peer(
            .readHTTP2Request, .frames([.ok()]),
            .flood(HTTP2Frame.data([UInt8](repeating: 1, count: 16_384)).bytes, total: 256 << 20)
        )
    ) { trial in
        let response = try await trial.transport.send(try trial.http2Request(.clear))
        let isTaken = await trial.peer.signals.reach("flooded", within: .seconds(3))
        trial.expect(!isTaken, "256 MiB were received that no task had read")
        response.body.cancel()
    }

    // MARK: Ends

    private static let closedStream = ConformanceCase(
        .http2, "stream.closed", "frames on a stream that has ended do not change its response (RFC 9113 §5.1)",
        needs: HTTP2Wire.clear.needs, limit: .seconds(15),
        peer: HTTP2Wire.clear.peer(
            .readHTTP2Request,
            .frames([.ok(), .data("ok", end: true), .data("more"), .headers([("x-late", "a")], end: true)]),
            oneByOne("further")
        )
    ) { trial in
        for _ in 1...2 { trial.judge(await trial.exchange(try trial.http2Request(.clear)), .whole("ok")) }
    }

    private static let gracefulGoAway = ConformanceCase(
        .http2, "goaway.graceful", "after GOAWAY the open stream ends, and the next request uses a new connection",
        needs: HTTP2Wire.clear.needs, limit: .seconds(15),
        peer: HTTP2Wire.clear.peer(
            .readHTTP2Request, .frames([.goAway(last: 0x7FFF_FFFF), .ok(), .data("o")]), .await("end"),
            .frames([.goAway(last: 1), .data("k", end: true)]), .awaitClose
        )
    ) { trial in
        let log = EventLog()
        let first = trial.start(try trial.http2Request(.clear).reporting(to: log))
        _ = await trial.reached("responseBodyReceived", in: log)
        trial.peer.signals.open("end")
        trial.judge(await first.value, .whole("ok"))
        trial.judge(await trial.exchange(try trial.http2Request(.clear)), .whole("ok"))
        trial.expect(trial.peer.connections.count == 2, "\(trial.peer.connections.count) connections were opened")
    }
}
