import AirframeLayers
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Synchronization
import Testing

extension ScriptedTransport {
    /// A server over TLS or in the clear that answers with one field.
    fileprivate convenience init(field: String? = nil, isTLS: Bool = true) {
        self.init { request in
            var fields = HTTPFields()
            fields[.strictTransportSecurity] = field
            let tls =
                isTLS && request.head.scheme == "https" ? TLSDescription(version: .tls1_3, cipherSuite: "x") : nil
            return TransportResponse(
                head: HTTPResponse(status: .ok, headerFields: fields),
                body: ResponseBody(),
                connection: TransportConnection(id: 1, httpVersion: .http1_1, tls: tls),
                request: request.head
            )
        }
    }
}

/// Trusts everything.
private struct BlindTrust: TrustEvaluation {
    var key: TrustKey { TrustKey("blind") }
    var authenticatesServer: Bool { false }

    func evaluate(chain: [DER], host: String, port: Int, stapledOCSPResponse: DER?) async throws {}
}

private func request(_ scheme: String, _ authority: String, _ path: String = "/") -> TransportRequest {
    TransportRequest(HTTPRequest(method: .get, scheme: scheme, authority: authority, path: path))
}

@Suite("HSTS (RFC 6797)", .timeLimit(.minutes(1)))
struct HSTSTests {
    @Test("a host that sent a policy over TLS is reached by https from then on, with a decision (§8.3)")
    func upgrade() async throws {
        let server = ScriptedTransport(field: "max-age=1000")
        let layer = HSTSLayer(server, store: HSTSStore())
        _ = try await layer.send(request("http", "a.test"))
        _ = try await layer.send(request("https", "a.test"))
        let log = EventLog()
        var sent = request("http", "A.test:80", "/x?y")
        sent.events = log
        sent[RequestCredential.self] = HTTPCredential(
            user: "u", password: "p", origin: Origin(scheme: "http", host: "a.test"))
        let response = try await layer.send(sent)
        _ = try await layer.send(request("http", "a.test:8080"))
        _ = try await layer.send(request("http", "www.a.test"))
        #expect(
            server.requests.map(\.url) == [
                "http://a.test/", "https://a.test/", "https://a.test/x?y", "https://a.test:8080/", "http://www.a.test/",
            ])
        #expect(response.request.scheme == "https")
        #expect(log.decisions.count == 1)
        #expect(log.decisions.first.map { "\($0)" }?.contains("https alone") == true)
    }

    @Test(
        "nothing is learned in the clear, without authentication, from an address or from a malformed field",
        arguments: [
            ("http", "a.test", "max-age=10", true, nil), ("https", "127.0.0.1", "max-age=10", true, nil),
            ("https", "[::1]:8443", "max-age=10", true, nil), ("https", "a.test", "max-age=10", false, nil),
            ("https", "a.test", "max-age=10", true, BlindTrust()), ("https", "a.test", "max-age", true, nil),
            ("https", "a.test", "max-age=x", true, nil), ("https", "a.test", "includeSubDomains", true, nil),
            ("https", "a.test", "max-age=1; max-age=2", true, nil), ("https", "a.test", "max-age=\"1", true, nil),
            ("https", "a.test", "max-age=-1", true, nil), ("https", "a.test", "", true, nil),
            ("https", "a.test", "max-age=1; includeSubDomains=1", true, nil),
        ] as [(String, String, String, Bool, (any TrustEvaluation)?)])
    func notLearned(
        scheme: String, authority: String, field: String, isTLS: Bool, trust: (any TrustEvaluation)?
    ) async throws {
        let store = HSTSStore()
        var sent = request(scheme, authority)
        sent.trust = trust
        _ = try await HSTSLayer(ScriptedTransport(field: field, isTLS: isTLS), store: store).send(sent)
        #expect(store.isEmpty)
    }

    @Test(
        "fields in all their forms (§6.1)",
        arguments: [
            ("max-age=10", 10, false), ("MAX-AGE=\"10\" ; INCLUDESUBDOMAINS", 10, true),
            (" max-age = 10 ;; x=y; z", 10, false),
            ("includeSubDomains;max-age=10", 10, true), ("max-age=99999999999999999999", 10 * 365 * 86_400, false),
            ("max-age=10; x=\"a;b\\\"=c\"", 10, false),
        ])
    func fields(field: String, age: Int, includes: Bool) throws {
        let store = HSTSStore()
        let now = Date(timeIntervalSince1970: 1_800_000_000)
        store.learn(field, from: "a.test", at: now)
        let policy = try #require(store.policies.first)
        #expect(policy.expires == now.addingTimeInterval(Double(age)))
        #expect(policy.includesSubdomains == includes)
    }

    @Test("quotation marks within a value take time proportional to their number")
    func quotationMarks() {
        let store = HSTSStore()
        store.learn("max-age=10; a=b" + String(repeating: "\"", count: 130_000), from: "a.test")
        #expect(store.policies.map(\.host) == ["a.test"])
    }

    @Test(
        "policies expire, are renewed, and are removed with max-age=0; includeSubDomains applies to subdomains (§6.1)")
    func lifetimes() {
        let store = HSTSStore()
        let now = Date()
        store.learn("max-age=10; includeSubDomains", from: "A.test.", at: now)
        #expect(store.requiresHTTPS("a.test", at: now) && store.requiresHTTPS("x.y.A.test.", at: now))
        #expect(!store.requiresHTTPS("test", at: now) && !store.requiresHTTPS("ba.test", at: now))
        #expect(!store.requiresHTTPS("a.test", at: now.addingTimeInterval(10)))
        store.learn("max-age=20", from: "a.test", at: now)
        #expect(
            store.requiresHTTPS("a.test", at: now.addingTimeInterval(10)) && !store.requiresHTTPS("x.a.test", at: now))
        store.learn("max-age=0", from: "x.a.test", at: now)
        #expect(store.requiresHTTPS("a.test", at: now))
        store.learn("max-age=0", from: "a.test", at: now)
        #expect(store.isEmpty)
    }

    @Test("a policy does not include a subdomain that is too long for a host")
    func longHost() {
        let store = HSTSStore()
        store.learn("max-age=10; includeSubDomains", from: "a.test")
        #expect(store.requiresHTTPS(String(repeating: "x.", count: 120) + "a.test"))
        #expect(!store.requiresHTTPS(String(repeating: "x.", count: 65_000) + "a.test"))
    }

    @Test("httpsOnly upgrades every request, including addresses and targets of redirects")
    func httpsOnly() async throws {
        let server = ScriptedTransport(field: nil)
        let layer = HSTSLayer(server, store: HSTSStore(), httpsOnly: true)
        for authority in ["a.test", "127.0.0.1:80", "[::1]:81"] { _ = try await layer.send(request("http", authority)) }
        #expect(server.requests.map(\.url) == ["https://a.test/", "https://127.0.0.1/", "https://[::1]:81/"])
    }

    @Test("a store on a file persists, is shared between instances, and enforces its limit")
    func file() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "hsts-\(UUID().uuidString)").path
        defer { for end in ["", ".lock"] { try? FileManager.default.removeItem(atPath: path + end) } }
        let (one, two) = (try HSTSStore(file: path), try HSTSStore(file: path))
        one.learn("max-age=1000", from: "one.test")
        two.learn("max-age=1000; includeSubDomains", from: "two.test")
        try one.save()
        try two.save()
        #expect(two.policies.map(\.host) == ["one.test", "two.test"])
        #expect(try HSTSStore(file: path).policies == two.policies)
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
        two.forget("one.test")
        try two.save()
        #expect(try HSTSStore(file: path).policies.map(\.host) == ["two.test"])
        let small = HSTSStore(limit: 10)
        for number in 1...50 { small.learn("max-age=\(number)", from: "h\(number).test") }
        #expect(small.policies.count <= 10)
        #expect(small.requiresHTTPS("h50.test"))
    }

    @Test("a preload list is read as lines and in Chromium's format; learned policies do not remove its hosts")
    func preload() throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "preload-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        let store = HSTSStore()
        try Data("# hosts\n.all.test\n\none.test # alone\n".utf8).write(to: URL(filePath: path))
        try store.loadPreloadList(from: path)
        #expect(
            store.requiresHTTPS("x.all.test") && store.requiresHTTPS("one.test") && !store.requiresHTTPS("x.one.test"))
        store.learn("max-age=0", from: "one.test")
        #expect(store.requiresHTTPS("one.test"))
        let chromium = """
            // A comment.
            { "entries": [
              // Another.
              { "name": "c.test", "policy": "custom", "mode": "force-https", "include_subdomains": true },
              { "name": "d.test", "mode": "other" } ] }
            """
        try Data(chromium.utf8).write(to: URL(filePath: path))
        try store.loadPreloadList(from: path)
        #expect(store.requiresHTTPS("x.c.test") && !store.requiresHTTPS("d.test") && !store.requiresHTTPS("one.test"))
        try Data("http://a.test/\n".utf8).write(to: URL(filePath: path))
        #expect(throws: StateFileError.self) { try store.loadPreloadList(from: path) }
        #expect(throws: StateFileError.self) { try store.loadPreloadList(from: path + ".none") }
    }
}

