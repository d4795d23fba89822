import AirframeConformance
import AirframeTestSupport
import AirframeTransport
import HTTPTypes
import Synchronization
import Testing

/// The fields that a server receives over HTTP/2, by both engines.
@Suite("fields of requests over HTTP/2", .timeLimit(.minutes(1)))
struct SentFields {
    @Test("Proxy-Authorization reaches no origin (RFC 9110 §11.7.2)", arguments: TestedEngine.allCases)
    func proxyAuthorization(_ engine: TestedEngine) async throws {
        let transport = engine.transport
        let log = SectionLog()
        let server = try ScriptedServer.decoding(into: log)
        let request = TransportRequest.http2(server).with {
            $0.head.headerFields = [.proxyAuthorization: "Basic c2VjcmV0", .userAgent: "test"]
        }
        for _ in 0..<2 { #expect(try await transport.text(request) == "ok") }
        #expect(log.values("user-agent") == [["test"], ["test"]])
        #expect(log.values("proxy-authorization") == [[], []])
        await transport.shutdown()
    }

    @Test(
        "the request's own Host is the authority, as over HTTP/1.1 (RFC 9113 §8.3.1)",
        arguments: TestedEngine.allCases
    )
    func host(_ engine: TestedEngine) async throws {
        let transport = engine.transport
        let log = SectionLog()
        let server = try ScriptedServer.decoding(into: log)
        let plain = TransportRequest.http2(server)
        let name = try #require(HTTPField.Name("Host"))
        let other = plain.with { $0.head.headerFields = [name: "other.test:81", .userAgent: "test"] }
        for request in [plain, other, other, plain] { #expect(try await transport.text(request) == "ok") }
        let place = "127.0.0.1:\(server.port)"
        #expect(log.values(":authority") == [[place], ["other.test:81"], ["other.test:81"], [place]])
        #expect(log.values("host") == [[], [], [], []])
        await transport.shutdown()
    }

    @Test("the default port of the scheme is not sent, as over HTTP/1.1", arguments: TestedEngine.allCases)
    func defaultPort(_ engine: TestedEngine) async throws {
        let transport = engine.transport
        let log = SectionLog()
        let proxy = try ScriptedServer { connection in
            try connection.readHead()
            try connection.send("HTTP/1.1 200 OK\r\n\r\n")
            try connection.answerSections(into: log)
        }
        let request = TransportRequest(.get, "http://api.test:80/").with {
            $0.options.httpVersion = .http2PriorKnowledge
            $0.options.proxy = .proxy(Proxy(host: "127.0.0.1", port: proxy.port, tunnelsAlways: true))
        }
        #expect(try await transport.text(request) == "ok")
        #expect(log.values(":authority") == [["api.test"]])
        await transport.shutdown()
    }

    @Test("two Host fields are refused (RFC 9112 §3.2)", arguments: TestedEngine.allCases, [false, true])
    func hosts(_ engine: TestedEngine, _ isHTTP2: Bool) async throws {
        let transport = engine.transport
        let server = try ScriptedServer.silent()
        let name = try #require(HTTPField.Name("Host"))
        let request = TransportRequest(.get, server.origin).with {
            $0.head.headerFields.append(HTTPField(name: name, value: "a.test"))
            $0.head.headerFields.append(HTTPField(name: name, value: "b.test"))
            if isHTTP2 { $0.options.httpVersion = .http2PriorKnowledge }
        }
        let error = try #require(await transport.failure(of: request))
        #expect(error.code == .invalidRequest)
        #expect(error.processing == .notSent)
        #expect(error.message.contains("two Host fields"))
        await transport.shutdown()
    }
}

/// The field sections that a server has received.
private final class SectionLog: Sendable {
    // Guards the sections so far.
    private let sections = Mutex<[[FieldInflater.Field]]>([])

    func append(_ section: [FieldInflater.Field]) { sections.withLock { $0.append(section) } }

    /// The values of a field in each section.
    func values(_ name: String) -> [[String]] {
        sections.withLock { $0.map { section in section.filter { $0.name == name }.map(\.value) } }
    }
}

extension ScriptedServer {
    /// A server over HTTP/2 that decodes the sections of its requests and answers each with `ok`.
    fileprivate static func decoding(into log: SectionLog) throws -> ScriptedServer {
        try ScriptedServer { try $0.answerSections(into: log) }
    }
}

extension ScriptedConnection {
    /// Begins HTTP/2, decodes the sections of requests and answers each with `ok`.
    fileprivate func answerSections(into log: SectionLog) throws {
        try beginHTTP2()
        let inflater = FieldInflater()
        while true {
            let frame = try readFrame(1)
            // A priority of five bytes may precede the section (RFC 9113 §6.2).
            let block = Array(frame.payload.dropFirst(frame.flags & 0x20 == 0 ? 0 : 5))
            guard let section = inflater.decode(block) else { throw PeerFault(description: "malformed section") }
            log.append(section)
            try send([.ok(stream: frame.stream), .data("ok", end: true, stream: frame.stream)])
        }
    }
}
