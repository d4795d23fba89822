internal import AirframeTransport
internal import FoundationEssentials
internal import HTTPTypes

extension ConformanceCase {
    /// A connection that breaks, the phases in which the error may occur, and whether the server may have processed the
    /// request.
    private static func breaking(
        _ name: String,
        _ title: String,
        _ scenario: PeerScenario,
        codes: [TransportError.Code] = [.connectionLost],
        in phases: [TransportPhase],
        _ processing: TransportError.Processing? = .unknown
    ) -> ConformanceCase {
        ConformanceCase(.broken, name, title, peer: scenario) { trial in
            let outcome = await trial.exchange(trial.request(.post, body: .bytes(Data("hello".utf8))))
            trial.judge(outcome, .broken(codes, in: phases))
            guard let processing else { return }
            trial.expect(
                outcome.error?.processing == processing, "expected \(processing.rawValue), got \(outcome.summary)")
        }
    }

    static let broken: [ConformanceCase] = [
        breaking(
            "refused", "a closed port fails the connection, and nothing was sent", PeerScenario(.refusing),
            codes: [.connectFailed],
            in: [.connect], .notSent
        ),
        ConformanceCase(
            .broken, "nameless", "a name without an address fails name resolution, and nothing was sent",
            peer: PeerScenario(.nameless)
        ) { trial in
            let outcome = await trial.get()
            trial.judge(outcome, .broken([.nameResolutionFailed], in: [.resolve]))
            trial.expect(outcome.error?.processing == .notSent, "not reported as not sent: \(outcome.summary)")
            let isNamed = outcome.error?.description.contains("nowhere.invalid") == true
            trial.expect(isNamed, "the name is not in the message: \(outcome.summary)")
            trial.expectOrder(["started", "resolveStarted", "failed"], outcome.events)
        },
        // Whether bytes left before the connection broke is a matter of microseconds.
        breaking(
            "close-at-accept", "a connection that is closed immediately is lost", PeerScenario(.close),
            in: [.connect, .requestHead, .requestBody, .responseHead], nil
        ),
        breaking(
            "reset-at-accept", "a connection that is reset immediately is lost", PeerScenario(.reset),
            codes: [.connectionLost, .connectFailed],
            in: [.connect, .requestHead, .requestBody, .responseHead], nil
        ),
        breaking(
            "close-after-request", "a server that closes instead of responding may have processed the request",
            PeerScenario(.readRequest, .close), in: [.responseHead]
        ),
        breaking(
            "reset-after-request", "a server that resets instead of responding may have processed the request",
            PeerScenario(.readRequest, .reset), in: [.responseHead]
        ),
        breaking(
            "close-in-head", "a server that closes within the head may have processed the request",
            PeerScenario(.readRequest, .send("HTTP/1.1 200 OK\r\nX"), .close),
            codes: [.connectionLost, .malformedResponse], in: [.responseHead]
        ),
        breaking(
            "reset-in-head", "a server that resets within the head may have processed the request",
            PeerScenario(.readRequest, .send("HTTP/1.1 200 OK\r\nX"), .reset), in: [.responseHead]
        ),
        breaking(
            "close-in-body", "a server that closes within the body may have processed the request",
            PeerScenario(.readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"), .close),
            codes: [.bodyTruncated], in: [.responseBody]
        ),
        ConformanceCase(
            .broken, "reset-in-body", "a server that resets within the body may have processed the request",
            peer: PeerScenario(
                .readRequest, .send("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"), .await("reset"), .reset
            )
        ) { trial in
            let log = EventLog()
            let task = trial.start(trial.request().reporting(to: log))
            _ = await trial.reached("responseBodyReceived", in: log)
            trial.peer.signals.open("reset")
            let outcome = await task.value
            trial.judge(outcome, .cutBody)
            trial.expect(
                outcome.error?.processing == .unknown, "the server may have processed the request: \(outcome.summary)")
        },
        ConformanceCase(
            .broken, "reset-in-request-body", "a server that resets during an upload may have processed the request",
            peer: PeerScenario(.readHead, .reset)
        ) { trial in
            let body = RequestBody.oneShot(length: 48 << 20, CountingSource(size: 48 << 20, pieces: 384))
            let outcome = await trial.exchange(trial.request(.post, body: body))
            trial.judge(outcome, .broken([.connectionLost], in: [.requestBody, .responseHead]))
            trial.expect(
                outcome.error?.processing == .unknown, "the server may have processed the request: \(outcome.summary)")
        },
        ConformanceCase(
            .broken, "close-in-tls",
            "a connection that is closed during the TLS handshake is lost, and nothing was sent",
            needs: .tls, peer: PeerScenario(.await("hello"), .close)
        ) { trial in
            let log = EventLog()
            let task = trial.start(trial.request(scheme: "https").reporting(to: log))
            _ = await trial.reached("tlsStarted", in: log)
            trial.peer.signals.open("hello")
            let outcome = await task.value
            trial.judge(outcome, .broken([.tlsFailed], in: [.tls]))
            trial.expect(outcome.error?.processing == .notSent, "not reported as not sent: \(outcome.summary)")
        },
        ConformanceCase(
            .broken, "reset-in-tls",
            "a connection that is reset during the TLS handshake is lost, and nothing was sent",
            needs: .tls, peer: PeerScenario(.await("hello"), .reset)
        ) { trial in
            let log = EventLog()
            let task = trial.start(trial.request(scheme: "https").reporting(to: log))
            _ = await trial.reached("tlsStarted", in: log)
            trial.peer.signals.open("hello")
            let outcome = await task.value
            trial.judge(outcome, .broken([.tlsFailed, .connectionLost], in: [.tls]))
            trial.expect(outcome.error?.processing == .notSent, "not reported as not sent: \(outcome.summary)")
        },
        ConformanceCase(
            .broken, "transport-goes-on", "a broken exchange does not affect the next one",
            peer: PeerScenario(connections: [[.readRequest, .reset], [.forever([.readRequest, .send(Answer.ok())])]])
        ) { trial in
            let outcome = await trial.exchange(trial.request(.post, body: .bytes(Data("hello".utf8))))
            trial.judge(outcome, .broken([.connectionLost], in: [.responseHead]))
            trial.judge(await trial.get(), .whole("ok"))
        },
    ]
}