@Suite("Redirects after an upgrade to https", .timeLimit(.minutes(1)))
struct UpgradedRedirectTests {
    /// A server that redirects once, and answers everything else.
    private func layers(_ status: Int, to location: String) -> (ScriptedTransport, RedirectLayer) {
        let server = ScriptedTransport { request in
            var fields = HTTPFields()
            if request.head.path == "/" { fields[.location] = location }
            return TransportResponse(
                head: HTTPResponse(
                    status: request.head.path == "/" ? .init(code: status) : .ok, headerFields: fields),
                body: ResponseBody(),
                request: request.head
            )
        }
        let store = HSTSStore()
        store.learn("max-age=1000", from: "a.test")
        return (server, RedirectLayer(HSTSLayer(server, store: store)))
    }

    @Test("a redirect to http is refused, since the request went over TLS")
    func downgrade() async throws {
        let (server, layer) = layers(302, to: "http://other.test/next")
        let error = await #expect(throws: TransportError.self) { try await layer.send(request("http", "a.test")) }
        #expect(error?.code == .redirectRefused)
        #expect(server.requests.map(\.url) == ["https://a.test/"])
    }

    @Test("a redirect to the same host over TLS keeps the fields and the credential of the request")
    func sameHost() async throws {
        let (server, layer) = layers(301, to: "https://a.test/next")
        var sent = request("http", "a.test")
        sent.head.headerFields[.authorization] = "Bearer x"
        sent[RequestCredential.self] = HTTPCredential(
            user: "u", password: "p", origin: Origin(scheme: "http", host: "a.test"))
        _ = try await layer.send(sent)
        #expect(server.requests.map(\.url) == ["https://a.test/", "https://a.test/next"])
        let last = try #require(server.requests.last)
        #expect(last.head.headerFields[.authorization] == "Bearer x")
        #expect(last[RequestCredential.self]?.origin == Origin(scheme: "https", host: "a.test"))
        #expect(!last[OwnCredentialOnly.self])
    }

