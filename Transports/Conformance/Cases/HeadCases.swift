internal import AirframeTransport
internal import HTTPTypes

extension ConformanceCase {
    static let head: [ConformanceCase] = statusLines + soundFields + brokenFields + codings + emptyLines

    private static func statusLine(
        _ name: String,
        _ title: String,
        _ line: String,
        due expected: Expected
    ) -> ConformanceCase {
        answer(.head, "status.\(name)", title, "\(line)\r\nContent-Length: 2\r\n\r\nok", due: expected)
    }

    private static let statusLines: [ConformanceCase] = [
        statusLine(
            "reason", "a reason phrase may be any text (RFC 9112 §4)", "HTTP/1.1 200 Fine, thank you; and you?",
            due: .whole("ok")),
        statusLine("no-reason", "a reason phrase may be empty", "HTTP/1.1 200 ", due: .whole("ok")),
        statusLine(
            "no-reason-no-blank", "the space before an empty reason phrase may be missing", "HTTP/1.1 200",
            due: .whole("ok")),
        statusLine("599", "any number of three digits is a status", "HTTP/1.1 599 X", due: .status(599, "ok")),
        statusLine(
            "unknown", "an unknown status is accepted and treated as x00 of its class (RFC 9110 §15)", "HTTP/1.1 299 X",
            due: .status(299, "ok")),
        statusLine("1.0", "HTTP/1.0 is supported", "HTTP/1.0 200 OK", due: .whole("ok")),
        statusLine("two-digits", "a status of two digits is rejected", "HTTP/1.1 20 X", due: .malformedHead),
        statusLine("four-digits", "a status of four digits is rejected", "HTTP/1.1 2000 X", due: .malformedHead),
        statusLine("letters", "a status of letters is rejected", "HTTP/1.1 abc X", due: .malformedHead),
        statusLine("below-100", "a status below 100 is rejected", "HTTP/1.1 099 X", due: .malformedHead),
        statusLine("negative", "a negative status is rejected", "HTTP/1.1 -20 X", due: .malformedHead),
        statusLine("none", "a missing status is rejected", "HTTP/1.1", due: .malformedHead),
        statusLine("http2", "a status line with HTTP/2.0 is rejected", "HTTP/2.0 200 OK", due: .malformedHead),
        statusLine("http9", "a status line with HTTP/9.9 is rejected", "HTTP/9.9 200 OK", due: .malformedHead),
        statusLine("no-version", "a version without two digits is rejected", "HTTP/ 200 OK", due: .malformedHead),
        statusLine(
            "lower-case", "the name of the protocol is case-sensitive (RFC 9112 §2.3)", "http/1.1 200 OK",
            due: .malformedHead),
        ConformanceCase(
            .head, "dribble", "a head may arrive a byte at a time",
            peer: PeerScenario(
                .readRequest, .trickle(Array(Answer.ok("ok", "X-A: b").utf8), pause: .microseconds(200)), .awaitClose
            )
        ) { trial in
            let outcome = await trial.get()
            trial.judge(outcome, .whole("ok"))
            trial.expect(outcome.values("X-A") == ["b"], "the field is \(outcome.values("X-A"))")
        },
    ]

    /// A case of one field line, with the required values of `X-A`.
    private static func field(
        _ name: String,
        _ title: String,
        _ line: String,
        _ values: [String],
        mayFail: Bool = false
    ) -> ConformanceCase {
        ConformanceCase(.head, "field.\(name)", title, peer: .answering(Answer.line(line))) { trial in
            let outcome = await trial.get()
            trial.judge(outcome, mayFail ? .wholeOrBroken("ok") : .whole("ok"))
            guard outcome.isWhole else { return }
            trial.expect(outcome.values("X-A") == values, "expected \(values), got \(outcome.values("X-A"))")
            trial.expect(outcome.values("X-Evil").isEmpty, "a field was smuggled in")
        }
    }

    private static let soundFields: [ConformanceCase] = [
        field("plain", "a field has a name and a value", "X-A: value", ["value"]),
        field("blanks", "whitespace around a value is not part of it (RFC 9112 §5)", "X-A:  \t value \t ", ["value"]),
        field("no-blank", "the space before a value may be missing", "X-A:value", ["value"]),
        field("empty", "a value may be empty", "X-A:", [""]),
        field("colons", "a value may contain colons", "X-A: a:b: c", ["a:b: c"]),
        field("case", "names are not case-sensitive (RFC 9110 §5.1)", "x-a: value", ["value"]),
        field(
            "repeated", "repeated fields stay apart, in order (RFC 9110 §5.3)", "X-A: 1\r\nX-B: x\r\nX-A: 2",
            ["1", "2"]),
        field("latin-1", "bytes beyond ASCII are kept (RFC 9110 §5.5)", "X-A: f\u{FC}r", ["f\u{FC}r"]),
        field("tab", "a tab within a value is kept", "X-A: a\tb", ["a\tb"]),
        field(
            "long", "a value of 16 KiB arrives whole", "X-A: " + String(repeating: "v", count: 16 << 10),
            [String(repeating: "v", count: 16 << 10)]),
        ConformanceCase(
            .head, "field.many", "two hundred fields arrive in order",
            peer: .answering(Answer.line((0..<200).map { "X-A: \($0)" }.joined(separator: "\r\n")))
        ) { trial in
            let outcome = await trial.get()
            trial.judge(outcome, .whole("ok"))
            trial.expect(outcome.values("X-A") == (0..<200).map(String.init), "\(outcome.values("X-A").count) arrived")
        },
        ConformanceCase(
            .head, "field.set-cookie", "Set-Cookie fields are never joined (RFC 9110 §5.3)",
            peer: .answering(Answer.line("Set-Cookie: a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT\r\nSet-Cookie: b=2"))
        ) { trial in
            let values = await trial.get().values("Set-Cookie")
            trial.expect(values == ["a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT", "b=2"], "the values are \(values)")
        },
    ]

