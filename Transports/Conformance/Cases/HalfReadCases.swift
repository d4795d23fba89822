internal import AirframeTransport
internal import FoundationEssentials
internal import HTTPTypes

extension ConformanceCase {
    private static let half = PeerScenario(
        connections: [
            [.readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"), .awaitClose],
            [.forever([.readRequest, Answer.target])],
        ]
    )

    static let halfRead: [ConformanceCase] = [
        ConformanceCase(
            .halfread, "dropped", "releasing a response ends its exchange and frees its connection",
            peer: half
        ) { trial in
            do {
                let response = try await trial.transport.send(trial.request())
                trial.expect(response.head.status == 200, "status \(response.head.status)")
            }
            try await trial.reach("closed")
            trial.judge(await trial.get("/next"), .whole("/next"))
        },
        ConformanceCase(
            .halfread, "dropped-midway", "releasing a response after some bytes ends its exchange too",
            peer: half
        ) { trial in
            do {
                let response = try await trial.transport.send(trial.request())
                let first = try await response.body.next()
                trial.expect(first == Data("abc".utf8), "first: \(String(describing: first))")
            }
            try await trial.reach("closed")
            trial.judge(await trial.get("/next"), .whole("/next"))
        },
        ConformanceCase(
            .halfread, "never-mixed", "the unread rest of a cancelled body is never part of another response",
            peer: PeerScenario(
                connections: [
                    [
                        .readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 30\r\n\r\nabc"), .await("rest"),
                        .send(Answer.ok("not for you")), .forever([.readRequest, Answer.target]),
                    ],
                    [.forever([.readRequest, Answer.target])],
                ]
            )
        ) { trial in
            let response = try await trial.transport.send(trial.request())
            _ = try await response.body.next()
            response.body.cancel()
            trial.peer.signals.open("rest")
            for number in 0..<3 { trial.judge(await trial.get("/\(number)"), .whole("/\(number)")) }
        },
        ConformanceCase(
            .halfread, "too-large", "a body above the caller's limit ends its exchange",
            peer: PeerScenario(.readRequest, .send(Answer.chunked("5\r\nabcde\r\n5\r\nabcde\r\n")), .awaitClose)
        ) { trial in
            let response = try await trial.transport.send(trial.request())
            do throws(TransportError) {
                let data = try await response.body.collect(upTo: 7)
                trial.fail("\(data.count) bytes were collected, 7 allowed")
            } catch {
                trial.expect(error.code == .bodyTooLarge, "the error is \(error)")
            }
            try await trial.reach("closed")
        },
        ConformanceCase(
            .halfread, "end-again", "a body that has ended reports its end again",
            peer: .keeping()
        ) { trial in
            let response = try await trial.transport.send(trial.request())
            while try await response.body.next() != nil {}
            for _ in 0..<3 {
                let more = try await response.body.next()
                trial.expect(more == nil, "\(String(describing: more)) after the end")
            }
        },
        ConformanceCase(
            .halfread, "error-again", "a body that has failed reports the same error again, never the end",
            peer: .answering("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc")
        ) { trial in
            let outcome = await trial.get()
            trial.judge(outcome, .truncated)
            let response = try await trial.transport.send(trial.request())
            var codes: [TransportError.Code] = []
            for _ in 0..<5 {
                do throws(TransportError) {
                    if try await response.body.next() == nil { return trial.fail("the body seemed to end") }
                } catch {
                    codes.append(error.code)
                }
            }
            trial.expect(codes.allSatisfy { $0 == .bodyTruncated }, "the errors were \(codes)")
        },
        ConformanceCase(
            .halfread, "bytes-before-error", "the bytes before a failure are delivered before its error",
            peer: .answering("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc")
        ) { trial in
            let outcome = await trial.get()
            trial.expect(outcome.text == "abc", "\(outcome.text.debugDescription) was delivered")
        },
        ConformanceCase(
            .halfread, "whole-without-asking", "a complete body frees its connection when its last byte is read",
            alsoAt: [.connections], peer: .mirror
        ) { trial in
            for number in 0..<5 { trial.judge(await trial.get("/\(number)"), .whole("/\(number)")) }
            trial.expect(trial.peer.connections.count == 1, "\(trial.peer.connections.count) connections were made")
        },
    ]
}
