internal import AirframeTransport

extension ConformanceCase {
    static let garbage: [ConformanceCase] = [
        answer(
            .garbage, "mail-server", "the greeting of a mail server is no response", "220 mail.test ESMTP\r\n",
            due: .malformedHead),
        answer(
            .garbage, "page", "a page without a head (HTTP/0.9) is no response", "<html>hello</html>",
            due: .malformedHead),
        answer(
            .garbage, "http2", "frames of HTTP/2 are no response", "\u{0}\u{0}\u{12}\u{4}\u{0}\u{0}\u{0}\u{0}\u{0}",
            due: .malformedHead),
        answer(
            .garbage, "http2-preface", "nor is HTTP/2's preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
            due: .malformedHead),
        answer(.garbage, "request", "nor is a request", "GET / HTTP/1.1\r\nHost: x\r\n\r\n", due: .malformedHead),
        answer(
            .garbage, "tls-alert", "nor is a TLS alert", "\u{15}\u{3}\u{1}\u{0}\u{2}\u{2}\u{50}", due: .malformedHead),
        answer(.garbage, "lines", "nor are empty lines", "\r\n\r\n\r\n\r\n", due: .cutHead),
        ConformanceCase(
            .garbage, "noise", "noise is no response, and does not break the engine",
            peer: PeerScenario(.readRequest, .reply { Noise.bytes(seed: $0.target) }, .close)
        ) { trial in
            for seed in 0..<20 {
                let codes: [TransportError.Code] = [.malformedResponse, .headTooLarge, .connectionLost]
                trial.judge(await trial.get("/\(seed)"), .broken(codes, in: [.responseHead]))
            }
        },
        ConformanceCase(
            .garbage, "noise-in-head", "nor is noise after a status line",
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
            .garbage, "plain-to-tls", "a server that speaks no TLS fails the handshake; nothing was sent",
            needs: .tls, peer: PeerScenario(.send("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"), .awaitClose)
        ) { trial in
            let outcome = await trial.exchange(trial.request(scheme: "https"))
            trial.judge(outcome, .broken([.tlsFailed], in: [.tls]))
            trial.expect(outcome.error?.processing == .notSent, "not told as not sent: \(outcome.summary)")
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