    @Test("redirects to http of hosts with a policy are followed over TLS, however many, with the request's fields")
    func chain() async throws {
        let server = ScriptedTransport { request in
            let next = ["/": "http://a.test/b", "/b": "http://a.test/c", "/c": "http://www.a.test/d"]
            let location = next[request.head.path ?? ""]
            var fields = HTTPFields()
            fields[.location] = location
            return TransportResponse(
                head: HTTPResponse(status: location == nil ? .ok : .found, headerFields: fields),
                body: ResponseBody(),
                request: request.head
            )
        }
        let store = HSTSStore()
        store.learn("max-age=1000; includeSubDomains", from: "a.test")
        var sent = request("http", "a.test")
        sent.head.headerFields[.authorization] = "Bearer x"
        _ = try await RedirectLayer(HSTSLayer(server, store: store)).send(sent)
        #expect(
            server.requests.map(\.url) == [
                "https://a.test/", "https://a.test/b", "https://a.test/c", "https://www.a.test/d",
            ])
        #expect(
            server.requests.map { $0.head.headerFields[.authorization] } == ["Bearer x", "Bearer x", "Bearer x", nil])
    }

    @Test("a relative redirect stays on TLS")
    func relative() async throws {
        let (server, layer) = layers(302, to: "/next")
        _ = try await layer.send(request("http", "a.test:80"))
        #expect(server.requests.map(\.url) == ["https://a.test/", "https://a.test/next"])
    }
}