    private static let brokenFields: [ConformanceCase] = [
        field(
            "folded", "a folded line is joined with a space, or rejected (RFC 9112 §5.2)",
            "X-A: one\r\n two\r\n\tthree",
            ["one two three"], mayFail: true),
        field(
            "folded-evil", "a folded line is never a separate field", "X-A: one\r\n X-Evil: 1", ["one X-Evil: 1"],
            mayFail: true),
        answer(
            .head, "field.folded-first", "a folded line before the first field is rejected",
            "HTTP/1.1 200 OK\r\n X-Evil: 1\r\nContent-Length: 2\r\n\r\nok", due: .malformedHead),
        answer(
            .head, "field.bare-line-feed", "bare line feeds as line ends are rejected (RFC 9112 §2.2)",
            "HTTP/1.1 200 OK\nContent-Length: 2\n\nok", due: .malformedHead),
        answer(
            .head, "field.space-before-colon", "a space before the colon is rejected (RFC 9112 §5.1)",
            Answer.line("X-A : value"), due: .malformedHead),
        answer(
            .head, "field.no-colon", "a field without a colon is rejected", Answer.line("nothing"), due: .malformedHead),
        answer(
            .head, "field.empty-name", "an empty field name is rejected", Answer.line(": value"), due: .malformedHead),
        answer(
            .head, "field.space-in-name", "a field name with a space is rejected", Answer.line("X A: value"),
            due: .malformedHead),
        answer(
            .head, "field.nul-in-value", "a NUL in a value is rejected (RFC 9110 §5.5)", Answer.line("X-A: a\u{0}b"),
            due: .malformedHead),
        answer(
            .head, "field.nul-in-name", "a NUL in a name is rejected", Answer.line("X\u{0}A: b"), due: .malformedHead),
        answer(
            .head, "field.bare-cr", "a bare carriage return is rejected (RFC 9112 §2.2)", Answer.line("X-A: a\rb"),
            due: .malformedHead),
        answer(
            .head, "field.bare-cr-evil", "a bare carriage return never begins a field",
            Answer.line("X-A: a\rX-Evil: 1"),
            due: .malformedHead),
        answer(
            .head, "cut.status-line", "a connection that closes within the status line is lost", "HTTP/1.1 20",
            due: .cutHead),
        answer(
            .head, "cut.field", "a connection that closes within a field is lost", "HTTP/1.1 200 OK\r\nContent-Le",
            due: .cutHead),
        answer(
            .head, "cut.before-empty-line", "a connection that closes before the empty line is lost",
            "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n",
            due: .cutHead),
        answer(
            .head, "cut.field-reset", "a connection that is reset within the head is lost",
            "HTTP/1.1 200 OK\r\nContent-Le", then: .reset, due: .cutHead),
    ]

    static let headSize: [ConformanceCase] = [
        ConformanceCase(
            .head, "size.64-KiB", "a head of 64 KiB is accepted",
            peer: .answering(
                Answer.line(
                    (0..<64).map { "X-\($0): \(String(repeating: "v", count: 1015))" }.joined(separator: "\r\n"))
            )
        ) { trial in
            trial.judge(await trial.get(), .whole("ok"))
        },
        answer(
            .head, "size.tiny-fields", "eighty thousand fields of two bytes give a response or an error, never a crash",
            "HTTP/1.1 200 OK\n" + String(repeating: "a:\n", count: 80_000) + "Content-Length: 2\n\nok",
            due: .wholeOrBroken("ok")
        ),
        answer(
            .head, "size.tiny-trailers",
            "eighty thousand trailer fields of two bytes give a response or an error, never a crash",
            Answer.chunked("2\r\nok\r\n0\r\n") + String(repeating: "a:\n", count: 80_000) + "\r\n",
            due: .wholeOrBroken("ok")
        ),
        endless(
            "size.endless-fields", "an endless sequence of fields exceeds the limit of a head",
            "X-Filler: xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx\r\n"),
        endless(
            "size.endless-line", "an endless field line exceeds the limit of a head",
            String(repeating: "x", count: 4096), first: "X-Filler: "),
        endless(
            "size.endless-name", "an endless field name exceeds the limit of a head",
            String(repeating: "x", count: 4096)),
        ConformanceCase(
            .head, "size.endless-status", "an endless status line exceeds the limit of a head",
            peer: PeerScenario(
                .readRequest, .send("HTTP/1.1 200 "), .flood([UInt8](repeating: 120, count: 4096), total: nil))
        ) { trial in
            let codes: [TransportError.Code] = [.headTooLarge, .malformedResponse]
            trial.judge(await trial.get(), .broken(codes, in: [.responseHead]))
            try await trial.reach("closed")
        },
    ]

    private static func endless(
        _ name: String,
        _ title: String,
        _ text: String,
        first: String = ""
    ) -> ConformanceCase {
        ConformanceCase(
            .head, name, title,
            peer: PeerScenario(.readRequest, .send("HTTP/1.1 200 OK\r\n\(first)"), .flood(Array(text.utf8), total: nil))
        ) { trial in
            trial.judge(await trial.get(), .broken([.headTooLarge], in: [.responseHead]))
            try await trial.reach("closed")
            let sent = trial.peer.connections.first?.sentCount ?? 0
            trial.expect(sent < 24 << 20, "the server could send \(sent) bytes of a head")
        }
    }
}
