internal import AirframeTransport
internal import HTTPTypes

extension ConformanceCase {
    /// Response heads and trailers over HTTP/2: malformed ones (RFC 9113 §8), and limits on their size.
    static let http2Heads: [ConformanceCase] =
        malformedHTTP2Heads.map { name, title, frames in
            http2Head(name, "\(title) is malformed", frames, due: .malformedHead)
        } + http2Informational + http2HeadSizes + http2Trailers

    private static func http2Head(
        _ name: String,
        _ title: String,
        _ frames: [HTTP2Frame],
        due: Expected
    ) -> ConformanceCase {
        ConformanceCase(
            .http2, "head.\(name)", title,
            needs: HTTP2Wire.clear.needs, limit: .seconds(15),
            peer: HTTP2Wire.clear.peer(.readHTTP2Request, .frames(frames), .awaitClose)
        ) { trial in
            trial.judge(await trial.exchange(try trial.http2Request(.clear)), due)
        }
    }

    private static func block(_ fields: [(String, String)]) -> [HTTP2Frame] {
        [.headers(fields), .data("ok", end: true)]
    }

    private static let malformedHTTP2Heads: [(name: String, title: String, frames: [HTTP2Frame])] = [
        ("status.missing", "a response without :status (RFC 9113 §8.3.2)", block([("x-a", "b")])),
        (
            "status.twice", "a response with two :status fields (RFC 9113 §8.3)",
            block([(":status", "200"), (":status", "200")])
        ),
        ("status.text", "a :status that is not a number", block([(":status", "abc")])),
        ("status.short", "a :status of two digits", block([(":status", "20")])),
        ("status.empty", "an empty :status", block([(":status", "")])),
        ("pseudo.unknown", "an unknown pseudo field (RFC 9113 §8.3)", block([(":status", "200"), (":other", "a")])),
        (
            "pseudo.request", "a pseudo field of requests in a response (RFC 9113 §8.3)",
            block([(":status", "200"), (":path", "/")])
        ),
        (
            "pseudo.late", "a pseudo field after a regular one (RFC 9113 §8.3)",
            block([("x-a", "b"), (":status", "200")])
        ),
        ("name.upper-case", "a field name in upper case (RFC 9113 §8.2.1)", block([(":status", "200"), ("X-A", "b")])),
        ("name.empty", "an empty field name (RFC 9113 §8.2.1)", block([(":status", "200"), ("", "b")])),
        ("name.space", "a field name with a space (RFC 9113 §8.2.1)", block([(":status", "200"), ("x a", "b")])),
        (
            "value.line-feed", "a field value with a line feed (RFC 9113 §8.2.1)",
            block([(":status", "200"), ("x-a", "b\nx-c: d")])
        ),
        ("value.nul", "a field value with a NUL (RFC 9113 §8.2.1)", block([(":status", "200"), ("x-a", "b\0c")])),
        ("connection", "a Connection field (RFC 9113 §8.2.2)", block([(":status", "200"), ("connection", "close")])),
        (
            "transfer-encoding", "a Transfer-Encoding field (RFC 9113 §8.2.2)",
            block([(":status", "200"), ("transfer-encoding", "chunked")])
        ),
        (
            "keep-alive", "a Keep-Alive field (RFC 9113 §8.2.2)",
            block([(":status", "200"), ("keep-alive", "timeout=5")])
        ),
        ("upgrade", "an Upgrade field (RFC 9113 §8.2.2)", block([(":status", "200"), ("upgrade", "h3")])),
        (
            "length.text", "a Content-Length that is not a number",
            block([(":status", "200"), ("content-length", "two")])
        ),
        ("data-first", "content before a head (RFC 9113 §8.1)", [.data("ok", end: true)]),
        (
            "informational.end", "an informational response that ends the stream (RFC 9113 §8.1)",
            [.headers([(":status", "103")], end: true)]
        ),
        ("switching", "a 101 (RFC 9113 §8.6)", [.headers([(":status", "101")]), .ok(), .data("ok", end: true)]),
    ]

    // MARK: Informational responses

