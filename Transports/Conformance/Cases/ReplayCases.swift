internal import AirframeTransport
internal import FoundationEssentials
internal import HTTPTypes

extension ConformanceCase {
    /// Two connections: the first dies when its second request has come.
    private static let deadOnReuse = PeerScenario(
        connections: [
            [.readRequest, .send(Answer.ok("first")), .readRequest, .close],
            [.forever([.readRequest, .send(Answer.ok("again"))])],
        ]
    )

    static let replay: [ConformanceCase] = [
        ConformanceCase(
            .replay, "one-shot",
            "a one-shot body is sent once; a second request with it fails before it is sent",
            peer: .keeping()
        ) { trial in
            let body = RequestBody.oneShot(CountingSource(["once"]))
            trial.judge(await trial.exchange(trial.request(.post, body: body)), .whole("ok"))
            let second = await trial.exchange(trial.request(.post, body: body))
            trial.expect(second.error?.code == .bodyNotReplayable, "expected bodyNotReplayable, got \(second.summary)")
            trial.expect(second.error?.processing == .notSent, "not reported as not sent: \(second.summary)")
            trial.expect(trial.peer.requests.map(\.text) == ["once"], "arrived: \(trial.peer.requests.map(\.text))")
        },
        ConformanceCase(
            .replay, "restartable", "a restartable body is opened once for each attempt",
            peer: .keeping()
        ) { trial in
            let opened = PeerSignals()
            let body = RequestBody.restartable {
                opened.mark("open")
                return CountingSource(["one ", "two"])
            }
            for _ in 0..<3 { trial.judge(await trial.exchange(trial.request(.put, body: body)), .whole("ok")) }
            trial.expect(
                opened.count(of: "open") == 3, "it was opened \(opened.count(of: "open")) times for 3 sendings")
            let texts = trial.peer.requests.map(\.text)
            trial.expect(texts == Array(repeating: "one two", count: 3), "arrived: \(texts)")
        },
        ConformanceCase(
            .replay, "seekable", "a body of bytes can be sent any number of times",
            peer: .keeping()
        ) { trial in
            let body = RequestBody.bytes(Data("bytes".utf8))
            for _ in 0..<3 { trial.judge(await trial.exchange(trial.request(.put, body: body)), .whole("ok")) }
            let texts = trial.peer.requests.map(\.text)
            trial.expect(texts == Array(repeating: "bytes", count: 3), "arrived: \(texts)")
        },
        ConformanceCase(
            .replay, "dead-connection.bytes",
            "an idempotent request whose kept connection dies unanswered is sent again (RFC 9110 §9.2.2)",
            alsoAt: [.connections], peer: deadOnReuse
        ) { trial in
            trial.judge(await trial.get(), .whole("first"))
            let outcome = await trial.exchange(trial.request(.put, body: .bytes(Data("bytes".utf8))))
            trial.judge(outcome, .whole("again"))
            let texts = trial.peer.requests.map(\.text)
            trial.expect(texts == ["", "bytes", "bytes"], "arrived: \(texts)")
        },
        ConformanceCase(
            .replay, "dead-connection.reset",
            "an idempotent request whose kept connection is reset while it is sent is repeated, and an event reports it",
            peer: PeerScenario(
                connections: [
                    [.readRequest, .send(Answer.ok("first")), .readHead, .reset],
                    [.forever([.readRequest, .send(Answer.ok("again"))])],
                ]
            )
        ) { trial in
            trial.judge(await trial.get(), .whole("first"))
            // More than the buffers of both sockets hold, so that writing fails.
            let source = { @Sendable in CountingSource(size: 16 << 20, pieces: 128) }
            let body = RequestBody.restartable(length: 16 << 20) { source() }
            let outcome = await trial.exchange(trial.request(.put, body: body))
            trial.judge(outcome, .whole("again"))
            trial.expect(trial.peer.requests.last?.body.count == 16 << 20, "the content did not arrive whole")
            let decisions = outcome.events.kinds.count { kind in
                if case .decided(let decision) = kind, case .retried(attempt: 2) = decision.kind { true } else { false }
            }
            trial.expect(
                decisions == 1 || !trial.claims(.events), "\(decisions) events say that the request was repeated")
        },
        ConformanceCase(
            .replay, "dead-connection.restartable", "a request with a restartable body is repeated as well",
            alsoAt: [.connections], peer: deadOnReuse
        ) { trial in
            trial.judge(await trial.get(), .whole("first"))
            let body = RequestBody.restartable(length: 7) { CountingSource(["one ", "two"]) }
            trial.judge(await trial.exchange(trial.request(.put, body: body)), .whole("again"))
            trial.expect(trial.peer.requests.last?.text == "one two", "arrived: \(trial.peer.requests.map(\.text))")
        },
        ConformanceCase(
            .replay, "dead-connection.one-shot",
            "a request with a one-shot body fails on a dead connection, and is not sent without its body",
            alsoAt: [.connections], peer: deadOnReuse
        ) { trial in
            trial.judge(await trial.get(), .whole("first"))
            let outcome = await trial.exchange(trial.request(.put, body: .oneShot(length: 4, CountingSource(["once"]))))
            let codes: [TransportError.Code] = [.connectionLost, .bodyNotReplayable]
            trial.judge(outcome, .broken(codes, in: [.requestBody, .responseHead]))
            trial.expect(
                outcome.error?.processing == .unknown, "the server may have processed the request: \(outcome.summary)")
            let isSentOnce = trial.peer.requests.count { $0.isComplete && $0.text == "once" } == 1
            trial.expect(isSentOnce, "arrived: \(trial.peer.requests.map(\.text))")
        },
        ConformanceCase(
            .replay, "dead-connection.trailers", "trailers are computed again for a body that is sent again",
            needs: .requestTrailers, alsoAt: [.connections], peer: deadOnReuse
        ) { trial in
            trial.judge(await trial.get(), .whole("first"))
            let body = RequestBody.restartable { CountingSource(["one"]) }.trailers { [.init("X-Sum") ?? .eTag: "1"] }
            trial.judge(await trial.exchange(trial.request(.put, body: body)), .whole("again"))
            let last = trial.peer.requests.last
            trial.expect(last?.text == "one", "arrived: \(trial.peer.requests.map(\.text))")
            trial.expect(last?.trailers.first?.value == "1", "trailers: \(last?.trailers ?? [])")
        },
    ]

