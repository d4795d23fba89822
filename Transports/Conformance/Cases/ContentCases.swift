internal import AirframeTransport
internal import HTTPTypes

extension ConformanceCase {
    /// A response without content on a connection that stays open: later bytes must not be read as content.
    private static func empty(
        _ name: String,
        _ title: String,
        method: HTTPRequest.Method = .get,
        status: Int,
        _ head: String
    ) -> ConformanceCase {
        ConformanceCase(
            .content, name, title, alsoAt: [.connections],
            peer: PeerScenario(.readRequest, .send(head), .forever([.readRequest, Answer.target]))
        ) { trial in
            let outcome = await trial.exchange(trial.request(method))
            trial.judge(outcome, .status(status, ""))
            trial.expect(outcome.expectedLength ?? 0 == 0, "\(outcome.expectedLength ?? 0) bytes are expected")
            trial.judge(await trial.get("/next"), .whole("/next"))
            trial.expect(trial.peer.connections.count == 1, "the connection was not kept")
        }
    }

    static let content: [ConformanceCase] = [
        empty(
            "head.length", "a response to HEAD has no content, whatever length it announces (RFC 9110 §9.3.2)",
            method: .head,
            status: 200, Answer.head(fields: ["Content-Length: 1000"])
        ),
        empty(
            "head.chunked", "a response to HEAD has no content, even if it announces chunks", method: .head,
            status: 200, Answer.chunked("")
        ),
        empty(
            "head.error", "an error response to HEAD has no content either", method: .head, status: 404,
            "HTTP/1.1 404 X\r\nContent-Length: 9\r\n\r\n"),
        empty("204", "a 204 has no content (RFC 9110 §15.3.5)", status: 204, "HTTP/1.1 204 No Content\r\n\r\n"),
        empty("304", "a 304 has no content (RFC 9110 §15.4.5)", status: 304, "HTTP/1.1 304 Not Modified\r\n\r\n"),
        empty(
            "304.length", "a 304 may announce the length of a 200's content", status: 304,
            "HTTP/1.1 304 Not Modified\r\nContent-Length: 1000\r\n\r\n"
        ),
        empty(
            "205", "a 205 of length 0 is empty (RFC 9110 §15.3.6)", status: 205,
            "HTTP/1.1 205 X\r\nContent-Length: 0\r\n\r\n"),
        empty(
            "200.zero", "a length of 0 ends the body immediately", status: 200,
            "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"),
        ConformanceCase(
            .content, "head.keeps-fields", "a response to HEAD keeps the fields that a GET's would have",
            peer: .keeping(Answer.head(fields: ["Content-Length: 1000", "Content-Type: text/plain"]))
        ) { trial in
            let outcome = await trial.exchange(trial.request(.head))
            trial.expect(outcome.values("Content-Length") == ["1000"], "\(outcome.values("Content-Length"))")
            trial.expect(outcome.values("Content-Type") == ["text/plain"], "\(outcome.values("Content-Type"))")
        },
        ConformanceCase(
            .content, "204.with-body", "bytes after a 204 are never part of another response",
            peer: PeerScenario(
                connections: [
                    [
                        .readRequest, .send("HTTP/1.1 204 No Content\r\nContent-Length: 5\r\n\r\nhello"),
                        .forever([.readRequest, Answer.target]),
                    ],
                    [.forever([.readRequest, Answer.target])],
                ]
            )
        ) { trial in
            let outcome = await trial.get()
            trial.judge(outcome, .anything)
            if outcome.isWhole { trial.expect(outcome.data.isEmpty, "the 204 has content: \(outcome.text)") }
            let next = await trial.get("/next")
            if next.isWhole { trial.expect(next.text == "/next", "the next response is \(next.text)") }
        },
    ]
}
