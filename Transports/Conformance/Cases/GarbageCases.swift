internal import AirframeTransport

extension ConformanceCase {
    static let garbage: [ConformanceCase] = [
        answer(
            .garbage, "mail-server", "the greeting of a mail server is rejected", "220 mail.test ESMTP\r\n",
            due: .malformedHead),
        answer(
            .garbage, "page", "a page without a head (HTTP/0.9) is rejected", "<html>hello</html>",
            due: .malformedHead),
        answer(
            .garbage, "http2", "frames of HTTP/2 are rejected", "\u{0}\u{0}\u{12}\u{4}\u{0}\u{0}\u{0}\u{0}\u{0}",
            due: .malformedHead),
        answer(
            .garbage, "http2-preface", "the preface of HTTP/2 is rejected", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
            due: .malformedHead),
        answer(
            .garbage, "request", "a request instead of a response is rejected", "GET / HTTP/1.1\r\nHost: x\r\n\r\n",
            due: .malformedHead),
        answer(
            .garbage, "tls-alert", "a TLS alert instead of a response is rejected",
            "\u{15}\u{3}\u{1}\u{0}\u{2}\u{2}\u{50}", due: .malformedHead),
        answer(.garbage, "lines", "empty lines instead of a response are rejected", "\r\n\r\n\r\n\r\n", due: .cutHead),
        ConformanceCase(
            .garbage, "noise", "random bytes are rejected and do not break the engine",
            peer: PeerScenario(.readRequest, .reply { Noise.bytes(seed: $0.target) }, .close)
        ) { trial in
            for seed in 0..<20 {
                let codes: [TransportError.Code] = [.malformedResponse, .headTooLarge, .connectionLost]
                trial.judge(await trial.get("/\(seed)"), .broken(codes, in: [.responseHead]))
            }
        },
        ConformanceCase(
            .garbage, "noise-in-head", "random bytes after a status line are rejected",
            peer: PeerScenario(
                .readRequest, .send("HTTP/1.1 200 OK\r\n"), .reply { Noise.bytes(seed: $0.target) }, .close)
        ) { trial in
            for seed in 0..<20 {
                let codes: [TransportError.Code] = [.malformedResponse, .headTooLarge, .connectionLost]
                trial.judge(await trial.get("/\(seed)"), .broken(codes, in: [.responseHead]))
            }
        },
        ConformanceCase(
            .garbage, "before-the-request", "bytes before the request never cause a crash",
            peer: PeerScenario(.send("SSH-2.0-OpenSSH_9.2\r\n"), .readRequest, .send(Answer.ok()), .close)
        ) { trial in
            trial.judge(await trial.get(), .broken([.malformedResponse], in: [.responseHead]))
        },
        ConformanceCase(
            .garbage, "plain-to-tls", "a server that does not speak TLS fails the handshake, and nothing was sent",
            needs: .tls, peer: PeerScenario(.send("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"), .awaitClose)
        ) { trial in
            let outcome = await trial.exchange(trial.request(scheme: "https"))
            trial.judge(outcome, .broken([.tlsFailed], in: [.tls]))
            trial.expect(outcome.error?.processing == .notSent, "not reported as not sent: \(outcome.summary)")
        },
    ]
}

/// Pseudo-random bytes that no parser takes for the start of a response.
enum Noise {
    static func bytes(seed: String) -> [UInt8] {
        var state = seed.utf8.reduce(UInt64(0x9E37_79B9_7F4A_7C15)) { ($0 ^ UInt64($1)) &* 0x0100_0000_01B3 }
        return [0]
            + (0..<512).map { _ in
                state ^= state << 13
                state ^= state >> 7
                state ^= state << 17
                return UInt8(truncatingIfNeeded: state >> 24)
            }
    }
}
