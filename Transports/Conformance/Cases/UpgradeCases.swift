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
            try await stream.write(Data("there".utf8))
            try await stream.finishWriting()
            var text = ""
            while let data = try await stream.read() { text += String(decoding: data, as: UTF8.self) }
            trial.expect(text == "hi there", "came back: \(text)")
            stream.close()
        },
        ConformanceCase(
            .upgrade, "closed", "a stream that is closed closes its connection",
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
            let door = try trial.require(trial.transport.upgrading, "there is no second door")
            guard case .declined(let response) = try await door.upgrade(trial.upgradeRequest) else {
                return trial.fail("the stream was taken for upgraded")
            }
            let data = try await response.body.collect(upTo: 100)
            trial.expect(data == Data("ok".utf8), "the response is \(String(decoding: data, as: UTF8.self))")
        },
    ]
}

extension ConformanceTrial {
    fileprivate var upgradeRequest: TransportRequest {
        request(fields: [.connection: "upgrade", .upgrade: "echo"])
    }

    fileprivate func upgraded() async throws -> (head: HTTPResponse, stream: any DuplexStream) {
        let door = try require(transport.upgrading, "there is no second door")
        guard case .upgraded(let head, let stream, _) = try await door.upgrade(upgradeRequest) else {
            fail("the upgrade was taken for declined")
            throw Broken()
        }
        return (head, stream)
    }
}
