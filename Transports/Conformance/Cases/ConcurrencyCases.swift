internal import AirframeTransport
internal import FoundationEssentials
internal import HTTPTypes

extension ConformanceCase {
    static let concurrency: [ConformanceCase] = [
        ConformanceCase(
            .concurrency, "thousand", "a thousand exchanges run concurrently",
            limit: .seconds(60), peer: PeerScenario(.forever([.readRequest, .await("all"), Answer.target]))
        ) { trial in
            let count = 1_000
            ProcessCensus.raiseDescriptorLimit()
            let outcomes = Task {
                await withTaskGroup(of: (Int, ExchangeOutcome).self) { group in
                    for number in 0..<count {
                        group.addTask { (number, await trial.get("/\(number)")) }
                    }
                    return await group.reduce(into: []) { $0.append($1) }
                }
            }
            // No request is answered before all have arrived, so they are in flight together.
            try await trial.reach("request", count: count, within: .seconds(40))
            trial.peer.signals.open("all")
            for (number, outcome) in await outcomes.value { trial.judge(outcome, .whole("/\(number)")) }
        },
        ConformanceCase(
            .concurrency, "never-mixed", "each exchange gets its own response, however they are interleaved",
            peer: .mirror
        ) { trial in
            await withTaskGroup(of: Void.self) { group in
                for worker in 0..<50 {
                    group.addTask {
                        for number in 0..<10 {
                            let path =
                                "/\(worker)/\(number)?\(String(repeating: "x", count: (worker * 37 + number) % 500))"
                            trial.judge(await trial.get(path), .whole(path))
                        }
                    }
                }
            }
            let count = trial.peer.requests.count
            trial.expect(count == 500, "\(count) requests arrived, not 500")
        },
        ConformanceCase(
            .concurrency, "kept-by-many", "concurrent tasks share kept connections",
            peer: .mirror
        ) { trial in
            for _ in 0..<5 {
                await withTaskGroup(of: Void.self) { group in
                    for number in 0..<8 {
                        group.addTask { trial.judge(await trial.get("/\(number)"), .whole("/\(number)")) }
                    }
                }
            }
            let count = trial.peer.connections.count
            trial.expect(count <= 16, "\(count) connections were made for 8 concurrent exchanges")
        },
        ConformanceCase(
            .concurrency, "bodies", "large bodies are sent and received at the same time, unchanged",
            peer: PeerScenario(
                .forever([
                    .readRequest,
                    .reply { Array(Answer.head(fields: ["Content-Length: \($0.body.count)"]).utf8) + $0.body },
                ]))
        ) { trial in
            await withTaskGroup(of: Void.self) { group in
                for number in 0..<12 {
                    group.addTask {
                        let data = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* (number + 3) >> 3) })
                        let outcome = await trial.exchange(trial.request(.post, body: .bytes(data)))
                        trial.expect(outcome.isWhole && outcome.data == data, "body \(number): \(outcome.summary)")
                    }
                }
            }
        },
        ConformanceCase(
            .concurrency, "one-that-fails", "failed exchanges do not affect concurrent ones",
            peer: PeerScenario(
                connections: (0..<40).map {
                    // A server that closes without announcing it could close under a later request.
                    $0 % 2 == 0
                        ? [.readRequest, .reset]
                        : [.readRequest, .send(Answer.ok("ok", "Connection: close")), .close]
                }
            )
        ) { trial in
            let outcomes = await withTaskGroup(of: ExchangeOutcome.self) { group in
                for _ in 0..<40 {
                    group.addTask { await trial.exchange(trial.request(.post, body: .bytes(Data("x".utf8)))) }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            let whole = outcomes.count { $0.isWhole && $0.text == "ok" }
            let lost = outcomes.count { $0.error?.code == .connectionLost }
            trial.expect(whole == 20 && lost == 20, "\(whole) complete and \(lost) were lost of 20 each")
        },
    ]
}
