import AirframeConformance
import AirframeSocket
import AirframeTransport
import HTTPTypes
import Testing

/// The field sections of requests, decoded by libnghttp2's inflater with the server's dynamic table (RFC 7541).
@Suite("compression of HTTP/2 requests", .timeLimit(.minutes(2)))
struct RequestCompression {
    /// The number of steps of each seed. Each opens a stream, most have one section.
    private static let stepCount = 2_000

    @Test("a server decodes what was sent, whatever the order of requests and table sizes", arguments: 1...20)
    func random(_ seed: Int) throws {
        let server = try CompressionServer(seed)
        for _ in 0..<Self.stepCount { try server.step() }
        try server.drain()
        #expect(server.pendingCount == 0)
        #expect(server.sectionCount > Self.stepCount)
        // Many heads repeat the last one, so that the memory is tested too.
        #expect(server.recalledCount > Self.stepCount / 15)
    }

    @Test(
        "a table that one SETTINGS frame empties and enlarges is announced as empty (RFC 7541 §4.2)",
        arguments: [[0, 4096], [0, 100], [100, 0, 4096], [4096, 0, 4096], [4096]])
    func sizesInOneFrame(_ sizes: [UInt32]) throws {
        let server = try MemoryServer()
        let inflater = FieldInflater()
        let head = SharedRequestHead(HTTPRequest(method: .get, scheme: "https", authority: "a.test", path: "/"))
        for _ in 0..<3 {
            for _ in 0..<3 {
                let block = try server.block(of: head)
                #expect(inflater.decode(block)?.map(\.value) == ["GET", "https", "a.test", "/"])
            }
            server.receive([.settings(sizes.map { (1, $0) })])
            #expect(server.frames().contains(.settingsAcknowledged))
            for size in sizes { inflater.changeTableSize(to: size) }
        }
    }

    @Test("a secret is never indexed, nor is a section with one remembered (RFC 7541 §7.1.3)", arguments: secrets)
    func secret(_ name: String) throws {
        let server = try MemoryServer()
        let inflater = FieldInflater()
        var request = HTTPRequest(method: .get, scheme: "https", authority: "a.test", path: "/")
        request.headerFields = [try #require(HTTPField.Name(name)): "secret", .userAgent: "test"]
        let head = SharedRequestHead(request)
        for _ in 0..<3 {
            #expect(try server.session.reopen(head) == nil)
            let block = try server.block(of: head)
            let fields = inflater.decode(block) ?? []
            #expect(fields.contains(.init(name: name.lowercased(), value: "secret", isNeverIndexed: true)))
            #expect(fields.contains(.init(name: "user-agent", value: "test")))
            #expect(!inflater.table.contains { $0.value == "secret" })
        }
    }

    static let secrets = [
        "authorization", "cookie", "X-Api-Key", "X-Auth-Token", "x-amz-security-token", "X-RapidAPI-Key", "dpop",
    ]

    @Test("a proxy's credential is sent with a request for a tunnel, and never indexed (RFC 9110 §11.7.2)")
    func proxyCredential() throws {
        let server = try MemoryServer()
        var request = HTTPRequest(method: .connect, scheme: nil, authority: "a.test:443", path: nil)
        request.headerFields = [.proxyAuthorization: "secret"]
        var head = HTTP2RequestHead(request, hasContent: true)
        head.isHandshake = true
        _ = try server.session.open(head)
        let block = try #require(server.frames().first { $0.type == 1 }).payload
        let fields = FieldInflater().decode(block)
        #expect(fields?.last == .init(name: "proxy-authorization", value: "secret", isNeverIndexed: true))
    }

    @Test("fields that only look like secrets are indexed", arguments: ["Idempotency-Key", "accept", "X-Keyboard"])
    func harmless(_ name: String) throws {
        let server = try MemoryServer()
        let inflater = FieldInflater()
        var request = HTTPRequest(method: .get, scheme: "https", authority: "a.test", path: "/")
        request.headerFields = [try #require(HTTPField.Name(name)): "harmless"]
        let head = SharedRequestHead(request)
        for _ in 0..<2 {
            let block = try server.block(of: head)
            #expect(inflater.decode(block)?.last == .init(name: name.lowercased(), value: "harmless"))
        }
        #expect(inflater.table.contains { $0.value == "harmless" })
        #expect(try server.session.reopen(head) != nil)
    }

    @Test("a large head is not kept after it was sent")
    func large() throws {
        let server = try MemoryServer()
        var request = HTTPRequest(method: .get, scheme: "https", authority: "a.test", path: "/")
        request.headerFields = [.userAgent: String(repeating: "a", count: 5_000)]
        let head = SharedRequestHead(request)
        for _ in 0..<3 {
            _ = try server.open(head)
            _ = server.frames()
        }
        #expect(try server.session.reopen(head) == nil)
    }
}
