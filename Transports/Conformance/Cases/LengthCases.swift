internal import AirframeTransport

extension ConformanceCase {
    private static func announcing(_ lines: String..., body: String = "ok") -> String {
        Answer.head(fields: lines) + body
    }

    static let length: [ConformanceCase] =
        [
            answer(
                .length, "exact", "a body has the length that was announced", Answer.ok("exact"), then: .keep,
                due: .whole("exact")),
            ConformanceCase(
                .length, "announced", "the caller gets the announced length, or none if none was announced",
                peer: PeerScenario(connections: [
                    [.readRequest, .send(Answer.ok("12345")), .close],
                    [.readRequest, .send(Answer.chunked("2\r\nab\r\n0\r\n\r\n")), .close],
                    [.readRequest, .send("HTTP/1.1 200 OK\r\n\r\nend"), .close],
                ])
            ) { trial in
                var lengths: [Int64?] = []
                for _ in 0..<3 { lengths.append(await trial.get().expectedLength) }
                trial.expect(lengths == [5, nil, nil], "the lengths are \(lengths)")
            },
            answer(
                .length, "until-close", "without length and chunks the body ends with the connection (RFC 9112 §6.3)",
                "HTTP/1.1 200 OK\r\n\r\nuntil the end", due: .whole("until the end")
            ),
            answer(
                .length, "until-close.empty", "a body that ends with the connection may be empty",
                "HTTP/1.1 200 OK\r\n\r\n", due: .whole("")
            ),
            answer(
                .length, "until-reset", "a reset does not end a body properly", "HTTP/1.1 200 OK\r\n\r\nuntil",
                then: .reset,
                due: .broken([.connectionLost, .bodyTruncated], in: [.responseBody])
            ),
            answer(
                .length, "too-short.close", "a body that is shorter than its length is truncated",
                announcing("Content-Length: 5"),
                due: .truncated
            ),
            answer(
                .length, "too-short.nothing", "a body without any byte is truncated",
                announcing("Content-Length: 5", body: ""),
                due: .truncated
            ),
            answer(
                .length, "too-short.reset", "a body whose connection is reset is truncated",
                announcing("Content-Length: 5"), then: .reset,
                due: .cutBody
            ),
            ConformanceCase(
                .length, "too-long", "bytes beyond the length are neither content nor the next response",
                peer: PeerScenario(
                    connections: [
                        [
                            .readRequest, .send(Answer.ok("ok") + Answer.ok("stray")), .mark("sent"),
                            .forever([.readRequest, Answer.target]),
                        ],
                        [.forever([.readRequest, Answer.target])],
                    ]
                )
            ) { trial in
                trial.judge(await trial.get(), .whole("ok"))
                try await trial.reach("sent")
                trial.judge(await trial.get("/next"), .whole("/next"))
            },
            answer(
                .length, "two.same", "two equal lengths count as one, or are an error (RFC 9112 §6.3)",
                announcing("Content-Length: 2", "Content-Length: 2"), due: .wholeOrBroken("ok")
            ),
            answer(
                .length, "two.differ", "two different lengths are an error, regardless of the body",
                announcing("Content-Length: 2", "Content-Length: 5", body: "okokok"), due: .malformedHead
            ),
            answer(
                .length, "list.same", "a list of equal lengths counts as one, or is an error",
                announcing("Content-Length: 2, 2"),
                due: .wholeOrBroken("ok")
            ),
            answer(
                .length, "list.differ", "a list of lengths that differ is an error",
                announcing("Content-Length: 2, 5", body: "okokok"), due: .malformedHead
            ),
        ] + malformed + [
            answer(
                .length, "largest", "a length of 2⁶³−1 is valid, and a shorter body is truncated",
                announcing("Content-Length: 9223372036854775807"), due: .truncated
            ),
            answer(
                .length, "leading-zeros", "leading zeros of a length are accepted", announcing("Content-Length: 0002"),
                then: .keep, due: .whole("ok")
            ),
            answer(
                .length, "with-chunks",
                "with both, chunks take precedence over a length, or the message is an error (RFC 9112 §6.3)",
                announcing("Content-Length: 4", "Transfer-Encoding: chunked", body: "2\r\nok\r\n0\r\n\r\n"),
                due: .wholeOrBroken("ok")
            ),
        ]

    private static let malformed: [ConformanceCase] = [
        ("negative", "-2"), ("plus", "+2"), ("hexadecimal", "0x2"), ("fraction", "2.0"), ("letters", "2x"),
        ("blank-inside", "2 2"), ("overflow", "18446744073709551618"),
        ("overflow.far", String(repeating: "9", count: 40)),
        ("empty-member", "2,"), ("only-comma", ","),
    ].map { name, value in
        answer(
            .length, "malformed.\(name)", "\(value.prefix(24)) is not a length (RFC 9110 §8.6)",
            announcing("Content-Length: \(value)"), due: .malformedHead
        )
    }
}
