internal import AirframeTransport
internal import HTTPTypes

extension ConformanceCase {
    private static let chunks = "2\r\nok\r\n0\r\n\r\n"

    private static func coding(_ name: String, _ lines: String, _ title: String) -> ConformanceCase {
        answer(.head, "coding.\(name)", title, "HTTP/1.1 200 OK\r\n\(lines)\r\n\r\n\(chunks)", due: .malformedHead)
    }

    /// Transfer codings that frame a message, and those that do not.
    static let codings: [ConformanceCase] = [
        coding("unknown", "Transfer-Encoding: rot13", "an unknown transfer coding is rejected (RFC 9112 §6.1)"),
        coding("gzip", "Transfer-Encoding: gzip", "a transfer coding that was not offered is rejected"),
        coding(
            "gzip-chunked", "Transfer-Encoding: gzip, chunked",
            "a transfer coding beneath chunked that was not offered is rejected"),
        coding(
            "chunked-not-last", "Transfer-Encoding: chunked, gzip",
            "chunked that is not the last coding is rejected (§6.3)"),
        coding(
            "chunked-identity", "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity",
            "chunked that is not the last coding is rejected in two fields too"),
        coding("chunked-twice", "Transfer-Encoding: chunked, chunked", "chunked that is applied twice is rejected"),
        coding("identity", "Transfer-Encoding: identity", "identity is rejected as a transfer coding"),
        coding("empty", "Transfer-Encoding:", "an empty list of transfer codings is rejected"),
        coding(
            "empty-member", "Transfer-Encoding: , chunked", "an empty member of a list of transfer codings is rejected"),
        coding("parameter", "Transfer-Encoding: chunked;q=1", "chunked with a parameter is rejected"),
        coding("almost", "Transfer-Encoding: chunkedchunked", "a name that is similar to chunked is rejected"),
        coding(
            "length", "Transfer-Encoding: chunked\r\nContent-Length: 2",
            "a length together with a transfer coding is rejected (§6.3)"),
        coding(
            "length-before", "Content-Length: 2\r\nTransfer-Encoding: chunked",
            "a length before a transfer coding is rejected as well"),
        ConformanceCase(
            .head, "coding.folded", "a folded transfer coding means the same as an unfolded one (RFC 9112 §5.2)",
            peer: .keeping("HTTP/1.1 200 OK\r\nTransfer-Encoding:\r\n chunked\r\n\r\n\(chunks)")
        ) { trial in
            // The peer keeps the connection open, so its end does not end the content.
            for _ in 0..<2 { trial.judge(await trial.get(), .whole("ok")) }
        },
        coding(
            "folded-list", "Transfer-Encoding: chunked,\r\n gzip",
            "a folded list with another transfer coding is rejected"),
        ConformanceCase(
            .head, "coding.1.0", "chunks in HTTP/1.0 are decoded, and the connection is not reused (RFC 9112 §6.1)",
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
            .head, "empty-line.four", "four empty lines before the status line are skipped",
            "\r\n\r\n\r\n\r\n" + Answer.ok(), then: .keep, due: .whole("ok")),
        answer(
            .head, "empty-line.chunked", "chunked content after an empty line is decoded",
            "\r\n" + Answer.chunked("2;a=b\r\nok\r\n0\r\nX-A: b\r\n\r\n"), then: .keep, due: .whole("ok")),
        answer(
            .head, "empty-line.until-close", "content after an empty line may end with the connection",
            "\r\nHTTP/1.1 200 OK\r\n\r\nok", due: .whole("ok")),
        answer(
            .head, "empty-line.cut", "content after an empty line that is too short is truncated",
            "\r\nHTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nok",
            due: .truncated),
        answer(
            .head, "empty-line.five", "five empty lines before the status line are rejected",
            String(repeating: "\r\n", count: 5) + Answer.ok(),
            due: .malformedHead),
        answer(
            .head, "empty-line.informational", "an empty line may precede the final response after a 100",
            "HTTP/1.1 100 Continue\r\n\r\n\r\n" + Answer.ok("ok", "X-A: b"), then: .keep, due: .whole("ok")),
        ConformanceCase(
            .head, "empty-line.dribble", "an empty line may arrive a byte at a time",
            peer: PeerScenario(
                .readRequest, .trickle(Array(("\r\n" + Answer.ok()).utf8), pause: .microseconds(200)), .awaitClose)
        ) { trial in
            trial.judge(await trial.get(), .whole("ok"))
        },
        answer(
            .head, "empty-line.bare", "a bare line feed before the status line is rejected", "\n" + Answer.ok(),
            due: .malformedHead),
    ]
}
