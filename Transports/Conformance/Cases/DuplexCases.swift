internal import AirframeTransport
internal import FoundationEssentials
internal import HTTPTypes

extension ConformanceCase {
    static let duplex: [ConformanceCase] = [
        ConformanceCase(
            .duplex, "echo", "a response is read while the request is being sent",
            needs: .fullDuplex,
            peer: PeerScenario(.readHead, .send(Answer.chunked("")), .echoChunks, .send("\r\n"), .awaitClose)
        ) { trial in
            let words = ["one", "two", "three", "four"]
            let heard = PeerSignals()
            // Each word is sent when the previous one has been echoed.
            let source = CountingSource(words) { number in
                if number > 0 { await heard.wait(for: "\(number)") }
            }
            let response = try await trial.transport.send(trial.request(.post, body: .oneShot(source)))
            var text = ""
            while let chunk = try await response.body.next() {
                text += String(decoding: chunk, as: UTF8.self)
                for number in 1...words.count where text.hasPrefix(words.prefix(number).joined()) {
                    heard.open("\(number)")
                }
            }
            trial.expect(text == words.joined(), "got \(text)")
        },
        ConformanceCase(
            .duplex, "early-head", "a head that arrives before the request's end is delivered immediately",
            needs: .fullDuplex,
            peer: PeerScenario(
                .readHead, .send(Answer.chunked("2\r\nok\r\n")), .readBody, .send("0\r\n\r\n"), .awaitClose)
        ) { trial in
            let gate = PeerSignals()
            let source = CountingSource(["first", "last"]) { number in
                if number == 1 { await gate.wait(for: "head") }
            }
            let response = try await trial.transport.send(trial.request(.post, body: .oneShot(source)))
            trial.expect(response.head.status == 200, "status \(response.head.status)")
            gate.open("head")
            let data = try await response.body.collect(upTo: 100)
            trial.expect(data == Data("ok".utf8), "the body is \(String(decoding: data, as: UTF8.self))")
        },
        ConformanceCase(
            .duplex, "early-response.close", "the response of a server that closes during an upload is delivered",
            peer: PeerScenario(
                .readHead,
                .send(Answer.head("413 Content Too Large", fields: ["Content-Length: 2", "Connection: close"]) + "no"),
                .finishWriting, .awaitClose
            )
        ) { trial in
            let body = RequestBody.oneShot(length: 24 << 20, CountingSource(size: 24 << 20, pieces: 96))
            trial.judge(await trial.exchange(trial.request(.post, body: body)), .status(413, "no"))
        },
        ConformanceCase(
            .duplex, "early-response.drain", "a server that responds early and reads on keeps its connection",
            peer: PeerScenario(.forever([.readHead, .send(Answer.ok()), .readBody]))
        ) { trial in
            let body = RequestBody.oneShot(length: 1 << 20, CountingSource(size: 1 << 20, pieces: 16))
            trial.judge(await trial.exchange(trial.request(.post, body: body)), .whole("ok"))
            trial.judge(await trial.get(), .whole("ok"))
        },
    ]
}
