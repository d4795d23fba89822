internal import AirframeTransport
internal import HTTPTypes

extension ConformanceCase {
    /// Bodies without an announced length that end without END_STREAM (RFC 9113 §8.1). None of them is complete.
    static let http2Endings: [ConformanceCase] = HTTP2Ending.all.flatMap { ending -> [ConformanceCase] in
        let inTheClear = ending.conformanceCase(.clear)
        return ending.isTriedOverTLS ? [inTheClear, ending.conformanceCase(.tls)] : [inTheClear]
    }
}

/// Frames after a head and a part of the content that do not end the stream properly.
struct HTTP2Ending {
    let name: String
    let title: String
    let bytes: [UInt8]
    var isTriedOverTLS = false
    var then: [PeerStep] = [.awaitClose]
    /// The codes of the error, one of which is required.
    private var codes: [TransportError.Code] = [.bodyTruncated, .connectionLost, .malformedResponse]

    init(
        _ name: String,
        _ title: String,
        _ frames: [HTTP2Frame],
        overTLS isTriedOverTLS: Bool = false,
        then: [PeerStep] = [.awaitClose]
    ) {
        self.init(name, title, bytes: frames.bytes, overTLS: isTriedOverTLS, then: then)
    }

    init(
        _ name: String,
        _ title: String,
        bytes: [UInt8],
        overTLS isTriedOverTLS: Bool = false,
        then: [PeerStep] = [.awaitClose]
    ) {
        self.name = name
        self.title = title
        self.bytes = bytes
        self.isTriedOverTLS = isTriedOverTLS
        self.then = then
    }

    /// Returns this ending with the code that its error must have.
    func due(_ code: TransportError.Code) -> HTTP2Ending {
        var ending = self
        ending.codes = [code]
        return ending
    }

    /// Returns a case that sends the frames after the client has read the content, and again in one piece with it.
    func conformanceCase(_ wire: HTTP2Wire) -> ConformanceCase {
        let content = [HTTP2Frame.ok(), .data("abc")].bytes
        return ConformanceCase(
            .http2, "ending.\(name)\(wire == .tls ? ".tls" : "")", "a body is not completed by \(title)",
            needs: wire.needs,
            limit: .seconds(15),
            peer: wire.peer(connections: [
                [.readHTTP2Request, .sendBytes(content), .await("read"), .sendBytes(bytes)] + then,
                [.readHTTP2Request, .sendBytes(content + bytes)] + then,
            ])
        ) { [codes] trial in
            let log = EventLog()
            let request = try trial.http2Request(wire).reporting(to: log)
            async let apart = trial.exchange(request)
            _ = await Waiting.until(within: .seconds(10)) { log.contains("responseBodyReceived") }
            trial.peer.signals.open("read")
            trial.judge(await apart, .broken(codes, in: [.responseBody]))
            // An engine may notice the end before it has delivered the head.
            let together = await trial.exchange(try trial.http2Request(wire), on: try trial.makeTransport())
            trial.judge(together, .brokenHTTP2Response)
        }
    }
}

extension HTTP2Ending {
    /// All endings.
    static let all = streamErrors + goAways + malformedControl + malformedContent + strayFrames + garbage

    private static let streamErrors: [HTTP2Ending] =
        resetCodes.map { name, code -> HTTP2Ending in
            HTTP2Ending("reset.\(name)", "RST_STREAM with the code \(code)", [.reset(code)], overTLS: code == 0)
                .due(code == 0 ? .bodyTruncated : .connectionLost)
        } + [
            HTTP2Ending(
                "reset.no-error.close", "RST_STREAM with NO_ERROR and the end of the connection", [.reset(0)],
                then: [.close]
            ).due(.bodyTruncated)
        ]

    private static let resetCodes: [(name: String, code: UInt32)] = [
        ("no-error", 0), ("protocol", 1), ("internal", 2), ("flow-control", 3), ("closed", 5), ("frame-size", 6),
        ("refused", 7), ("cancel", 8), ("compression", 9), ("calm", 11), ("http1.1", 13), ("unknown", 0xFFFF_FFFF),
    ]

