internal import AirframeTransport
internal import HTTPTypes

extension ConformanceCase {
    /// A response that is cut after each byte and after each frame.
    static let http2Cuts: [ConformanceCase] =
        HTTP2Wire.allCases.map(cutAfterEachByte) + [cutAfterEachFrame, wholeByLength, wholeVariants]

    /// All kinds of frames of one response: a head in two frames, content with and without padding, a trailer.
    private static let response: [HTTP2Frame] = [
        HTTP2Frame(type: 1, stream: 1, payload: HPACKBlock([(":status", "200")]).bytes),
        .continuation([("x-a", "b")]),
        .data("ab"),
        HTTP2Frame(type: 0, flags: HTTP2Frame.padded, stream: 1, payload: [2] + Array("cd".utf8) + [0, 0]),
        .data(""),
        .headers([("x-trailer", "end")], end: true),
    ]

    private static func cutAfterEachByte(_ wire: HTTP2Wire) -> ConformanceCase {
        // A TLS peer needs a process for each connection, so there are fewer cuts over TLS.
        let all = response.bytes
        let counts = wire == .clear ? Array(0...all.count) : [0, 5, 9, 20, 25, 30, 35, 50, all.count - 1, all.count]
        return ConformanceCase(
            .http2, wire == .clear ? "cut.byte" : "cut.byte.tls",
            "a response that is cut after any of its bytes is an error",
            needs: wire.needs,
            peer: wire.peer(connections: counts.map { [.readHTTP2Request, .sendBytes(Array(all.prefix($0))), .close] })
        ) { trial in
            for count in counts {
                let outcome = await trial.exchange(try trial.http2Request(wire), on: try trial.makeTransport())
                trial.judgeCut(outcome, isWhole: count == all.count, "after \(count) of \(all.count) bytes")
            }
        }
    }

    /// What may follow a cut.
    private static let ends: [(name: String, steps: [PeerStep])] = [
        ("a close", [.close]), ("a reset", [.await("reset"), .reset]),
        ("RST_STREAM", [.frames([.reset(0)]), .awaitClose]),
        ("GOAWAY", [.frames([.goAway(last: 1)]), .close]),
        ("a malformed PING", [.frames([HTTP2Frame(type: 6, payload: [1])]), .awaitClose]),
    ]

    private static let cutAfterEachFrame = ConformanceCase(
        .http2, "cut.frame", "a response that is cut after any of its frames is an error, whatever follows",
        needs: HTTP2Wire.clear.needs,
        peer: HTTP2Wire.clear.peer(
            connections: ends.flatMap { end in
                response.indices.map { [.readHTTP2Request, .frames(Array(response.prefix($0)))] + end.steps }
            }
        )
    ) { trial in
        trial.peer.signals.open("reset")
        for end in ends {
            for count in response.indices {
                let outcome = await trial.exchange(try trial.http2Request(.clear), on: try trial.makeTransport())
                trial.judgeCut(outcome, isWhole: false, "after \(count) frames by \(end.name)")
            }
        }
    }

    private static let wholeByLength = ConformanceCase(
        .http2, "cut.length", "content that is shorter than its announced length is an error",
        needs: HTTP2Wire.clear.needs,
        peer: HTTP2Wire.clear.peer(connections: [
            [
                .readHTTP2Request, .frames([.ok([("content-length", "5")]), .data("abc", end: true)]),
                .awaitClose,
            ],
            [.readHTTP2Request, .frames([.ok([("content-length", "5")], end: true)]), .awaitClose],
            [.readHTTP2Request, .frames([.ok([("content-length", "5")]), .data("abc"), .reset(0)]), .awaitClose],
            [.readHTTP2Request, .frames([.ok([("content-length", "5")]), .data("abcdefg", end: true)]), .awaitClose],
        ])
    ) { trial in
        for number in 1...4 {
            let outcome = await trial.exchange(try trial.http2Request(.clear), on: try trial.makeTransport())
            trial.expect(outcome.error != nil, "response \(number) is complete: \(outcome.summary)")
        }
    }

    /// Complete responses in unusual frames.
    private static let wholeVariants = ConformanceCase(
        .http2, "whole", "a response that ends with END_STREAM is complete, however its frames are split",
        needs: HTTP2Wire.clear.needs,
        peer: HTTP2Wire.clear.peer(
            connections: whole.map { [.readHTTP2Request, .frames($0.frames), .awaitClose] }
        )
    ) { trial in
        for (frames, text) in whole {
            let outcome = await trial.exchange(try trial.http2Request(.clear), on: try trial.makeTransport())
            trial.judge(outcome, .whole(text))
            if !outcome.isWhole { trial.fail("the frames were \(frames)") }
        }
    }

    private static let whole: [(frames: [HTTP2Frame], text: String)] = [
        (response, "abcd"),
        ([.ok(end: true)], ""),
        ([.ok(), .data("", end: true)], ""),
        ([.ok(), .data("abc", end: true)], "abc"),
        ([.ok(), .data("abc"), .data("", end: true)], "abc"),
        ([.ok([("content-length", "3")]), .data("abc"), .data("", end: true)], "abc"),
        ([.ok([("content-length", "3")]), .data("abc", end: true)], "abc"),
        ([.ok(), .data("abc", end: true), .reset(0)], "abc"),
        ([.ok(), .data("abc", end: true), .goAway(last: 1)], "abc"),
        ([.ok(), .ping, .data("abc"), .windowUpdate(5), .settings(), .data("d", end: true)], "abcd"),
        ([.ok(), HTTP2Frame(type: 0xEE, payload: [1]), .data("abc", end: true)], "abc"),
        ([.headers([(":status", "103")]), .ok(), .data("abc", end: true)], "abc"),
        ([.goAway(last: 1), .ok(), .data("abc", end: true)], "abc"),
        ([.ok()] + (0..<500).map { _ in .data("x") } + [.data("", end: true)], String(repeating: "x", count: 500)),
    ]
}

extension ConformanceTrial {
    /// Checks the result of a response that was cut.
    func judgeCut(_ outcome: ExchangeOutcome, isWhole: Bool, _ place: String) {
        judgeEvents(outcome)
        expect(outcome.isWhole == isWhole, "cut \(place): \(outcome.summary)")
    }
}
