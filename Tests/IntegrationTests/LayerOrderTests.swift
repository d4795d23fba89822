import Airframe
import Foundation
import HTTPTypes
import Synchronization
import Testing

/// A rule of the order of layers, and a request that shows it.
private struct OrderRule: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let outer: LayerStack.Place
    let inner: LayerStack.Place
    /// Sends a request through layers in the given order; returns whether the rule held.
    let holds: @Sendable ([LayerStack.Place]) async throws -> Bool
}

/// A layer that notes requests and responses, or answers by itself.
private struct Probe: TransportLayer {
    let base: any Transport
    var note: @Sendable (TransportRequest) -> Void = { _ in }
    var noteResponse: @Sendable (TransportResponse) -> Void = { _ in }
    var answer: (@Sendable (TransportRequest) -> TransportResponse)?

    func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
        note(request)
        if let answer { return answer(request) }
        let response = try await base.send(request)
        noteResponse(response)
        return response
    }
}

/// The requests that an engine received.
private final class Sent: Sendable {
    private let kept = Mutex<[HTTPRequest]>([])
    var heads: [HTTPRequest] { kept.withLock { $0 } }

    /// An engine that answers with `answer`'s status and fields.
    func engine(
        _ answer: @escaping @Sendable (HTTPRequest) -> (Int, HTTPFields) = { _ in (200, [:]) }
    ) -> ClosureTransport {
        ClosureTransport { request in
            self.kept.withLock { $0.append(request.head) }
            let (status, fields) = answer(request.head)
            let head = HTTPResponse(status: .init(code: status), headerFields: fields)
            return TransportResponse(head: head, body: ResponseBody(), request: request.head)
        }
    }
}

private func request(_ scheme: String, _ host: String, _ path: String, credential: Bool = false) -> TransportRequest {
    var request = TransportRequest(HTTPRequest(method: .get, scheme: scheme, authority: host, path: path))
    if credential, let origin = Origin(request.head) {
        request[RequestCredential.self] = HTTPCredential(user: "u", password: "p", origin: origin)
    }
    return request
}

private func knownHosts() -> HSTSStore {
    let store = HSTSStore()
    store.learn("max-age=1000", from: "safe.test", at: Date())
    return store
}

private let challenge: HTTPFields = [.wwwAuthenticate: "Basic realm=\"r\""]