    private static let goAways: [HTTP2Ending] = [
        HTTP2Ending(
            "goaway.close", "GOAWAY and the end of the connection", [.goAway(last: 1)], overTLS: true, then: [.close]),
        HTTP2Ending("goaway.none.close", "GOAWAY with a lower stream", [.goAway(last: 0)], then: [.close]),
        HTTP2Ending("goaway.none", "GOAWAY with a lower stream, on an open connection", [.goAway(last: 0)]),
        HTTP2Ending("goaway.error.close", "GOAWAY with an error", [.goAway(last: 1, 2)], then: [.close]),
        HTTP2Ending("goaway.reset", "GOAWAY before RST_STREAM", [.goAway(last: 1), .reset(0)]).due(.bodyTruncated),
        // A server that closes a connection with unread bytes resets it.
        HTTP2Ending("close", "the end of the connection", [], overTLS: true, then: [.close]),
        HTTP2Ending("finish", "the end of the server's direction", [], then: [.finishWriting, .awaitClose])
            .due(.bodyTruncated),
    ]

    private static let malformedControl: [HTTP2Ending] = [
        HTTP2Ending(
            "ping.short", "a PING of 7 bytes", [HTTP2Frame(type: 6, payload: [1, 2, 3, 4, 5, 6, 7])], overTLS: true),
        HTTP2Ending("ping.long", "a PING of 9 bytes", [HTTP2Frame(type: 6, payload: Array(repeating: 1, count: 9))]),
        HTTP2Ending(
            "ping.stream", "a PING on a stream", [HTTP2Frame(type: 6, stream: 1, payload: Array("12345678".utf8))]),
        HTTP2Ending("settings.length", "SETTINGS of 5 bytes", [HTTP2Frame(type: 4, payload: [0, 1, 0, 0, 0])]),
        HTTP2Ending("settings.stream", "SETTINGS on a stream", [HTTP2Frame(type: 4, stream: 1)]),
        HTTP2Ending(
            "settings.ack", "an acknowledgement with content",
            [HTTP2Frame(type: 4, flags: 1, payload: [0, 4, 0, 0, 0, 1])]),
        HTTP2Ending("settings.window", "an initial window above 2^31-1", [.settings([(4, 0x8000_0000)])]),
        HTTP2Ending("settings.frame-size", "a frame size below 2^14", [.settings([(5, 100)])]),
        HTTP2Ending("settings.push", "ENABLE_PUSH with 2", [.settings([(2, 2)])]),
        HTTP2Ending(
            "window.length", "a WINDOW_UPDATE of 3 bytes", [HTTP2Frame(type: 8, payload: [0, 0, 1])], overTLS: true),
        HTTP2Ending("window.zero", "a WINDOW_UPDATE of 0", [.windowUpdate(0)]),
        HTTP2Ending("window.zero.stream", "a WINDOW_UPDATE of 0 on the stream", [.windowUpdate(0, stream: 1)]),
        HTTP2Ending("window.overflow", "a window above 2^31-1", [.windowUpdate(0x7FFF_FFFF)]),
        HTTP2Ending(
            "window.overflow.stream", "a stream's window above 2^31-1", [.windowUpdate(0x7FFF_FFFF, stream: 1)]),
        HTTP2Ending("window.idle", "a WINDOW_UPDATE on an idle stream", [.windowUpdate(1, stream: 9)]),
        HTTP2Ending("reset.length", "RST_STREAM of 3 bytes", [HTTP2Frame(type: 3, stream: 1, payload: [0, 0, 0])]),
        HTTP2Ending("reset.connection", "RST_STREAM on the connection", [.reset(0, stream: 0)]),
        HTTP2Ending("reset.idle", "RST_STREAM on an idle stream", [.reset(0, stream: 9)]),
        HTTP2Ending("goaway.length", "GOAWAY of 7 bytes", [HTTP2Frame(type: 7, payload: [0, 0, 0, 0, 0, 0, 0])]),
        HTTP2Ending(
            "goaway.stream", "GOAWAY on a stream", [HTTP2Frame(type: 7, stream: 1, payload: [0, 0, 0, 0, 0, 0, 0, 0])]),
        HTTP2Ending(
            "priority.length", "PRIORITY of 4 bytes, and the end of the connection",
            [HTTP2Frame(type: 2, stream: 1, payload: [0, 0, 0, 0])], then: [.close]),
    ]