    private static let http2Informational: [ConformanceCase] = [
        ConformanceCase(
            .http2, "informational.reported", "informational responses are reported in order, and are not the response",
            needs: HTTP2Wire.clear.needs.union(.informationalResponses), limit: .seconds(15),
            peer: HTTP2Wire.clear.peer(
                .readHTTP2Request,
                .frames([
                    .headers([(":status", "102")]), .headers([(":status", "103"), ("link", "</a>")]), .ok(),
                    .data("ok", end: true),
                ]),
                .awaitClose
            )
        ) { trial in
            let outcome = await trial.exchange(try trial.http2Request(.clear))
            trial.judge(outcome, .whole("ok"))
            trial.expect(outcome.values("link").isEmpty, "the response has the Link of an informational one")
            guard trial.claims(.events) else { return }
            let codes = outcome.events.kinds.compactMap { kind in
                if case .informationalResponse(let head) = kind { head.status.code } else { nil }
            }
            trial.expect(codes == [102, 103], "reported: \(codes)")
        },
        ConformanceCase(
            .http2, "informational.endless", "informational responses without end fail the exchange",
            needs: HTTP2Wire.clear.needs, limit: .seconds(15),
            peer: HTTP2Wire.clear.peer(
                .readHTTP2Request, .floodAndDiscard(HTTP2Frame.headers([(":status", "103"), ("link", "</a>")]).bytes))
        ) { trial in
            let codes: [TransportError.Code] = [.malformedResponse, .headTooLarge]
            trial.judge(await trial.exchange(try trial.http2Request(.clear)), .broken(codes, in: [.responseHead]))
        },
    ]

    // MARK: Sizes

    /// A field that enters HPACK's dynamic table (RFC 7541 §6.2.1) and is then repeated 8,000 times by one byte each.
    private static let bomb: [HTTP2Frame] = {
        let value = Array(repeating: UInt8(ascii: "v"), count: 3000)
        // A value of 3,000 bytes: 127 + (2,873 = 0x39 + 22 × 128) in the integers of RFC 7541 §5.1.
        let entry: [UInt8] = [0x40, 3] + Array("x-b".utf8) + [0x7F, 0xB9, 0x16] + value
        // Index 62 is the youngest entry of the dynamic table.
        let references = [UInt8](repeating: 0xBE, count: 8000)
        let start = HTTP2Frame(type: 1, stream: 1, payload: [0x08, 3, 50, 48, 48] + entry)
        let rest = HTTP2Frame(type: 9, flags: HTTP2Frame.endHeaders, stream: 1, payload: references)
        return [start, rest, .data("ok", end: true)]
    }()

    /// A head of 16 MiB in frames of the default maximum size.
    private static let enormousHead: [HTTP2Frame] = {
        let fields = (0..<40).map { ("x-\($0)", String(repeating: "v", count: 390)) }
        let start = HTTP2Frame(type: 1, stream: 1, payload: HPACKBlock([(":status", "200")] + fields).bytes)
        return [start] + (0..<1000).map { .continuation(fields, isLast: $0 == 999) }
    }()

    private static let http2HeadSizes: [ConformanceCase] = [
        http2Head(
            "bomb", "a head that is small when compressed and large when decoded is rejected (RFC 9113 §10.5.1)", bomb,
            due: .broken([.headTooLarge, .malformedResponse, .connectionLost], in: [.responseHead])),
        http2Head(
            "size", "a head of 16 MiB in many CONTINUATION frames is rejected (RFC 9113 §10.5.1)", enormousHead,
            due: .broken([.headTooLarge, .malformedResponse, .connectionLost], in: [.responseHead])),
        http2Head(
            "large", "a head of 20 KiB in two frames is read",
            [
                HTTP2Frame(type: 1, stream: 1, payload: HPACKBlock([(":status", "200"), ("x-a", tenKiB)]).bytes),
                .continuation([("x-b", tenKiB)]), .data("ok", end: true),
            ],
            due: .whole("ok")),
    ]

    private static let tenKiB = String(repeating: "v", count: 10 << 10)

    // MARK: Trailers

    private static let http2Trailers: [ConformanceCase] = [
        ("received", "a trailer section after content of unknown length is delivered", []),
        ("length", "a trailer section after content of a known length is delivered", [("content-length", "2")]),
    ].map { name, title, fields in
        ConformanceCase(
            .http2, "trailers.\(name)", "\(title) (RFC 9113 §8.1)",
            needs: HTTP2Wire.clear.needs.union(.responseTrailers), limit: .seconds(15),
            peer: HTTP2Wire.clear.peer(
                .readHTTP2Request,
                .frames([.ok(fields), .data("ok"), .headers([("x-check", "a"), ("x-check", "b")], end: true)]),
                .awaitClose
            )
        ) { trial in
            let outcome = await trial.exchange(try trial.http2Request(.clear))
            trial.judge(outcome, .whole("ok"))
            let name = try trial.require(HTTPField.Name("x-check"), "the name is not a token")
            let values = outcome.trailers?[values: name] ?? []
            trial.expect(values == ["a", "b"], "delivered: \(values)")
        }
    }
}
