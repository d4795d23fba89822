import AirframeConformance
import AirframeSocket
import AirframeTransport
import Testing

@Suite("ORIGIN frames (RFC 8336)", .timeLimit(.minutes(1)))
struct Origins {
    private func frame(_ origins: [String], stream: UInt32 = 0) -> HTTP2Frame {
        let payload = origins.flatMap { origin in
            [UInt8(origin.utf8.count >> 8), UInt8(truncatingIfNeeded: origin.utf8.count)] + Array(origin.utf8)
        }
        return HTTP2Frame(type: 12, stream: stream, payload: payload)
    }

    private func origin(_ host: String, _ port: Int? = nil) -> Origin {
        Origin(scheme: "https", host: host, port: port)
    }

    @Test("a server without ORIGIN frames has no origin set (RFC 8336 §2.4)")
    func none() throws {
        #expect(try MemoryServer().session.claims(origin("api.test")) == nil)
    }

    @Test("several frames extend one set, and ports and schemes are significant (RFC 8336 §2.3)")
    func several() throws {
        let server = try MemoryServer()
        server.receive([frame(["https://api.test", "https://www.test:8443"]), frame(["https://cdn.test"])])
        for claimed in [origin("api.test"), origin("www.test", 8443), origin("cdn.test")] {
            #expect(server.session.claims(claimed) == true)
        }
        for other in [origin("www.test"), origin("api.test", 8443), origin("test")] {
            #expect(server.session.claims(other) == false)
        }
        #expect(server.session.claims(Origin(scheme: "http", host: "api.test", port: 443)) == false)
        #expect(server.session.failure == nil)
    }

    @Test(
        "malformed origins are ignored, and the frame still defines a set (RFC 8336 §2.1)",
        arguments: ["", "api.test", "https://", "://api.test", "https://api.test/path", "https://a b", "null"])
    func malformed(text: String) throws {
        let server = try MemoryServer()
        server.receive([frame([text, "https://cdn.test"])])
        #expect(server.session.claims(origin("cdn.test")) == true)
        #expect(server.session.claims(origin("api.test")) == false)
        #expect(server.session.failure == nil)
    }

    @Test("a frame on a stream other than 0 is ignored (RFC 8336 §2.1)")
    func onStream() throws {
        let server = try MemoryServer()
        _ = try server.open()
        server.receive([frame(["https://api.test"], stream: 1)])
        #expect(server.session.claims(origin("api.test")) == nil)
        #expect(server.session.failure == nil)
    }

    @Test("a set has at most 1,000 origins")
    func bounded() throws {
        let server = try MemoryServer()
        for first in stride(from: 0, to: 3_000, by: 100) {
            server.receive([frame((first..<first + 100).map { "https://h\($0).test" })])
        }
        #expect(server.session.claims(origin("h0.test")) == true)
        #expect(server.session.claims(origin("h2999.test")) == false)
    }
}
