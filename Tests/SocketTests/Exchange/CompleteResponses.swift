import AirframeConformance
import AirframeSocket
import AirframeTestSupport
import AirframeTransport
import FoundationEssentials
import HTTPTypes
import Testing

/// A response whose end arrives with its head ends its exchange before the caller has the body.
@Suite("A response that arrives in one read", .timeLimit(.minutes(2)))
struct CompleteResponses {
    /// A response without a declared length, or without content.
    enum Form: CaseIterable, Sendable {
        case chunked
        case chunkedWithTrailers
        case http2
        case http2WithTrailers
        case http2Empty
        case http2Head
        case http2NoContent

        private var frames: [HTTP2Frame]? {
            switch self {
            case .chunked, .chunkedWithTrailers: nil
            case .http2: [.ok(), .data("content", end: true)]
            case .http2WithTrailers: [.ok(), .data("content"), .headers([("x-sum", "1")], end: true)]
            case .http2Empty: [.ok([("content-length", "0")]), .data("", end: true)]
            case .http2Head: [.ok([("content-length", "7")], end: true)]
            case .http2NoContent: [.headers([(":status", "204")], end: true)]
            }
        }

        var hasContent: Bool {
            switch self {
            case .chunked, .chunkedWithTrailers, .http2, .http2WithTrailers: true
            case .http2Empty, .http2Head, .http2NoContent: false
            }
        }

        func server() throws -> ScriptedServer {
            guard let frames else {
                let trailers = self == .chunkedWithTrailers ? "X-Sum: 1\r\n" : ""
                return try ScriptedServer { connection in
                    try connection.readHead()
                    try connection.send(
                        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n7\r\ncontent\r\n0\r\n\(trailers)\r\n")
                    connection.waitForEnd()
                }
            }
            return try ScriptedServer { connection in
                try connection.beginHTTP2()
                _ = try connection.readFrame(1)
                try connection.send(frames)
                connection.waitForEnd()
            }
        }

        func request(to server: ScriptedServer) -> TransportRequest {
            TransportRequest(self == .http2Head ? .head : .get, server.origin).with {
                if frames != nil { $0.options.httpVersion = .http2PriorKnowledge }
            }
        }
    }

    /// The caller's use of the body.
    enum Use: CaseIterable, Sendable {
        case drop
        case cancel
        case exceedLimit
        case read
    }

    private func apply(_ use: Use, to response: consuming TransportResponse, _ form: Form) async throws {
        switch use {
        case .drop: break
        case .cancel: response.body.cancel()
        case .exceedLimit:
            let body = response.body
            guard form.hasContent else {
                #expect(try await body.collect(upTo: 1).isEmpty)
                return
            }
            let error = await #expect(throws: TransportError.self) { try await body.collect(upTo: 1) }
            #expect(error?.code == .bodyTooLarge)
        case .read:
            let body = response.body
            #expect(try await body.collect(upTo: 7) == Data((form.hasContent ? "content" : "").utf8))
            #expect(body.expectedLength == nil)
        }
    }

    @Test("ends its exchange once, whatever the caller does with the body", arguments: Form.allCases, Use.allCases)
    func endsOnce(_ form: Form, _ use: Use) async throws {
        let transport = SocketTransport()
        let server = try form.server()
        let recorder = TimelineRecorder()
        let request = form.request(to: server).with { $0.timelines = recorder }
        try await apply(use, to: try await transport.send(request), form)
        let timelines = recorder.timelines
        #expect(timelines.count == 1)
        guard case .released(.kept)? = timelines.first?.ending else {
            Issue.record("the exchange ended with \(String(describing: timelines.first?.ending))")
            return
        }
        let hasShutDown = Signal()
        Task {
            await transport.shutdown()
            hasShutDown.raise()
        }
        try await eventually("the transport shuts down") { hasShutDown.isUp }
    }
}
