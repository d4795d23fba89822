internal import AirframeTransport
internal import FoundationEssentials
internal import HTTPTypes

extension ConformanceCase {
    /// More than all buffers on the path can hold.
    private static let size = 48 << 20
    /// The most that buffers on the path may hold.
    private static let tolerance = 24 << 20
    /// 64 KiB in the chunked coding.
    private static let chunk = Array("10000\r\n".utf8) + [UInt8](repeating: 120, count: 64 << 10) + [13, 10]

    static let backpressure: [ConformanceCase] = [
        ConformanceCase(
            .backpressure, "response", "a body that is not pulled stops the server, and pulling resumes it",
            peer: PeerScenario(
                .readRequest, .send(Answer.head(fields: ["Content-Length: \(size)"])),
                .flood([UInt8](repeating: 120, count: 64 << 10), total: size), .awaitClose
            )
        ) { trial in
            let response = try await trial.transport.send(trial.request())
            try await trial.reachFlood()
            await trial.waitForStandstill { trial.peer.connections.first?.sentCount ?? 0 }
            let sent = trial.peer.connections.first?.sentCount ?? 0
            trial.expect(sent < tolerance, "the server could send \(sent) bytes to a client that took none")
            var count = 0
            while let chunk = try await response.body.next() { count += chunk.count }
            trial.expect(count == size, "\(count) of \(size) bytes arrived")
        },
        ConformanceCase(
            .backpressure, "response.chunked", "a chunked body that is not pulled stops the server too",
            peer: PeerScenario(
                .readRequest, .send(Answer.chunked("")), .flood(chunk, total: size / (64 << 10) * chunk.count),
                .send("0\r\n\r\n"), .awaitClose
            )
        ) { trial in
            let response = try await trial.transport.send(trial.request())
            try await trial.reachFlood()
            await trial.waitForStandstill { trial.peer.connections.first?.sentCount ?? 0 }
            let sent = trial.peer.connections.first?.sentCount ?? 0
            trial.expect(sent < tolerance, "the server could send \(sent) bytes to a client that took none")
            var count = 0
            while let chunk = try await response.body.next() { count += chunk.count }
            trial.expect(count == size, "\(count) of \(size) bytes arrived")
        },
        ConformanceCase(
            .backpressure, "request", "a server that reads nothing stops the source of the request's body",
            peer: PeerScenario(.readHead, .await("read"), .readBody, .send(Answer.ok()), .awaitClose)
        ) { trial in
            let total = size
            let source = CountingSource(size: total, pieces: 384)
            let body = RequestBody.oneShot(length: Int64(total), source)
            let task = trial.start(trial.request(.post, body: body))
            try await trial.reach("head")
            await trial.waitForStandstill { source.pulledBytes }
            let pulled = source.pulledBytes
            trial.expect(pulled > 0, "the source was not called")
            trial.expect(pulled < tolerance, "\(pulled) bytes were taken from the source for a server that reads none")
            trial.peer.signals.open("read")
            trial.judge(await task.value, .whole("ok"))
            let arrived = trial.peer.requests.first?.body.count
            trial.expect(arrived == total, "\(arrived ?? 0) of \(total) bytes arrived")
            trial.expect(!source.wasMisused, "the source was called concurrently, or after its end")
        },
        ConformanceCase(
            .backpressure, "head-first", "the head is delivered before the body has arrived",
            peer: PeerScenario(
                .readRequest, .send(Answer.head(fields: ["Content-Length: 2"])), .await("body"), .send("ok"),
                .awaitClose
            )
        ) { trial in
            let response = try await trial.transport.send(trial.request())
            trial.expect(response.head.status == 200, "status \(response.head.status)")
            trial.expect(
                response.body.expectedLength == 2, "not 2 but \(String(describing: response.body.expectedLength))")
            trial.peer.signals.open("body")
            let data = try await response.body.collect(upTo: 10)
            trial.expect(data == Data("ok".utf8), "the body is \(String(decoding: data, as: UTF8.self))")
        },
        ConformanceCase(
            .backpressure, "first-bytes", "bytes are delivered when they arrive",
            peer: PeerScenario(
                .readRequest, .send(Answer.chunked("1\r\na\r\n")), .await("rest"), .send("1\r\nb\r\n0\r\n\r\n"),
                .awaitClose
            )
        ) { trial in
            let response = try await trial.transport.send(trial.request())
            let first = try await response.body.next()
            trial.expect(first == Data("a".utf8), "first: \(String(describing: first))")
            trial.peer.signals.open("rest")
            let rest = try await response.body.collect(upTo: 10)
            trial.expect(rest == Data("b".utf8), "then arrived \(rest)")
        },
        ConformanceCase(
            .backpressure, "slow-reader", "a body that is read in small steps arrives whole and in order",
            peer: .keeping(Answer.ok((0..<20_000).map { "\($0)\n" }.joined()))
        ) { trial in
            let response = try await trial.transport.send(trial.request())
            var text = ""
            while let chunk = try await response.body.next() {
                text += String(decoding: chunk, as: UTF8.self)
                await Task.yield()
            }
            trial.expect(text == (0..<20_000).map { "\($0)\n" }.joined(), "\(text.utf8.count) bytes, not those sent")
        },
    ]
}

extension ConformanceTrial {
    /// Waits until the client takes no more of a flood, or has taken all.
    func reachFlood() async throws {
        let signals = peer.signals
        let isReached = await Waiting.until(within: .seconds(20)) {
            signals.count(of: "blocked") + signals.count(of: "flooded") > 0
        }
        try require(isReached, "the peer was neither blocked nor done")
    }

    /// Returns when `value` has not changed for longer than a busy machine delays a thread.
    func waitForStandstill(_ value: @escaping @Sendable () -> Int) async {
        var last = -1
        for _ in 0..<20 where last != value() {
            last = value()
            let seen = last
            _ = await Waiting.until(within: .seconds(1)) { value() != seen }
        }
    }
}
