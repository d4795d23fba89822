import AirframeConformance
import AirframeSocket
import AirframeTestSupport
import AirframeTransport
import FoundationEssentials
import HTTPTypes

/// An unexpected action of the client.
struct PeerFault: Error { let description: String }

extension ScriptedConnection {
    /// Reads the preface and sends SETTINGS.
    func beginHTTP2(_ settings: [(UInt16, UInt32)] = []) throws {
        guard try read(HTTP2Frame.preface.count) == HTTP2Frame.preface else {
            throw PeerFault(description: "no preface")
        }
        try send([.settings(settings), .settingsAcknowledged])
    }

    /// Sends frames.
    func send(_ frames: [HTTP2Frame]) throws { try send(frames.bytes) }

    /// Reads one frame.
    func readFrame() throws -> HTTP2Frame {
        let head = try read(9)
        let length = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
        let stream = head[5...8].reduce(UInt32(0)) { $0 << 8 | UInt32($1) } & 0x7FFF_FFFF
        return HTTP2Frame(type: head[3], flags: head[4], stream: stream, payload: length > 0 ? try read(length) : [])
    }

    /// Reads frames up to the next one of `type`.
    func readFrame(_ type: UInt8) throws -> HTTP2Frame {
        while true {
            let frame = try readFrame()
            if frame.type == type { return frame }
        }
    }

    /// Answers every request with `ok`.
    func answerAll() throws {
        while true {
            let stream = try readFrame(1).stream
            try send([.ok(stream: stream), .data("ok", end: true, stream: stream)])
        }
    }
}

extension TransportRequest {
    /// A request over HTTP/2 without TLS.
    static func http2(_ server: ScriptedServer, _ path: String = "/", body: RequestBody = .none) -> TransportRequest {
        TransportRequest(body.isNone ? .get : .post, server.origin + path, body: body).with {
            $0.options.httpVersion = .http2PriorKnowledge
        }
    }
}
