internal import AirframeTransport
internal import HTTPTypes

extension ConformanceCase {
    private static let chunks = "2\r\nok\r\n0\r\n\r\n"

    private static func coding(_ name: String, _ lines: String, _ title: String) -> ConformanceCase {
        answer(.head, "coding.\(name)", title, "HTTP/1.1 200 OK\r\n\(lines)\r\n\r\n\(chunks)", due: .malformedHead)
    }

    /// Transfer codings that frame a message, and those that do not.
    static let codings: [ConformanceCase] = [
        coding("unknown", "Transfer-Encoding: rot13", "an unknown transfer coding is refused (RFC 9112 §6.1)"),
        coding("gzip", "Transfer-Encoding: gzip", "so is one that was not offered"),
        coding("gzip-chunked", "Transfer-Encoding: gzip, chunked", "also beneath chunked"),
        coding(
            "chunked-not-last", "Transfer-Encoding: chunked, gzip", "chunked that is not last frames nothing (§6.3)"),
        coding(
            "chunked-identity", "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity", "in two fields neither"),
        coding("chunked-twice", "Transfer-Encoding: chunked, chunked", "nor does chunked twice"),
        coding("identity", "Transfer-Encoding: identity", "identity is no transfer coding"),
        coding("empty", "Transfer-Encoding:", "a list of no coding is refused"),
        coding("empty-member", "Transfer-Encoding: , chunked", "an empty member is a member"),
        coding("parameter", "Transfer-Encoding: chunked;q=1", "chunked has no parameters"),
        coding("almost", "Transfer-Encoding: chunkedchunked", "and no other name"),
        coding(
            "length", "Transfer-Encoding: chunked\r\nContent-Length: 2", "a length beside a coding is refused (§6.3)"),
        coding("length-before", "Content-Length: 2\r\nTransfer-Encoding: chunked", "in any order"),
        ConformanceCase(
            .head, "coding.folded", "a folded coding means the same as the unfolded one (RFC 9112 §5.2)",
            peer: .keeping("HTTP/1.1 200 OK\r\nTransfer-Encoding:\r\n chunked\r\n\r\n\(chunks)")
        ) { trial in
            // The peer keeps the connection open, so its end does not end the content.
            for _ in 0..<2 { trial.judge(await trial.get(), .whole("ok")) }
        },
        coding("folded-list", "Transfer-Encoding: chunked,\r\n gzip", "and refused when it is another"),
        ConformanceCase(
            .head, "coding.1.0", "chunks in HTTP/1.0 are read, and end the connection (RFC 9112 §6.1)",
            peer: PeerScenario(
                connections: [
                    [
                        .readRequest,
                        .send(
                            "HTTP/1.0 200 OK\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n\(chunks)"),
                        .awaitClose,
                    ],
                    [.forever([.readRequest, Answer.target])],
                ]
            )
        ) { trial in
            trial.judge(await trial.get(), .whole("ok"))
            trial.judge(await trial.get("/next"), .whole("/next"))
        },
    ]

    /// Empty lines before a status line: some servers end an informational response with one too many.
    static let emptyLines: [ConformanceCase] = [
        answer(
            .head, "empty-line.one", "an empty line before the status line is skipped", "\r\n" + Answer.ok(),
            then: .keep, due: .whole("ok")),
        answer(
            .head, "empty-line.four", "so are four", "\r\n\r\n\r\n\r\n" + Answer.ok(), then: .keep, due: .whole("ok")),
        answer(
            .head, "empty-line.chunked", "the content is framed as ever",
            "\r\n" + Answer.chunked("2;a=b\r\nok\r\n0\r\nX-A: b\r\n\r\n"), then: .keep, due: .whole("ok")),
        answer(
            .head, "empty-line.until-close", "also up to the end of the connection",
            "\r\nHTTP/1.1 200 OK\r\n\r\nok", due: .whole("ok")),
        answer(
            .head, "empty-line.cut", "and is cut as ever", "\r\nHTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nok",
            due: .truncated),
        answer(
            .head, "empty-line.five", "five are refused", String(repeating: "\r\n", count: 5) + Answer.ok(),
            due: .malformedHead),
        answer(
            .head, "empty-line.informational", "an empty line may precede the final response after a 100",
            "HTTP/1.1 100 Continue\r\n\r\n\r\n" + Answer.ok("ok", "X-A: b"), then: .keep, due: .whole("ok")),
        ConformanceCase(
            .head, "empty-line.dribble", "also a byte at a time",
            peer: PeerScenario(
                .readRequest, .trickle(Array(("\r\n" + Answer.ok()).utf8), pause: .microseconds(200)), .awaitClose)
        ) { trial in
            trial.judge(await trial.get(), .whole("ok"))
        },
        answer(
            .head, "empty-line.bare", "a bare line feed is no empty line", "\n" + Answer.ok(), due: .malformedHead),
    ]
}