    private static let malformedContent: [HTTP2Ending] = [
        HTTP2Ending(
            "data.oversized", "DATA above the largest frame", [.data(Array(repeating: 1, count: 16_385), end: true)]),
        HTTP2Ending(
            "data.padding", "DATA with more padding than content",
            [HTTP2Frame(type: 0, flags: HTTP2Frame.padded | HTTP2Frame.endStream, stream: 1, payload: [9, 1, 2])],
            overTLS: true),
        HTTP2Ending(
            "data.padding.missing", "DATA without the length of its padding",
            [HTTP2Frame(type: 0, flags: HTTP2Frame.padded | HTTP2Frame.endStream, stream: 1)]),
        HTTP2Ending("data.connection", "DATA on the connection", [.data("x", end: true, stream: 0)]),
        HTTP2Ending("data.idle", "DATA on an idle stream", [.data("x", end: true, stream: 9)]),
        HTTP2Ending(
            "data.cut", "a truncated DATA frame with END_STREAM",
            [HTTP2Frame(type: 0, flags: HTTP2Frame.endStream, stream: 1, payload: [1], announcedLength: 9)],
            overTLS: true, then: [.close]),
        HTTP2Ending("trailers.open", "trailers that do not end the stream", [.headers([("x-a", "b")])]),
        HTTP2Ending("trailers.pseudo", "trailers with a pseudo-header", [.headers([(":status", "200")], end: true)]),
        HTTP2Ending("trailers.upper-case", "trailers with a name in upper case", [.headers([("X-A", "b")], end: true)]),
        HTTP2Ending(
            "trailers.block", "trailers whose block cannot be decoded",
            [HTTP2Frame(type: 1, flags: 5, stream: 1, payload: [0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF])]),
        HTTP2Ending(
            "trailers.interrupted", "trailers that another frame interrupts",
            [HTTP2Frame(type: 1, flags: 1, stream: 1, payload: [0, 1, 97, 1, 98]), .ping]),
        HTTP2Ending(
            "trailers.cut", "trailers whose last frame is missing",
            [HTTP2Frame(type: 1, flags: 1, stream: 1, payload: [0, 1, 97, 1, 98])], then: [.close]),
    ]

    private static let strayFrames: [HTTP2Ending] = [
        HTTP2Ending("continuation", "a CONTINUATION without a head", [.continuation([("x-a", "b")])], overTLS: true),
        HTTP2Ending(
            "push", "a PUSH_PROMISE although push is disabled",
            [HTTP2Frame(type: 5, flags: 4, stream: 1, payload: [0, 0, 0, 2, 0x08, 3, 50, 48, 48])], overTLS: true),
        HTTP2Ending(
            "push.connection", "a PUSH_PROMISE on the connection",
            [HTTP2Frame(type: 5, flags: 4, payload: [0, 0, 0, 2])]),
        HTTP2Ending("headers.idle", "HEADERS on an idle stream", [.ok(end: true, stream: 9)]),
        HTTP2Ending("headers.even", "HEADERS on a stream with an even identifier", [.ok(end: true, stream: 2)]),
        HTTP2Ending("headers.connection", "HEADERS on the connection", [.ok(end: true, stream: 0)]),
    ]

    private static let garbage: [HTTP2Ending] = [
        HTTP2Ending(
            "garbage.http1", "a response of HTTP/1.1", bytes: Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8),
            overTLS: true),
        HTTP2Ending("garbage.ones", "a run of bytes with all bits set", bytes: Array(repeating: 0xFF, count: 64)),
        HTTP2Ending("garbage.zeros", "a run of zeros", bytes: Array(repeating: 0, count: 64)),
        HTTP2Ending("garbage.preface", "the client's preface", bytes: HTTP2Frame.preface),
    ]
}

extension Expected {
    /// An HTTP/2 response that broke off, in its head or after it.
    static let brokenHTTP2Response = Expected.broken(
        [.bodyTruncated, .connectionLost, .malformedResponse], in: [.responseHead, .responseBody])
}
