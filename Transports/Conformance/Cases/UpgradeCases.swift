internal import AirframeTransport
internal import FoundationEssentials
internal import HTTPTypes

extension ConformanceCase {
    static let upgrade: [ConformanceCase] = [
        ConformanceCase(
            .upgrade, "switching", "after a 101 the connection is a two-way stream (RFC 9110 §7.8)",
            needs: .upgrade,
            peer: PeerScenario(
                .readHead, .send("HTTP/1.1 101 Switching Protocols\r\nUpgrade: echo\r\nConnection: upgrade\r\n\r\nhi "),
                .echoBytes, .awaitClose
            )
        ) { trial in
            let (head, stream) = try await trial.upgraded()
            trial.expect(head.status.code == 101, "status \(head.status)")
            try await trial.expectEcho(on: stream)
        },
        ConformanceCase(
            .upgrade, "closed", "closing a stream closes its connection",
            needs: .upgrade,
            peer: PeerScenario(
                .readHead, .send("HTTP/1.1 101 Switching Protocols\r\nUpgrade: echo\r\nConnection: upgrade\r\n\r\n"),
                .awaitClose
            )
        ) { trial in
            let (_, stream) = try await trial.upgraded()
            stream.close()
            try await trial.reach("closed")
        },
        ConformanceCase(
            .upgrade, "declined", "a server that declines sends an ordinary response",
            needs: .upgrade, peer: .keeping()
        ) { trial in
            let response = try await trial.transport.send(trial.upgradeRequest())
            trial.expect(response.stream == nil, "the stream was taken for upgraded")
            let data = try await response.body.collect(upTo: 100)
            trial.expect(data == Data("ok".utf8), "the response is \(String(decoding: data, as: UTF8.self))")
        },
        ConformanceCase(
            .upgrade, "handshake", "the engine writes the Upgrade field and its connection option (RFC 9110 §7.8)",
            needs: .upgrade, peer: .keeping()
        ) { trial in
            _ = try await trial.transport.send(trial.upgradeRequest()).body.collect(upTo: 100)
            let request = trial.peer.requests.first
            trial.expect(request?.values("Upgrade") == ["echo"], "Upgrade: \(request?.values("Upgrade") ?? [])")
            let options = request?.values("Connection").map { $0.lowercased() } ?? []
            trial.expect(options == ["upgrade"], "Connection: \(options)")
        },
        ConformanceCase(
            .upgrade, "another-protocol", "a switch to another protocol than the requested one is an error",
            needs: .upgrade,
            peer: PeerScenario(
                .readHead,
                .send("HTTP/1.1 101 Switching Protocols\r\nUpgrade: telnet\r\nConnection: upgrade\r\n\r\n"), .awaitClose
            )
        ) { trial in
            let error = await trial.exchange(trial.upgradeRequest()).error
            trial.expect(error?.code == .malformedResponse, "it failed with \(error?.description ?? "nothing")")
        },
        ConformanceCase(
            .upgrade, "tunnel", "CONNECT opens a tunnel to the authority that the request names (RFC 9110 §9.3.6)",
            needs: .upgrade,
            peer: PeerScenario(.readHead, .send("HTTP/1.1 200 OK\r\n\r\nhi "), .echoBytes, .awaitClose)
        ) { trial in
            var request = trial.request()
            request.upgrade = .tunnel(to: "db.test:5432")
            let (_, stream) = try await trial.upgraded(request)
            let head = trial.peer.requests.first
            let line = "\(head?.method ?? "") \(head?.target ?? "")"
            trial.expect(line == "CONNECT db.test:5432", "it sent \(line)")
            try await trial.expectEcho(on: stream)
        },
        ConformanceCase(
            .upgrade, "invalid", "a handshake that cannot be written is rejected before anything is sent",
            needs: .upgrade, peer: .keeping()
        ) { trial in
            var withContent = trial.upgradeRequest()
            withContent.body = .bytes(Data("x".utf8))
            var withField = trial.upgradeRequest()
            withField.head.headerFields[.upgrade] = "echo"
            var malformed = trial.request()
            malformed.upgrade = .token("e cho")
            var portless = trial.request()
            portless.upgrade = .tunnel(to: "db.test")
            for request in [withContent, withField, malformed, portless] {
                let error = await trial.exchange(request).error
                trial.expect(
                    error?.code == .invalidRequest && error?.processing == .notSent,
                    "it failed with \(error?.description ?? "nothing")"
                )
            }
            trial.expect(trial.peer.requests.isEmpty, "a request was sent")
        },
    ]
}

extension ConformanceTrial {
    fileprivate func upgradeRequest() -> TransportRequest {
        var request = request()
        request.upgrade = .token("echo")
        return request
    }

    fileprivate func upgraded(
        _ request: TransportRequest? = nil
    ) async throws -> (head: HTTPResponse, stream: any DuplexStream) {
        let response = try await transport.send(request ?? upgradeRequest())
        return (response.head, try require(response.stream, "the upgrade was taken for declined"))
    }

    /// Expects that the peer has sent "hi " and echoes what it receives.
    fileprivate func expectEcho(on stream: any DuplexStream) async throws {
        try await stream.write(Data("there".utf8))
        try await stream.finishWriting()
        var text = ""
        while let data = try await stream.read() { text += String(decoding: data, as: UTF8.self) }
        expect(text == "hi there", "got \(text)")
        stream.close()
    }
}
