internal import AirframeTransport
internal import HTTPTypes

extension ConformanceCase {
    /// Bytes that follow a response: the response is valid, but its connection is not reused.
    static let surplus: [ConformanceCase] = [
        surplus("204", "a 204", status: 204, "", "HTTP/1.1 204 No Content\r\n\r\n"),
        surplus("304", "a 304", status: 304, "", "HTTP/1.1 304 Not Modified\r\nContent-Length: 2\r\n\r\n"),
        surplus("head", "a response to HEAD", method: .head, "", Answer.head(fields: ["Content-Length: 2"])),
        surplus("length.0", "content of length 0", "", Answer.ok("")),
        surplus("length", "content of a length", "ok", Answer.ok("ok")),
        surplus("chunked", "the last chunk", "ok", Answer.chunked("2\r\nok\r\n0\r\n\r\n")),
        surplus("chunked.trailers", "trailers", "ok", Answer.chunked("2\r\nok\r\n0\r\nX-A: b\r\n\r\n")),
    ]

    private static func surplus(
        _ name: String,
        _ end: String,
        method: HTTPRequest.Method = .get,
        status: Int = 200,
        _ text: String,
        _ response: String
    ) -> ConformanceCase {
        let stray = Answer.ok("stray")
        return ConformanceCase(
            .content, "surplus.\(name)",
            "bytes after \(end) end the connection and are not a response (RFC 9112 §9.2)",
            peer: PeerScenario(
                connections: [
                    [.readRequest, .send(response + stray), .forever([.readRequest, Answer.target])],
                    [.forever([.readRequest, Answer.target])],
                ]
            )
        ) { trial in
            let outcome = await trial.exchange(trial.request(method))
            trial.judge(outcome, .status(status, text))
            let isKept = if case .kept = outcome.events.fate { true } else { false }
            trial.expect(!isKept, "the connection is reported as kept")
            trial.judge(await trial.get("/next"), .whole("/next"))
            trial.expect(trial.peer.connections.count == 2, "\(trial.peer.connections.count) connections were made")
        }
    }
}
