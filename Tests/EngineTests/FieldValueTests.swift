import AirframeConformance
import AirframeTestSupport
import AirframeTransport
import HTTPTypes
import Testing

/// The value of a field is a sequence of bytes, and need not be UTF-8 (RFC 9110 §5.5).
@Suite("Field values outside UTF-8", .timeLimit(.minutes(1)))
struct FieldValueTests {
    /// `café` in ISO Latin-1, and a byte that differs from stream to stream.
    private static func value(_ stream: UInt32) -> [UInt8] {
        Array("caf".utf8) + [0xE9, 0x80 | UInt8(truncatingIfNeeded: stream)]
    }

    /// A server that sends ``value(_:)`` as `X-A`, over HTTP/1.1 always the same.
    private static func server(_ version: HTTPVersion) throws -> RawPeer {
        guard version == .http2 else {
            let (start, end) = ("HTTP/1.1 200 OK\r\nX-A: ", "\r\nContent-Length: 0\r\n\r\n")
            let steps: [PeerStep] = [.readRequest, .send(start), .sendBytes(value(0)), .send(end)]
            return try RawPeer(PeerScenario(.forever(steps)))
        }
        return try RawPeer(
            PeerScenario(
                .readHTTP2Preface, .frames([.settings(), .settingsAcknowledged]),
                .forever([
                    .readHTTP2Request,
                    .reply { request in
                        let stream = request.http2Head?.stream ?? 1
                        let value = Self.value(stream)
                        // `:status: 200` is number 8 of HPACK's static table; a literal without indexing follows.
                        let block: [UInt8] = [0x88, 0, 3] + Array("x-a".utf8) + [UInt8(value.count)] + value
                        let flags = HTTP2Frame.endHeaders | HTTP2Frame.endStream
                        return HTTP2Frame(type: 1, flags: flags, stream: stream, payload: block).bytes
                    },
                ])
            )
        )
    }

    private func request(_ server: RawPeer, _ version: HTTPVersion) -> TransportRequest {
        TransportRequest(.get, at: server.authority).with {
            if version == .http2 { $0.options.httpVersion = .http2PriorKnowledge }
        }
    }

    @Test(
        "the value of a response's field arrives as its bytes",
        arguments: TestedEngine.allCases, [HTTPVersion.http1_1, .http2]
    )
    func received(_ engine: TestedEngine, _ version: HTTPVersion) async throws {
        let server = try Self.server(version)
        defer { server.stop() }
        let transport = engine.transport
        let name = try #require(HTTPField.Name("X-A"))
        // The second head resembles the first one, which the connection remembers.
        for stream: UInt32 in [1, 3, 5] {
            let response = try await transport.fetch(request(server, version)).response
            let field = try #require(response.head.headerFields[fields: name].first)
            let bytes = field.withUnsafeBytesOfValue { Array($0) }
            #expect(bytes == Self.value(version == .http2 ? stream : 0))
        }
        #expect(server.connections.count == 1)
        await transport.shutdown()
    }

    @Test("the value of a request's field is sent as its bytes over HTTP/2", arguments: TestedEngine.allCases)
    func sent(_ engine: TestedEngine) async throws {
        let server = try Self.server(.http2)
        defer { server.stop() }
        let transport = engine.transport
        let name = try #require(HTTPField.Name("X-B"))
        let request = request(server, .http2).with {
            $0.head.headerFields.append(HTTPField(name: name, value: Self.value(0)))
        }
        for _ in 1...2 { _ = try await transport.fetch(request) }
        let blocks = server.connections.flatMap(\.requests).compactMap(\.http2Head?.payload)
        // Huffman codes of these bytes are longer than the bytes, so that HPACK has them as they are.
        #expect(blocks.first?.contains(Self.value(0)) == true)
        #expect(blocks.count == 2)
        await transport.shutdown()
    }
}
