internal import AirframeTransport
internal import HTTPTypes

extension ConformanceCase {
    private static let hints = "HTTP/1.1 103 Early Hints\r\nLink: </style.css>\r\n\r\n"

    static let informational: [ConformanceCase] = [
        ConformanceCase(
            .informational, "reported", "informational responses are reported in order and are not the response",
            needs: .informationalResponses,
            peer: .answering("HTTP/1.1 102 Processing\r\n\r\n\(hints)" + Answer.ok())
        ) { trial in
            let outcome = await trial.get()
            trial.judge(outcome, .whole("ok"))
            let heads = outcome.events.kinds.compactMap { kind -> HTTPResponse? in
                if case .informationalResponse(let head) = kind { head } else { nil }
            }
            trial.expect(heads.map(\.status.code) == [102, 103], "reported: \(heads.map(\.status.code))")
            let link = HTTPField.Name("Link").flatMap { heads.last?.headerFields[$0] }
            trial.expect(link == "</style.css>", "the fields of the 103 were not reported")
            trial.expectOrder(["requestFinished", "informationalResponse", "responseHead"], outcome.events)
        },
        ConformanceCase(
            .informational, "fields-apart", "fields of an informational response are not fields of the final one",
            peer: .answering(hints + Answer.ok("ok", "X-Final: yes"))
        ) { trial in
            let outcome = await trial.get()
            trial.judge(outcome, .whole("ok"))
            trial.expect(outcome.values("Link").isEmpty, "the final response has the hint's Link")
            trial.expect(outcome.values("X-Final") == ["yes"], "the final response lost its field")
        },
        ConformanceCase(
            .informational, "continue-unasked", "an unexpected 100 is skipped (RFC 9110 §15.2)",
            peer: .keeping("HTTP/1.1 100 Continue\r\n\r\n" + Answer.ok())
        ) { trial in
            trial.judge(await trial.get(), .whole("ok"))
            trial.judge(await trial.get(), .whole("ok"))
            trial.expectOneConnection()
        },
        ConformanceCase(
            .informational, "late", "an informational response is reported immediately, before the final one",
            needs: .informationalResponses,
            peer: PeerScenario(.readRequest, .send(hints), .await("final"), .send(Answer.ok()), .awaitClose)
        ) { trial in
            let log = EventLog()
            let task = trial.start(trial.request().reporting(to: log))
            let isReported = await Waiting.until(within: .seconds(10)) { log.contains("informationalResponse") }
            trial.expect(isReported, "it was not reported: \(log.names)")
            trial.peer.signals.open("final")
            trial.judge(await task.value, .whole("ok"))
        },
        answer(
            .informational, "some", "a few informational responses do not fail the exchange",
            String(repeating: hints, count: 8) + Answer.ok(), due: .whole("ok")
        ),
        ConformanceCase(
            .informational, "endless", "an endless sequence of informational responses fails the exchange",
            peer: PeerScenario(.readRequest, .flood(Array(hints.utf8), total: nil))
        ) { trial in
            let codes: [TransportError.Code] = [.malformedResponse, .headTooLarge]
            trial.judge(await trial.get(), .broken(codes, in: [.responseHead]))
            try await trial.reach("closed")
        },
        answer(
            .informational, "switching-unasked", "an unexpected 101 is not a response (RFC 9110 §15.2.2)",
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nxxxx", due: .malformedHead
        ),
        answer(
            .informational, "cut", "a connection that closes after an informational response is lost",
            hints, due: .cutHead
        ),
        ConformanceCase(
            .informational, "upload", "informational responses during an upload are accepted",
            peer: PeerScenario(.readHead, .send(hints), .readBody, .send(hints + Answer.ok()), .awaitClose)
        ) { trial in
            let source = CountingSource(["one", "two", "three"])
            trial.judge(await trial.exchange(trial.request(.post, body: .oneShot(source))), .whole("ok"))
            trial.expect(trial.peer.requests.first?.text == "onetwothree", "the body did not arrive")
        },
    ]
}
