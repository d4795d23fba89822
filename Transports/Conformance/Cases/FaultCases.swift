internal import AirframeTransport
internal import HTTPTypes

extension ConformanceCase {
    /// The faults that concern an engine.
    static let faults: [ConformanceCase] =
        (connectionFaults + framingFaults + headFaults + sequenceFaults + pooledFaults + uploadFaults).map(
            \.conformanceCase)

    private static let patience = Duration.seconds(1)
    private static let plenty = Duration.seconds(30)
    private static let partial = "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nabc"

    private static let connectionFaults: [Fault] = [
        Fault("connect-then-close", .error, PeerScenario(.close)),
        Fault("reset-at-accept", .error, PeerScenario(.reset)),
        Fault("close-after-request", .error, PeerScenario(.readRequest, .close)),
        Fault("reset-after-request", .error, PeerScenario(.readRequest, .reset)),
        Fault("no-response-stall", .error, .silent, within: patience),
        Fault("stall-in-status-line", .error, .answering("HTTP/1.1 20", then: .stall), within: patience),
        Fault("stall-in-header", .error, .answering("HTTP/1.1 200 OK\r\nConte", then: .stall), within: patience),
        Fault("stall-in-body", .error, .answering(partial, then: .stall), within: patience),
        Fault(
            "trickle-header-forever", .error,
            PeerScenario(
                .readRequest, .send("HTTP/1.1 200 OK\r\n"),
                .forever([.trickle(Array("X-A: b\r\n".utf8), pause: .milliseconds(20))])
            ),
            within: patience
        ),
        Fault(
            "trickle-body-forever", .error,
            PeerScenario(
                .readRequest, .send(Answer.chunked("")),
                .forever([.trickle(Array("1\r\nx\r\n".utf8), pause: .milliseconds(20))])
            ),
            within: patience
        ),
        Fault(
            "slow-but-fine", .ok,
            PeerScenario(.readRequest, .trickle(Array(Answer.ok().utf8), pause: .milliseconds(20)), .awaitClose),
            within: plenty
        ),
        Fault("close-in-status-line", .error, "HTTP/1.1 20"),
        Fault("close-in-header", .error, "HTTP/1.1 200 OK\r\nConte"),
        Fault("close-before-blank-line", .error, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n"),
        Fault("short-body-close", .error, partial),
        Fault("short-body-reset", .error, partial, then: .reset),
        Fault("eof-body-reset", .error, "HTTP/1.1 200 OK\r\n\r\nok", then: .reset),
        Fault("eof-body", .ok, "HTTP/1.1 200 OK\r\n\r\nok"),
    ]

    private static let framingFaults: [Fault] = [
        Fault("chunked-cut-in-size", .error, Answer.chunked("2")),
        Fault("chunked-cut-in-data", .error, Answer.chunked("5\r\nok")),
        Fault("chunked-no-last-chunk", .error, Answer.chunked("2\r\nok\r\n")),
        Fault("chunked-cut-in-trailer", .error, Answer.chunked("2\r\nok\r\n0\r\nX-A: ")),
        Fault("chunked-size-overflow", .error, Answer.chunked("ffffffffffffffff2\r\nok\r\n0\r\n\r\n")),
        Fault("chunked-size-negative", .error, Answer.chunked("-2\r\nok\r\n0\r\n\r\n")),
        Fault("chunked-size-0x", .error, Answer.chunked("0x2\r\nok\r\n0\r\n\r\n")),
        Fault("chunked-missing-crlf-after-data", .error, Answer.chunked("2\r\nok0\r\n\r\n")),
        Fault("chunked-with-trailers", .ok, Answer.chunked("2\r\nok\r\n0\r\nX-A: b\r\n\r\n"), then: .keep),
        Fault(
            "chunked-and-length", .any,
            Answer.head(fields: ["Content-Length: 2", "Transfer-Encoding: chunked"]) + "2\r\nok\r\n0\r\n\r\n"
        ),
        Fault("two-lengths-differ", .error, Answer.line("Content-Length: 1")),
        Fault("two-lengths-same", .any, Answer.line("Content-Length: 2")),
        Fault("length-negative", .error, Answer.head(fields: ["Content-Length: -2"]) + "ok"),
        Fault("length-plus", .error, Answer.head(fields: ["Content-Length: +2"]) + "ok"),
        Fault("length-overflow", .error, Answer.head(fields: ["Content-Length: 18446744073709551618"]) + "ok"),
        Fault("length-list-differ", .error, Answer.head(fields: ["Content-Length: 2, 1"]) + "ok"),
        Fault("te-unknown", .any, Answer.head(fields: ["Transfer-Encoding: rot13"]) + "ok"),
        Fault("te-chunked-not-last", .any, Answer.head(fields: ["Transfer-Encoding: chunked, gzip"]) + "ok"),
    ]

    private static let headFaults: [Fault] = [
        Fault("not-http", .error, "220 mail.test ESMTP\r\n"),
        Fault("http09", .error, "<html>ok</html>"),
        Fault("h2-preface-reply", .error, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
        Fault("http2-version", .error, "HTTP/2.0 200 OK\r\nContent-Length: 2\r\n\r\nok"),
        Fault("status-999999", .error, "HTTP/1.1 999999 X\r\nContent-Length: 2\r\n\r\nok"),
        Fault("status-abc", .error, "HTTP/1.1 abc X\r\nContent-Length: 2\r\n\r\nok"),
        Fault("status-no-reason", .ok, "HTTP/1.1 200\r\nContent-Length: 2\r\n\r\nok"),
        Fault("nul-in-header-value", .error, Answer.line("X-A: a\u{0}b")),
        Fault("nul-in-header-name", .error, Answer.line("X\u{0}A: b")),
        Fault("space-before-colon", .any, Answer.line("X-A : b")),
        Fault("no-colon", .any, Answer.line("nothing")),
        Fault("bare-cr-in-value", .error, Answer.line("X-A: a\rb")),
        Fault("obs-fold", .any, Answer.line("X-A: a\r\n b")),
        Fault(
            "latin1-header", .ok,
            PeerScenario(
                .readRequest,
                .sendBytes(
                    Array("HTTP/1.1 200 OK\r\nX-A: f".utf8) + [0xFC] + Array("r\r\nContent-Length: 2\r\n\r\nok".utf8)),
                .awaitClose
            )
        ),
        Fault("header-1-MiB", .any, Answer.line("X-A: " + String(repeating: "v", count: 1 << 20))),
        Fault("headers-100000", .any, Answer.line(String(repeating: "X-A: b\r\n", count: 99_999) + "X-A: b")),
        Fault(
            "header-endless", .error,
            PeerScenario(
                .readRequest, .send("HTTP/1.1 200 OK\r\nX-A: "),
                .flood([UInt8](repeating: 120, count: 4096), total: nil))
        ),
    ]

    private static let sequenceFaults: [Fault] = [
        Fault("1xx-then-200", .ok, "HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\n" + Answer.ok(), then: .keep),
        Fault(
            "1xx-endless", .error,
            PeerScenario(.readRequest, .flood(Array("HTTP/1.1 103 Early Hints\r\n\r\n".utf8), total: nil))
        ),
        Fault("101-unasked", .any, "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\nxxxx"),
        Fault("204-with-body", .any, "HTTP/1.1 204 No Content\r\nContent-Length: 2\r\n\r\nok"),
        Fault("304-with-length", .any, "HTTP/1.1 304 Not Modified\r\nContent-Length: 2\r\n\r\n"),
        Fault("head-with-length", .ok, .keeping(Answer.head(fields: ["Content-Length: 2"])), method: .head),
        Fault("extra-bytes-after-body", .ok, Answer.ok() + "extra", then: .keep),
    ]

    private static let pooledFaults: [Fault] = [
        // Sent while the connection is idle, and before the next request: bytes that arrive later look like that one's
        // response.
        pooled(
            "pooled-extra-response", .ok,
            [.await("pooled"), .send(Answer.ok("stray")), .mark("stray"), .awaitClose]
        ),
        pooled("pooled-idle-close", .ok, [.await("pooled"), .mark("idle-close"), .close]),
        pooled("pooled-close-on-second-request", .ok, [.readRequest, .close]),
        pooled("pooled-reset-on-second-request", .ok, [.readRequest, .reset]),
        pooled("pooled-post-not-replayed", .error, [.readRequest, .close], method: .post),
        pooled(
            "pooled-408", .any,
            [
                .await("pooled"),
                .send("HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"),
                .mark("idle-close"), .close,
            ]
        ),
    ]

    private static func pooled(
        _ name: String,
        _ requirement: Fault.Requirement,
        _ steps: [PeerStep],
        method: HTTPRequest.Method = .get
    ) -> Fault {
        let scenario = PeerScenario(
            connections: [[.readRequest, .send(Answer.ok())] + steps, [.forever([.readRequest, .send(Answer.ok())])]]
        )
        return Fault(name, requirement, scenario, method: method, upload: method == .post ? 5 : 0, isPooled: true)
    }

    private static let uploadFaults: [Fault] = [
        Fault(
            "early-response-to-upload", .any,
            PeerScenario(.readHead, .send(Answer.ok("ok", "Connection: close")), .close), method: .post,
            upload: 24 << 20
        ),
        Fault(
            "upload-never-read", .error, PeerScenario(.readHead, .await("never")), within: patience, method: .post,
            upload: 48 << 20),
        Fault("upload-reset-midway", .error, PeerScenario(.readHead, .reset), method: .post, upload: 24 << 20),
    ]
}
