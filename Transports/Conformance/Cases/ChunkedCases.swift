internal import AirframeTransport
internal import HTTPTypes

extension ConformanceCase {
    /// A case of a response in the chunked coding.
    static func chunks(
        _ name: String,
        _ title: String,
        _ rest: String,
        then end: AnswerEnd = .close,
        due expected: Expected
    ) -> ConformanceCase {
        answer(.chunked, name, title, Answer.chunked(rest), then: end, due: expected)
    }

    static let chunked: [ConformanceCase] = sound + trailers + brokenChunks

    private static let sound: [ConformanceCase] = [
        chunks(
            "plain", "chunks are joined (RFC 9112 §7.1)", "2\r\nab\r\n3\r\ncde\r\n0\r\n\r\n", then: .keep,
            due: .whole("abcde")),
        chunks("empty", "a last chunk without others is an empty body", "0\r\n\r\n", then: .keep, due: .whole("")),
        chunks(
            "upper-case", "sizes are hexadecimal, in any case", "A\r\n0123456789\r\na\r\n0123456789\r\n0\r\n\r\n",
            then: .keep, due: .whole("01234567890123456789")),
        chunks(
            "leading-zeros", "sizes may have leading zeros", "0002\r\nab\r\n000\r\n\r\n", then: .keep, due: .whole("ab")
        ),
        chunks(
            "extension", "extensions are ignored (RFC 9112 §7.1.1)", "2;a=b;c\r\nab\r\n0;last=\"x;y\"\r\n\r\n",
            then: .keep, due: .whole("ab")),
        chunks(
            "extension.blanks", "extensions may have whitespace around them", "2 ; a = b\r\nab\r\n0\r\n\r\n",
            then: .keep,
            due: .wholeOrBroken("ab")),
        chunks(
            "line-feed-in-data", "the data of a chunk may contain the bytes of a last chunk",
            "7\r\n0\r\n\r\n0\r\r\n0\r\n\r\n", then: .keep, due: .whole("0\r\n\r\n0\r")),
        chunks(
            "many", "ten thousand chunks of one byte form a body",
            String(repeating: "1\r\nx\r\n", count: 10_000) + "0\r\n\r\n", then: .keep,
            due: .whole(String(repeating: "x", count: 10_000))),
        chunks(
            "large", "a chunk may have 1 MiB",
            "100000\r\n" + String(repeating: "x", count: 1 << 20) + "\r\n0\r\n\r\n", then: .keep,
            due: .whole(String(repeating: "x", count: 1 << 20))),
        answer(
            .chunked, "coding.case", "the coding's name is not case-sensitive (RFC 9112 §7)",
            "HTTP/1.1 200 OK\r\ntransfer-encoding: Chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n", then: .keep, due: .whole("ab")),
        ConformanceCase(
            .chunked, "dribble", "chunks may arrive a byte at a time",
            peer: PeerScenario(
                .readRequest,
                .trickle(
                    Array(Answer.chunked("2;x=y\r\nab\r\n3\r\ncde\r\n0\r\nX-T: 1\r\n\r\n").utf8),
                    pause: .microseconds(200)),
                .awaitClose
            )
        ) { trial in
            trial.judge(await trial.get(), .whole("abcde"))
        },
        ConformanceCase(
            .chunked, "kept", "the connection is reused after the last chunk", alsoAt: [.connections],
            peer: .keeping(Answer.chunked("2\r\nab\r\n0\r\n\r\n"))
        ) { trial in
            for _ in 0..<3 { trial.judge(await trial.get(), .whole("ab")) }
            trial.expect(trial.peer.connections.count == 1, "\(trial.peer.connections.count) connections were made")
        },
    ]

    private static let trailers: [ConformanceCase] = [
        ConformanceCase(
            .chunked, "trailers",
            "trailer fields are available after the end, and are not header fields (RFC 9110 §6.5)",
            needs: .responseTrailers,
            peer: .keeping(Answer.chunked("2\r\nab\r\n0\r\nX-Sum: 1\r\nX-Sum: 2\r\n\r\n"))
        ) { trial in
            let outcome = await trial.get()
            trial.judge(outcome, .whole("ab"))
            let sum = try trial.require(HTTPField.Name("X-Sum"), "no name")
            let values = outcome.trailers?[values: sum] ?? []
            trial.expect(values == ["1", "2"], "the trailers are \(values)")
            trial.expect(outcome.values("X-Sum").isEmpty, "they became header fields")
            trial.expectOrder(["responseBodyReceived", "trailers", "released"], outcome.events)
            trial.judge(await trial.get(), .whole("ab"))
            trial.expectOneConnection()
        },
        ConformanceCase(
            .chunked, "trailers.none", "a response without trailer fields has no trailers",
            peer: .keeping(Answer.chunked("2\r\nab\r\n0\r\n\r\n"))
        ) { trial in
            let outcome = await trial.get()
            trial.judge(outcome, .whole("ab"))
            trial.expect(outcome.trailers?.isEmpty ?? true, "the trailers are \(String(describing: outcome.trailers))")
            trial.expect(!outcome.events.contains("trailers"), "trailers were reported")
        },
        ConformanceCase(
            .chunked, "trailers.no-framing", "a length in a trailer section does not frame anything",
            peer: .keeping(Answer.chunked("2\r\nab\r\n0\r\nContent-Length: 100\r\nTransfer-Encoding: x\r\n\r\n"))
        ) { trial in
            trial.judge(await trial.get(), .whole("ab"))
            trial.judge(await trial.get(), .whole("ab"))
        },
        ConformanceCase(
            .chunked, "trailers.endless", "an endless trailer section fails the exchange",
            peer: PeerScenario(
                .readRequest, .send(Answer.chunked("2\r\nab\r\n0\r\n")),
                .flood(Array("X-Filler: xxxxxxxx\r\n".utf8), total: nil)
            )
        ) { trial in
            let codes: [TransportError.Code] = [.malformedResponse, .headTooLarge]
            trial.judge(await trial.get(), .broken(codes, in: [.responseBody]))
            try await trial.reach("closed")
        },
    ]
}
