internal import AirframeTransport
internal import FoundationEssentials
internal import HTTPTypes

extension ConformanceTrial {
    fileprivate func asking(_ body: RequestBody, wait: Duration = .seconds(30)) -> TransportRequest {
        request(.post, body: body) { $0.expectContinue = .always(wait: wait) }
    }
}

extension ConformanceCase {
    static let expectations: [ConformanceCase] = [
        ConformanceCase(
            .request, "expect.continue", "the body waits for the server's 100 (RFC 9110 §10.1.1)",
            needs: .expectContinue,
            peer: PeerScenario(
                .readHead, .await("go"), .send("HTTP/1.1 100 Continue\r\n\r\n"), .readBody, .send(Answer.ok()),
                .awaitClose
            )
        ) { trial in
            let source = CountingSource(["hello"])
            let log = EventLog()
            let task = trial.start(trial.asking(.oneShot(length: 5, source)).reporting(to: log))
            try await trial.reach("head")
            trial.expect(!log.contains("requestBodySent"), "the body was sent before the server asked for it")
            trial.peer.signals.open("go")
            trial.judge(await task.value, .whole("ok"))
            let request = trial.peer.requests.first
            trial.expect(
                request?.values("Expect").map { $0.lowercased() } == ["100-continue"], "\(request?.fields ?? [])")
            trial.expect(request?.text == "hello", "arrived: \(request?.text ?? "")")
        },
        ConformanceCase(
            .request, "expect.declined",
            "a final response instead of the 100 is the response, and the body is not sent",
            needs: .expectContinue,
            peer: PeerScenario(
                .readHead,
                .send(Answer.head("413 Content Too Large", fields: ["Content-Length: 2", "Connection: close"])),
                .send("no"), .finishWriting, .awaitClose
            )
        ) { trial in
            let outcome = await trial.exchange(trial.asking(.bytes(Data(repeating: 1, count: 100_000))))
            trial.judge(outcome, .status(413, "no"))
            trial.expect(!outcome.events.contains("requestBodySent"), "the body was sent: \(outcome.events.names)")
        },
        ConformanceCase(
            .request, "expect.417",
            "a 417 is an ordinary response: the engine does not repeat the request",
            needs: .expectContinue,
            peer: PeerScenario(
                .readHead,
                .send(Answer.head("417 Expectation Failed", fields: ["Content-Length: 0", "Connection: close"])),
                .finishWriting, .awaitClose
            )
        ) { trial in
            let outcome = await trial.exchange(trial.asking(.bytes(Data("hello".utf8))))
            trial.judge(outcome, .status(417, ""))
            trial.expect(trial.peer.requests.count == 1, "\(trial.peer.requests.count) requests were sent")
        },
        ConformanceCase(
            .request, "expect.silence", "without an answer the body is sent when the wait has ended",
            needs: .expectContinue, peer: .keeping()
        ) { trial in
            let outcome = await trial.exchange(trial.asking(.bytes(Data("hello".utf8)), wait: .milliseconds(200)))
            trial.judge(outcome, .whole("ok"))
            trial.expect(trial.peer.requests.first?.text == "hello", "the body did not arrive")
        },
        ConformanceCase(
            .request, "expect.never", "Expect is not sent by default",
            peer: .keeping()
        ) { trial in
            let body = RequestBody.bytes(Data(repeating: 1, count: 2 << 20))
            trial.judge(await trial.exchange(trial.request(.post, body: body)), .whole("ok"))
            trial.expect(trial.peer.requests.first?.values("Expect") == [], "the server was asked")
        },
    ]
}