extension OrderRule {
    static let all: [OrderRule] = [
        OrderRule(
            testDescription: "every hop is upgraded to https", outer: .redirects, inner: .strictTransportSecurity
        ) { order in
            let (sent, store) = (Sent(), knownHosts())
            var layers = LayerStack()
            layers.provide(.redirects) { RedirectLayer($0) }
            layers.provide(.strictTransportSecurity) { HSTSLayer($0, store: store) }
            let engine = sent.engine { $0.path == "/start" ? (302, [.location: "http://safe.test/"]) : (200, [:]) }
            _ = try await layers.transport(over: engine, in: order).send(request("http", "first.test", "/start"))
            return sent.heads.last?.scheme == "https"
        },
        OrderRule(
            testDescription: "a hop's challenge is answered for that hop alone", outer: .redirects,
            inner: .authentication
        ) { order in
            let sent = Sent()
            var layers = LayerStack()
            layers.provide(.redirects) { RedirectLayer($0) }
            layers.provide(.authentication) { AuthenticationLayer($0) }
            let engine = sent.engine { head in
                if head.path == "/start" { return (302, [.location: "/secret"]) }
                return head.headerFields[.authorization] == nil ? (401, challenge) : (200, [:])
            }
            let first = request("https", "a.test", "/start", credential: true)
            _ = try await layers.transport(over: engine, in: order).send(first)
            return sent.heads.map(\.path) == ["/start", "/secret", "/secret"]
        },
        OrderRule(testDescription: "the cookies of every hop count", outer: .redirects, inner: .cookies) { order in
            let sent = Sent()
            var layers = LayerStack()
            layers.provide(.redirects) { RedirectLayer($0) }
            layers.provide(.cookies) { CookieLayer($0) }
            let engine = sent.engine { head in
                head.path == "/start" ? (302, [.location: "/end", .setCookie: "a=1"]) : (200, [:])
            }
            _ = try await layers.transport(over: engine, in: order).send(request("https", "a.test", "/start"))
            return sent.heads.last?.headerFields[.cookie] == "a=1"
        },
        OrderRule(
            testDescription: "credentials are for the origin that requests are upgraded to",
            outer: .strictTransportSecurity, inner: .authentication
        ) { order in
            let (sent, store) = (Sent(), knownHosts())
            var layers = LayerStack()
            layers.provide(.strictTransportSecurity) { HSTSLayer($0, store: store) }
            layers.provide(.authentication) { AuthenticationLayer($0) }
            let engine = sent.engine { $0.headerFields[.authorization] == nil ? (401, challenge) : (200, [:]) }
            let transport = layers.transport(over: engine, in: order)
            _ = try await transport.send(request("http", "safe.test", "/", credential: true))
            _ = try await transport.send(request("https", "safe.test", "/", credential: true))
            return sent.heads.count == 3
        },
        OrderRule(
            testDescription: "Secure cookies go along with an upgraded request", outer: .strictTransportSecurity,
            inner: .cookies
        ) { order in
            let (sent, store) = (Sent(), knownHosts())
            let storage = HTTPCookieStorage()
            var layers = LayerStack()
            layers.provide(.strictTransportSecurity) { HSTSLayer($0, store: store) }
            layers.provide(.cookies) { CookieLayer($0, storage: storage) }
            let engine = sent.engine { _ in (200, [.setCookie: "a=1; Secure"]) }
            let transport = layers.transport(over: engine, in: order)
            _ = try await transport.send(request("https", "safe.test", "/"))
            _ = try await transport.send(request("http", "safe.test", "/"))
            return sent.heads.last?.headerFields[.cookie] == "a=1"
        },
        OrderRule(
            testDescription: "the cookies of a challenge are sent with its answer", outer: .authentication,
            inner: .cookies
        ) { order in
            let sent = Sent()
            var layers = LayerStack()
            layers.provide(.authentication) { AuthenticationLayer($0) }
            layers.provide(.cookies) { CookieLayer($0) }
            let engine = sent.engine { head in
                guard head.headerFields[.authorization] == nil else { return (200, [:]) }
                return (401, [.wwwAuthenticate: "Basic realm=\"r\"", .setCookie: "a=1"])
            }
            let first = request("https", "a.test", "/", credential: true)
            _ = try await layers.transport(over: engine, in: order).send(first)
            return sent.heads.last?.headerFields[.cookie] == "a=1"
        },
        OrderRule(
            testDescription: "the cache knows the cookies that a response varies on", outer: .cookies, inner: .cache
        ) { order in
            let sent = Sent()
            let storage = HTTPCookieStorage()
            var layers = LayerStack()
            layers.provide(.cookies) { CookieLayer($0, storage: storage) }
            let noted = Mutex<[String?]>([])
            layers.provide(.cache) { base in
                Probe(base: base, note: { request in noted.withLock { $0.append(request.head.headerFields[.cookie]) } })
            }
            let transport = layers.transport(over: sent.engine { _ in (200, [.setCookie: "a=1"]) }, in: order)
            for _ in 0..<2 { _ = try await transport.send(request("https", "a.test", "/")) }
            return noted.withLock { $0.last } == "a=1"
        },
        OrderRule(
            testDescription: "the cache stores content as it was received", outer: .contentDecoding, inner: .cache
        ) { order in
            let noted = Mutex<[String?]>([])
            var layers = LayerStack()
            layers.provide(.contentDecoding) { ContentDecodingLayer($0) }
            layers.provide(.cache) { base in
                Probe(
                    base: base,
                    noteResponse: { response in
                        noted.withLock { $0.append(response.head.headerFields[.contentEncoding]) }
                    })
            }
            let engine = Sent().engine { _ in (200, [.contentEncoding: "gzip"]) }
            _ = try await layers.transport(over: engine, in: order).send(request("https", "a.test", "/"))
            return noted.withLock { $0 } == ["gzip"]
        },
        OrderRule(
            testDescription: "a stored response needs no network", outer: .cache, inner: .connectivity
        ) { order in
            let waits = Mutex(0)
            var layers = LayerStack()
            layers.provide(.cache) { base in
                Probe(
                    base: base,
                    answer: { request in
                        TransportResponse(head: .init(status: .ok), body: ResponseBody(), request: request.head)
                    })
            }
            layers.provide(.connectivity) { base in Probe(base: base, note: { _ in waits.withLock { $0 += 1 } }) }
            let transport = layers.transport(over: Sent().engine(), in: order)
            _ = try await transport.send(request("https", "a.test", "/"))
            return waits.withLock { $0 } == 0
        },
        OrderRule(
            testDescription: "monitors do not measure the wait for a network", outer: .connectivity, inner: .monitoring
        ) { order in
            let steps = Mutex<[String]>([])
            var layers = LayerStack()
            let note = { @Sendable (step: String) in steps.withLock { $0.append(step) } }
            layers.provide(.connectivity) { base in Probe(base: base, note: { _ in note("wait") }) }
            layers.provide(.monitoring) { base in Probe(base: base, note: { _ in note("span") }) }
            let transport = layers.transport(over: Sent().engine(), in: order)
            _ = try await transport.send(request("https", "a.test", "/"))
            return steps.withLock { $0 } == ["wait", "span"]
        },
    ]
}

