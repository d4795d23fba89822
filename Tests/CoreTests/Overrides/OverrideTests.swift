import Airframe
import AirframeConformance
import AirframeMock
import AirframeTestSupport
import Foundation
import HTTPTypes
import Testing

@Suite("Overrides of a request", .timeLimit(.minutes(1)))
struct OverrideTests {
    private struct NamedTrust: TrustEvaluation {
        let key: TrustKey
        init(_ name: String) { key = TrustKey(name) }
        func evaluate(chain: [DER], host: String, port: Int, stapledOCSPResponse: DER?) async throws {}
    }

    private struct Resolver: NameResolver {
        var found = ["127.0.0.1"]
        let asked = Log<String>()

        func addresses(of host: String) async throws -> [String] {
            asked.append(host)
            return found
        }
    }

    @Test("the engine, beneath the layers of the session", arguments: TestedEngine.allCases)
    func engine(engine: TestedEngine) async throws {
        let server = try ScriptedServer.responding { _ in
            "HTTP/1.1 302 Found\r\nLocation: /next\r\nContent-Length: 0\r\n\r\n"
        }
        let session = engine.session()
        let other = ClosureTransport { request in
            var head = HTTPResponse(status: request.head.path == "/next" ? .ok : .found)
            if request.head.path != "/next" { head.headerFields[.location] = "/next" }
            return TransportResponse(head: head, body: ResponseBody(Data("other".utf8)), request: request.head)
        }
        let text = try await session.request(server.origin, requestModifier: { $0.transport = other }).text
        #expect(text == "other")
        #expect(server.connections.isEmpty)
        _ = await session.request("\(server.origin)/", requestModifier: { $0.timeoutInterval = 5 })
            .redirect(using: Redirector.doNotFollow).serializingData(emptyResponseCodes: [302]).response
        #expect(server.connections.count == 1)
    }

    @Test("the resolver", arguments: TestedEngine.allCases)
    func resolver(engine: TestedEngine) async throws {
        let server = try ScriptedServer.echoing()
        let session = engine.session()
        let resolver = Resolver()
        let url = "http://nowhere.test:\(server.port)/"
        let text = try await session.request(url, requestModifier: { $0.resolver = resolver }).text
        #expect(text.contains("nowhere.test"))
        #expect(resolver.asked.values == ["nowhere.test"])
        let nobody = Resolver(found: [])
        let error = await session.request(url, requestModifier: { $0.resolver = nobody }).serializingString()
            .response.error
        #expect(error?.transportError?.code == .nameResolutionFailed)
    }

    @Test("a host with a resolve override is not resolved")
    func resolverAndOverrides() async throws {
        let seen = Log<[ResolveOverride]>()
        let transport = ClosureTransport { request in
            seen.append(request.options.resolveOverrides ?? [])
            return TransportResponse(head: HTTPResponse(status: .ok), body: ResponseBody(), request: request.head)
        }
        let own = ResolveOverride(host: "api.test", port: 80, addresses: ["192.0.2.1"])
        let resolver = Resolver()
        let session = Session(transport: transport)
        let request = session.request("http://api.test/") {
            $0.resolver = resolver
            $0.transportOptions.resolveOverrides = [own]
        }
        _ = try await request.serializingData(emptyResponseCodes: [200]).value
        #expect(seen.values == [[own]])
        #expect(resolver.asked.values.isEmpty)
    }

    @Test("trust and identity, for the request's own server only")
    func security() async throws {
        let seen = Log<String>()
        let transport = ClosureTransport { request in
            let isOwn = request.trust.map { $0.key == TrustKey("own") }
            seen.append("\(request.head.authority ?? "") \(isOwn.map(\.description) ?? "-") \(request.identity != nil)")
            var head = HTTPResponse(status: request.head.path == "/a" ? .found : .ok)
            if request.head.path == "/a" { head.headerFields[.location] = "https://b.test/b" }
            return TransportResponse(head: head, body: ResponseBody(Data("x".utf8)), request: request.head)
        }
        let identity = ClientIdentity(chain: [DER([1])], privateKey: DER([2]))
        let trust = NamedTrust("own")
        let session = Session(transport: transport)
        let request = session.request("https://a.test/a") {
            $0.trustEvaluation = trust
            $0.clientIdentity = identity
        }
        _ = try await request.text
        #expect(seen.values == ["a.test true true", "b.test - false"])
    }
}