    static let requestBodies: [ConformanceCase] = [
        ConformanceCase(
            .replay, "source.throws", "an error of the body's source fails the exchange and is its underlying error",
            alsoAt: [.streaming], peer: PeerScenario(.readRequest, .awaitClose)
        ) { trial in
            let source = CountingSource(["abc"], then: .failure)
            let outcome = await trial.exchange(trial.request(.post, body: .oneShot(source)))
            trial.judge(outcome, .broken([.bodyFailed], in: [.requestBody]))
            let beneath = outcome.error?.underlying
            trial.expect(beneath is SourceBroke, "beneath is \(String(describing: beneath))")
            try await trial.reach("closed")
            trial.expect(!trial.peer.requests.contains(where: \.isComplete), "the server saw a whole request")
        },
        ConformanceCase(
            .replay, "source.too-short", "a source with fewer bytes than announced fails the exchange",
            alsoAt: [.streaming], peer: PeerScenario(.readRequest, .awaitClose)
        ) { trial in
            let body = RequestBody.oneShot(length: 10, CountingSource(["abc"]))
            trial.judge(
                await trial.exchange(trial.request(.post, body: body)),
                .broken([.bodyLengthMismatch], in: [.requestBody])
            )
            try await trial.reach("closed")
        },
        ConformanceCase(
            .replay, "source.too-long",
            "a source with more bytes than announced fails the exchange, and none of them is sent",
            peer: PeerScenario(.readHead, .awaitClose)
        ) { trial in
            let body = RequestBody.oneShot(length: 4, CountingSource(["abc", "def"]))
            trial.judge(
                await trial.exchange(trial.request(.post, body: body)),
                .broken([.bodyLengthMismatch], in: [.requestBody])
            )
        },
        ConformanceCase(
            .replay, "source.empty-chunks", "empty chunks of a source do not end the body",
            peer: .keeping()
        ) { trial in
            let body = RequestBody.oneShot(CountingSource(["", "abc", "", "", "def", ""]))
            trial.judge(await trial.exchange(trial.request(.post, body: body)), .whole("ok"))
            trial.expect(trial.peer.requests.first?.text == "abcdef", "arrived: \(trial.peer.requests.map(\.text))")
        },
        ConformanceCase(
            .replay, "source.empty", "an empty source of unknown length makes an empty body",
            peer: .keeping()
        ) { trial in
            trial.judge(
                await trial.exchange(trial.request(.post, body: .oneShot(CountingSource([])))),
                .whole("ok")
            )
            trial.expect(trial.peer.requests.first?.body.isEmpty == true, "something arrived")
        },
        ConformanceCase(
            .replay, "source.cancelled", "a source is cancelled if the exchange ends first",
            alsoAt: [.streaming], peer: PeerScenario(.readHead, .reset)
        ) { trial in
            let source = CountingSource(size: 48 << 20, pieces: 384)
            let body = RequestBody.oneShot(length: 48 << 20, source)
            let outcome = await trial.exchange(trial.request(.post, body: body))
            trial.expect(outcome.error != nil, "expected an error, got \(outcome.summary)")
            let isReported = await Waiting.until(within: .seconds(10)) { source.isCancelled }
            trial.expect(isReported, "the source was not cancelled")
            trial.expect(!source.wasMisused, "the source was called concurrently, or after its end")
        },
        ConformanceCase(
            .replay, "file", "a region of a file is sent exactly",
            peer: .keeping()
        ) { trial in
            let file = try ScratchFile(Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0 % 251) }))
            for region in [(0, 100_000), (5, 10), (99_999, 1), (1_000, 70_000), (3, 0)] {
                let body = RequestBody.file(
                    FileRegion(path: file.path, offset: Int64(region.0), length: Int64(region.1)))
                trial.judge(await trial.exchange(trial.request(.put, body: body)), .whole("ok"))
                let due = (region.0..<region.0 + region.1).map { UInt8(truncatingIfNeeded: $0 % 251) }
                trial.expect(trial.peer.requests.last?.body == due, "the region \(region) did not arrive as it is")
            }
        },
        ConformanceCase(
            .replay, "file.missing", "a missing file fails the exchange, and the error names it",
            peer: PeerScenario(.readRequest, .awaitClose)
        ) { trial in
            let body = RequestBody.file(FileRegion(path: "/nonexistent/upload", length: 10))
            let outcome = await trial.exchange(trial.request(.put, body: body))
            trial.judge(outcome, .broken([.bodyFailed], in: [.options, .requestBody]))
            let isNamed = outcome.error?.message.contains("/nonexistent/upload") == true
            trial.expect(isNamed, "the message does not name the file: \(outcome.summary)")
        },
        ConformanceCase(
            .replay, "file.not-regular", "pipes, directories and devices are rejected as files immediately",
            peer: .keeping()
        ) { trial in
            let pipe = try ScratchPipe()
            for path in [pipe.path, "/dev/zero", "/tmp"] {
                let body = RequestBody.file(FileRegion(path: path, length: 10))
                let upload = trial.start(trial.request(.put, body: body))
                // The engine continues meanwhile.
                trial.judge(await trial.get(), .whole("ok"))
                let outcome = try await Waiting.bounded(by: .seconds(10)) { await upload.value }
                trial.judge(outcome, .broken([.bodyFailed], in: [.options, .requestBody]))
                let isNamed = outcome.error?.message.contains(path) == true
                trial.expect(isNamed, "the message does not name \(path): \(outcome.summary)")
            }
        },
        ConformanceCase(
            .replay, "file.shorter", "a file that is shorter than its region fails the exchange",
            peer: PeerScenario(.readRequest, .awaitClose)
        ) { trial in
            let file = try ScratchFile(Data("short".utf8))
            let body = RequestBody.file(FileRegion(path: file.path, length: 10))
            let outcome = await trial.exchange(trial.request(.put, body: body))
            trial.judge(outcome, .broken([.bodyFailed, .bodyLengthMismatch], in: [.options, .requestBody]))
        },
        ConformanceCase(
            .replay, "trailers.throw", "an error of the trailers fails the exchange",
            needs: .requestTrailers, peer: PeerScenario(.readRequest, .awaitClose)
        ) { trial in
            let body = RequestBody.oneShot(CountingSource(["abc"])).trailers { throw SourceBroke() }
            let outcome = await trial.exchange(trial.request(.post, body: body))
            trial.judge(outcome, .broken([.bodyFailed], in: [.requestBody]))
            trial.expect(!trial.peer.requests.contains(where: \.isComplete), "the server saw a whole request")
        },
    ]
}