@Suite("The order of the layers", .timeLimit(.minutes(1)))
struct LayerOrderTests {
    @Test("holds each of its rules, and breaks the rule when the two layers are swapped", arguments: OrderRule.all)
    private func rules(_ rule: OrderRule) async throws {
        #expect(try await rule.holds(LayerStack.order))
        let outer = try #require(LayerStack.order.firstIndex(of: rule.outer))
        let inner = try #require(LayerStack.order.firstIndex(of: rule.inner))
        #expect(outer < inner)
        var swapped = LayerStack.order
        swapped.swapAt(outer, inner)
        #expect(try await !rule.holds(swapped))
    }

    @Test("has a rule for each pair of neighbours, save cookies and content decoding, which commute")
    func neighbours() {
        for (outer, inner) in zip(LayerStack.order, LayerStack.order.dropFirst())
        where (outer, inner) != (.cookies, .contentDecoding) {
            #expect(OrderRule.all.contains { $0.outer == outer && $0.inner == inner }, "no rule: \(outer), \(inner)")
        }
        #expect(OrderRule.all.contains { $0.outer == .cookies && $0.inner == .cache })
    }

    @Test("a session of the umbrella has it around its engine")
    func sessions() {
        let configuration = URLSessionConfiguration.af.ephemeral
        configuration.waitsForConnectivity = true
        let engine = ClosureTransport(features: .all.subtracting([.connectivityWait, .responseCache])) { request in
            TransportResponse(head: .init(status: .ok), body: ResponseBody(), request: request.head)
        }
        let session = Session(transport: engine, configuration: configuration)
        let types = sequence(first: session.transport) { $0.asLayer?.base }
            .map { "\(type(of: $0))" }.filter { $0 != "LayerRun" }
        #expect(
            types == [
                "RedirectLayer", "HSTSLayer", "AuthenticationLayer", "CookieLayer", "ContentDecodingLayer",
                "CacheLayer", "ConnectivityLayer", "RequestOverridesLayer", "ClosureTransport",
            ])
    }

    @Test("takes layers above and below any place, replacements and removals")
    func changes() async throws {
        let steps = Mutex<[String]>([])
        let configuration = URLSessionConfiguration.af.ephemeral
        func noting(_ step: String) -> LayerStack.Make {
            { base in Probe(base: base, note: { _ in steps.withLock { $0.append(step) } }) }
        }
        configuration.layers.insert(above: .cookies, noting("above, outer"))
        configuration.layers.insert(above: .cookies, noting("above, inner"))
        configuration.layers.insert(below: .cookies, noting("below"))
        configuration.layers.insert(below: .cache, noting("at an empty place"))
        configuration.layers.replace(.redirects, with: noting("in place of redirects"))
        configuration.layers.remove(.authentication)
        let sent = Sent()
        let session = Session(transport: sent.engine { _ in (302, [.location: "/"]) }, configuration: configuration)
        let status = await session.request("http://a.test/").serializingData().response.response?.statusCode
        #expect(status == 302, "nothing follows redirects")
        #expect(
            steps.withLock { $0 } == [
                "in place of redirects", "above, outer", "above, inner", "below", "at an empty place",
            ])
        #expect(session.transport.capabilities.authenticationSchemes.isEmpty)
    }

    @Test("is not imposed on a transport that is composed by hand")
    func composed() async {
        let session = Session(composed: Sent().engine { _ in (302, [.location: "/"]) })
        #expect(session.transport is ClosureTransport)
        #expect(await session.request("http://a.test/").serializingData().response.response?.statusCode == 302)
    }
}
