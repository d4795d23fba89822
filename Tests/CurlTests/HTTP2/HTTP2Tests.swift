import AirframeConformance
import AirframeCurl
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

@Suite("HTTP/2", .needsPeers, .timeLimit(.minutes(1)))
struct HTTP2Tests {
    let transport = CurlTransport()

    private func request(
        _ path: String = "/static/64.bin",
        _ policy: HTTPVersionPolicy = .automatic,
        peer: Peers.Key = .https
    ) throws -> TransportRequest {
        let roots = try Peers.roots
        return TransportRequest(.get, try Peers.url(peer, path)).with {
            $0.options.tls.roots = roots
            $0.options.httpVersion = policy
        }
    }

    @Test(
        "the version is the requested one",
        arguments: [
            (HTTPVersionPolicy.automatic, HTTPVersion.http2), (.http1Only, .http1_1), (.http2Only, .http2),
            (.http2PriorKnowledge, .http2),
        ]
    )
    func versions(policy: HTTPVersionPolicy, version: HTTPVersion) async throws {
        let (response, body) = try await transport.fetch(try request(policy: policy))
        #expect(response.connection?.httpVersion == version)
        #expect(response.connection?.tls?.applicationProtocol == (version == .http2 ? "h2" : "http/1.1"))
        #expect(body.count == 64)
    }

    private func request(policy: HTTPVersionPolicy) throws -> TransportRequest { try request("/static/64.bin", policy) }

    @Test("in the clear with prior knowledge")
    func priorKnowledge() async throws {
        let (response, body) = try await transport.fetch(
            try request("/static/64.bin", .http2PriorKnowledge, peer: .h2c)
        )
        #expect(response.connection?.httpVersion == .http2)
        #expect(response.connection?.tls == nil)
        #expect(body.count == 64)
    }

    @Test("a server without HTTP/2 fails a request for HTTP/2 only")
    func http2Only() async throws {
        let certificate = "\(try Peers.path(.pki))/localhost"
        let server = try OpenSSLServer(certificate: "\(certificate).pem", key: "\(certificate).key", connections: 2)
        let roots = try Peers.roots
        let request = TransportRequest(.get, "https://localhost:\(server.port)/").with {
            $0.options.tls.roots = roots
            $0.options.httpVersion = .http2Only
        }
        let error = try #require(await transport.failure(of: request))
        #expect(error.code == .tlsFailed, "\(error)")
        #expect(error.processing == .notSent)
        #expect(error.message.contains("ALPN"), "\(error)")
        let automatic = request.with { $0.options.httpVersion = .automatic }
        let (response, _) = try await transport.fetch(automatic)
        #expect(response.connection?.httpVersion != .http2)
    }

    @Test("trailers arrive")
    func trailers() async throws {
        let (response, _) = try await transport.fetch(try request("/trailer"))
        #expect(response.connection?.httpVersion == .http2)
        #expect(response.body.trailers?[try #require(HTTPField.Name("X-Trailer"))] == "value")
    }

    @Test("a burst shares one connection")
    func burst() async throws {
        let request = try request()
        let ids = try await withThrowingTaskGroup(of: UInt64?.self) { group in
            for _ in 0..<64 { group.addTask { try await transport.fetch(request).response.connection?.id } }
            return try await group.reduce(into: Set<UInt64?>()) { $0.insert($1) }
        }
        #expect(ids.count == 1)
    }

    @Test("bodies of all kinds are sent", arguments: [10, 100_000, 3_000_000])
    func uploads(count: Int) async throws {
        let data = Data(repeating: 7, count: count)
        let roots = try Peers.roots
        for body in [RequestBody.bytes(data), .oneShot(ChunkSource([String(repeating: "\u{7}", count: count)]))] {
            let request = TransportRequest(.post, try Peers.url(.nghttpd, "/echo"), body: body).with {
                $0.options.tls.roots = roots
            }
            let (response, echoed) = try await transport.fetch(request)
            #expect(response.connection?.httpVersion == .http2)
            #expect(echoed.count == count)
        }
    }

    @Test("cancelling resets a stream and leaves the connection to others")
    func cancellation() async throws {
        let request = try request("/static/256m.bin")
        let first = try await transport.send(request)
        _ = try await first.body.next()
        first.body.cancel()
        let (second, body) = try await transport.fetch(try self.request())
        #expect(body.count == 64)
        #expect(second.connection?.id == first.connection?.id)
    }

    @Test("large bodies arrive whole, several concurrently")
    func largeBodies() async throws {
        let request = try request("/static/1m.bin")
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<20 { group.addTask { try await transport.fetch(request).body.count } }
            for try await count in group { #expect(count == 1 << 20) }
        }
    }

    @Test("an unread body does not delay the other streams of its connection")
    func headOfLine() async throws {
        let stalled = try await transport.send(try request("/static/256m.bin"))
        for _ in 0..<20 {
            let request = try request("/static/1m.bin")
            let (response, body) = try await within(.seconds(10)) { try await transport.fetch(request) }
            #expect(body.count == 1 << 20)
            #expect(response.head.status == 200)
        }
        stalled.body.cancel()
    }

    @Test("two bodies that are read one after the other both arrive")
    func sequentialReaders() async throws {
        async let one = transport.send(try request("/static/256m.bin"))
        async let two = transport.send(try request("/static/256m.bin"))
        let (first, second) = try await (one, two)
        for body in [first.body, second.body] {
            let count = try await within(.seconds(30)) {
                var count = 0
                while let chunk = try await body.next() { count += chunk.count }
                return count
            }
            #expect(count == 256 << 20)
        }
    }
}
