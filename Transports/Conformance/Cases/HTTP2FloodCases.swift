internal import AirframeTransport
internal import HTTPTypes

extension ConformanceCase {
    /// Endless frames, which may affect their own exchange only.
    static let http2Floods: [ConformanceCase] = floods.flatMap { name, title, frames -> [ConformanceCase] in
        let isHead = name == "continuation"
        let beginning: HTTP2Frame = isHead ? HTTP2Frame(type: 1, stream: 1, payload: [0x08, 3, 50, 48, 48]) : .ok()
        let wires: [HTTP2Wire] = name == "window.connection" || name == "priority" ? [.clear, .tls] : [.clear]
        return wires.map { flood(name, title, [beginning], frames, $0) }
    }

    private static let floods: [(name: String, title: String, frames: [HTTP2Frame])] =
        [
            ("window.connection", "WINDOW_UPDATE", [HTTP2Frame.windowUpdate(1)]),
            ("window.stream", "WINDOW_UPDATE on the stream", [.windowUpdate(1, stream: 1)]),
            ("priority", "PRIORITY", [.priority(dependency: 3)]),
            ("ping", "PING", [.ping]),
            ("ping.ack", "PING acknowledgements", [HTTP2Frame(type: 6, flags: 1, payload: Array("12345678".utf8))]),
            ("settings", "SETTINGS", [.settings()]),
            ("data.empty", "empty DATA", [.data("")]),
            (
                "data.padding", "DATA with nothing but padding",
                [HTTP2Frame(type: 0, flags: 8, stream: 1, payload: [1, 0])]
            ),
            (
                "unknown", "frames of an unknown type",
                [HTTP2Frame(type: 0xEE, payload: Array(repeating: 0, count: 100))]
            ),
            ("continuation", "CONTINUATION", [HTTP2Frame(type: 9, stream: 1)]),
        ]

    private static func flood(
        _ name: String,
        _ title: String,
        _ beginning: [HTTP2Frame],
        _ frames: [HTTP2Frame],
        _ wire: HTTP2Wire
    ) -> ConformanceCase {
        ConformanceCase(
            .http2, "flood.\(name)\(wire == .tls ? ".tls" : "")",
            "a flood of \(title) neither delays other exchanges nor lasts (RFC 9113 §10.5)",
            needs: wire.needs,
            limit: .seconds(20),
            peer: wire.peer(.readHTTP2Request, .frames(beginning), .floodAndDiscard(frames.bytes))
        ) { trial in
            let other = try RawPeer(.keeping())
            defer { other.stop() }
            var request = trial.request()
            request.head.authority = other.authority
            trial.judge(await trial.exchange(request), .whole("ok"))
            let flooded = trial.start(try trial.http2Request(wire))
            _ = await trial.peer.signals.reach("flooding", within: .seconds(5))
            for _ in 0..<3 {
                let outcome = await trial.exchange(request)
                trial.judge(outcome, .whole("ok"))
                trial.expect(outcome.elapsed < .seconds(2), "another exchange took \(outcome.elapsed)")
            }
            let outcome = await flooded.value
            trial.expect(outcome.error != nil, "the flood did no harm: \(outcome.summary)")
            trial.expect(outcome.elapsed < .seconds(5), "the flood lasted \(outcome.elapsed)")
        }
    }
}
