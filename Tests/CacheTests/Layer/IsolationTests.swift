import AirframeLayers
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

@testable import AirframeCache

@Suite("Requests for one URI to other servers, or with other trust", .timeLimit(.minutes(1)))
struct IsolationTests {
    /// An option that keeps responses apart. Each has two values.
    enum Option: String, CaseIterable, Sendable {
        case unixSocket, addresses, localAddress, interface, mark, roots, rootFile, identity, trust, rules, user

        func apply(_ value: Int, to request: inout TransportRequest) {
            let bytes = DER([UInt8(value)])
            switch self {
            case .unixSocket: request.options.unixSocketPath = "/run/\(value).sock"
            case .addresses:
                request.options.resolveOverrides = [
                    ResolveOverride(host: "API.test", port: 443, addresses: ["10.0.0.\(value)"])
                ]
            case .localAddress: request.options.localAddress = "10.0.0.\(value)"
            case .interface: request.options.networkInterface = "eth\(value)"
            case .mark: request.options.socket.mark = UInt32(value)
            case .roots: request.options.tls.roots = .certificates([bytes])
            case .rootFile: request.options.tls.roots = .pemFile(path: "/etc/\(value).pem")
            case .identity: request.identity = ClientIdentity(chain: [bytes], privateKey: DER([]))
            case .trust: request.trust = NamedTrust(name: "\(value)")
            case .rules: request.security = NamedRules(name: "\(value)")
            case .user:
                request.options.connectionAuthentication = .ntlm(
                    user: "\(value)", password: "secret", for: Origin(scheme: "https", host: "api.test"))
            }
        }
    }

    private static func origin(_ fields: [(String, String)] = [("Cache-Control", "max-age=60")]) -> ScriptedOrigin {
        ScriptedOrigin(fields)
    }

    private static func secure(
        _ option: Option? = nil, _ value: Int = 1, path: String = "/a", method: HTTPRequest.Method = .get
    ) -> TransportRequest {
        var request = TransportRequest(
            HTTPRequest(method: method, scheme: "https", authority: "api.test", path: path))
        option?.apply(value, to: &request)
        return request
    }

    @Test("a stored response answers only requests with the same option", arguments: Option.allCases)
    func stored(option: Option) async throws {
        let origin = Self.origin()
        let cache = CacheLayer(origin, store: MemoryCacheStore())
        for _ in 0..<2 {
            #expect(try await cache.text(Self.secure(option, 1)) == "answer 1")
            #expect(try await cache.text(Self.secure(option, 2)) == "answer 2")
            #expect(try await cache.text(Self.secure()) == "answer 3")
        }
        #expect(origin.requests.count == 3)
    }

    @Test("a request with its own engine or resolver passes the cache, unless it has its own store")
    func ownServer() async throws {
        let origin = Self.origin()
        let cache = CacheLayer(origin, store: MemoryCacheStore())
        var request = Self.secure()
        #expect(try await cache.text(request) == "answer 1")
        request[OwnServer.self] = true
        #expect(try await cache.text(request) == "answer 2")
        #expect(try await cache.text(request) == "answer 3")
        var onlyCached = request
        onlyCached[CacheUse.self] = .onlyCached
        let error = await #expect(throws: TransportError.self) { try await cache.send(onlyCached) }
        #expect(error?.code == .cacheMiss)
        request[CacheSettings.self].store = MemoryCacheStore()
        #expect(try await cache.text(request) == "answer 4")
        #expect(try await cache.text(request) == "answer 4")
        #expect(try await cache.text(Self.secure()) == "answer 1")
    }

    @Test("requests with different options do not wait for one response", arguments: Option.allCases)
    func collapsing(option: Option) async throws {
        let gates = [HeldBody(), HeldBody()]
        let origin = ScriptedOrigin { request, number throws(TransportError) in
            _ = try await gates[number - 1].next()
            return .make(200, [("Cache-Control", "max-age=60")], "answer \(number)", to: request)
        }
        let cache = CacheLayer(origin, store: MemoryCacheStore())
        let first = Task { try await cache.text(Self.secure(option, 1)) }
        try await eventually { origin.requests.count == 1 }
        let second = Task { try await cache.text(Self.secure(option, 2)) }
        try await eventually { origin.requests.count == 2 }
        for gate in gates { gate.give(Data("x".utf8)) }
        #expect(try await first.value == "answer 1")
        #expect(try await second.value == "answer 2")
    }

    @Test(
        "options that choose neither server nor trust change nothing: limits, versions, addresses of another host",
        arguments: 0..<5)
    func unrelated(number: Int) async throws {
        let origin = Self.origin()
        let cache = CacheLayer(origin, store: MemoryCacheStore())
        #expect(try await cache.text(Self.secure()) == "answer 1")
        var request = Self.secure()
        switch number {
        case 0: request.options.limits.firstByte = .seconds(5)
        case 1: request.options.httpVersion = .http1Only
        case 2: request.options.tls.roots = .system
        case 3:
            request.options.resolveOverrides = [ResolveOverride(host: "b.test", port: 443, addresses: ["10.0.0.1"])]
        default: request.security = NamedRules(name: nil)
        }
        #expect(try await cache.text(request) == "answer 1")
    }

    @Test("without TLS, trust and identity do not matter, and a proxy does: it may answer itself")
    func inTheClear() async throws {
        let origin = Self.origin()
        let cache = CacheLayer(origin, store: MemoryCacheStore())
        var (trusting, proxied) = (get(), get())
        Option.trust.apply(1, to: &trusting)
        Option.identity.apply(1, to: &trusting)
        proxied.options.proxy = .proxy(Proxy(host: "proxy.test", port: 3128))
        var tunnelled = Self.secure()
        tunnelled.options.proxy = proxied.options.proxy
        for _ in 0..<2 {
            #expect(try await cache.text(get()) == "answer 1")
            #expect(try await cache.text(trusting) == "answer 1")
            #expect(try await cache.text(proxied) == "answer 2")
            #expect(try await cache.text(Self.secure()) == "answer 3")
            #expect(try await cache.text(tunnelled) == "answer 3")
        }
    }

    @Test("each closure that evaluates trust has its own responses, also when the program keeps none of them")
    func closures() async throws {
        let origin = Self.origin()
        let cache = CacheLayer(origin, store: MemoryCacheStore())
        for number in 1...50 {
            var request = Self.secure()
            request.trust = ClosureTrustEvaluation { _, _, _, _ in }
            for _ in 0..<2 { #expect(try await cache.text(request) == "answer \(number)") }
        }
    }

    @Test("an evaluation is released with the responses that are stored for it")
    func released() async throws {
        let store = MemoryCacheStore()
        let cache = CacheLayer(Self.origin(), store: store)
        weak var released: ClosureTrustEvaluation?
        do {
            let trust = ClosureTrustEvaluation { _, _, _, _ in }
            released = trust
            var request = Self.secure()
            request.trust = trust
            _ = try await cache.text(request)
        }
        #expect(released != nil)
        try await store.removeAll(since: nil)
        #expect(released == nil)
    }

    @Test(
        "a request whose rules refuse the origin, or with the user of the process's tickets, is not answered",
        arguments: [true, false])
    func bypass(refuses: Bool) async throws {
        let origin = Self.origin()
        let cache = CacheLayer(origin, store: MemoryCacheStore())
        #expect(try await cache.text(Self.secure()) == "answer 1")
        var request = Self.secure()
        if refuses {
            request.security = NamedRules(name: "none", refuses: true)
        } else {
            request.options.connectionAuthentication = .negotiate(for: Origin(scheme: "https", host: "api.test"))
        }
        #expect(try await cache.text(request) == "answer 2")
        #expect(try await cache.text(request) == "answer 3")
        #expect(try await cache.text(Self.secure()) == "answer 1")
    }

    private static func secure(
        host: String, method: HTTPRequest.Method = .get
    ) throws -> TransportRequest {
        var request = secure(method: method)
        request.head.headerFields[try #require(HTTPField.Name("Host"))] = host
        return request
    }

    @Test("a request with the Host of its URL is answered like one without", arguments: ["api.test", "API.test:443"])
    func sameHost(host: String) async throws {
        let cache = CacheLayer(Self.origin(), store: MemoryCacheStore())
        for _ in 0..<2 {
            #expect(try await cache.text(Self.secure()) == "answer 1")
            #expect(try await cache.text(Self.secure(host: host)) == "answer 1")
        }
    }

    @Test(
        "a change removes the stored response, whatever its Host (RFC 9111 §4.4)",
        arguments: [HTTPRequest.Method.post, .put], ["api.test", "b.test"]
    )
    func change(method: HTTPRequest.Method, host: String) async throws {
        let cache = CacheLayer(Self.origin(), store: MemoryCacheStore())
        #expect(try await cache.text(Self.secure()) == "answer 1")
        #expect(try await cache.text(Self.secure(host: host, method: method)) == "answer 2")
        #expect(try await cache.text(Self.secure()) == "answer 3")
    }

    @Test("a request with another Host than its URL's is answered by the server: the host is not in the key")
    func ownHost() async throws {
        let cache = CacheLayer(Self.origin(), store: MemoryCacheStore())
        #expect(try await cache.text(Self.secure()) == "answer 1")
        for (host, answer) in [("a.test", "answer 2"), ("b.test", "answer 3"), ("a.test", "answer 4")] {
            #expect(try await cache.text(Self.secure(host: host)) == answer)
        }
        #expect(try await cache.text(Self.secure()) == "answer 1")
    }

    @Test("a change at one server removes the responses of that server")
    func invalidation() async throws {
        let cache = CacheLayer(Self.origin(), store: MemoryCacheStore())
        #expect(try await cache.text(Self.secure(.unixSocket, 1)) == "answer 1")
        #expect(try await cache.text(Self.secure(.unixSocket, 2)) == "answer 2")
        #expect(try await cache.text(Self.secure(.unixSocket, 1, method: .delete)) == "answer 3")
        #expect(try await cache.text(Self.secure(.unixSocket, 1)) == "answer 4")
        #expect(try await cache.text(Self.secure(.unixSocket, 2)) == "answer 2")
    }

    @Test("No-Vary-Search applies within one server")
    func noVarySearch() async throws {
        var policy = CachePolicy.private
        policy.honorsNoVarySearch = true
        let origin = Self.origin([("Cache-Control", "max-age=60"), ("No-Vary-Search", "params")])
        let cache = CacheLayer(origin, store: MemoryCacheStore(), policy: policy)
        #expect(try await cache.text(Self.secure(.unixSocket, 1, path: "/a?x=1")) == "answer 1")
        #expect(try await cache.text(Self.secure(.unixSocket, 1, path: "/a?x=2")) == "answer 1")
        #expect(try await cache.text(Self.secure(.unixSocket, 2, path: "/a?x=2")) == "answer 2")
        #expect(try await cache.text(Self.secure(path: "/a?x=2")) == "answer 3")
    }
}

@Suite("Responses of other servers on disk", .timeLimit(.minutes(1)))
struct IsolationOnDiskTests {
    private static let fields = [("Cache-Control", "max-age=60")]

    private static func request(_ option: IsolationTests.Option, _ value: Int = 1) -> TransportRequest {
        var request = TransportRequest(
            HTTPRequest(method: .get, scheme: "https", authority: "api.test", path: "/a"))
        option.apply(value, to: &request)
        return request
    }

    @Test(
        "are found by other processes",
        arguments: IsolationTests.Option.allCases.filter { $0 != .trust && $0 != .rules })
    func lasting(option: IsolationTests.Option) async throws {
        let (folder, origin) = (ScratchFolder(), ScriptedOrigin(Self.fields))
        for _ in 0..<2 {
            let cache = CacheLayer(origin, store: DiskCacheStore(directory: folder.path))
            #expect(try await cache.text(Self.request(option)) == "answer 1")
        }
        let cache = CacheLayer(origin, store: DiskCacheStore(directory: folder.path))
        #expect(try await cache.text(Self.request(option, 2)) == "answer 2")
    }

    @Test("are kept in memory if a trust evaluation permitted them, which no other process can compare")
    func transient() async throws {
        let (folder, origin) = (ScratchFolder(), ScriptedOrigin(Self.fields))
        let disk = DiskCacheStore(directory: folder.path)
        let tiers = CacheLayer(origin, store: TieredCacheStore(memory: MemoryCacheStore(), disk: disk))
        for _ in 0..<2 { #expect(try await tiers.text(Self.request(.trust)) == "answer 1") }
        let onDisk = CacheLayer(origin, store: disk)
        #expect(try await onDisk.text(Self.request(.trust)) == "answer 2")
        #expect(try await onDisk.text(Self.request(.trust)) == "answer 3")
        #expect(disk.allEntries().isEmpty)
    }
}

/// An evaluation with a name.
private struct NamedTrust: TrustEvaluation {
    let name: String

    var key: TrustKey { TrustKey(name) }

    func evaluate(chain: [DER], host: String, port: Int, stapledOCSPResponse: DER?) async throws {}
}

/// Rules with one evaluation for all origins, or none.
private struct NamedRules: OriginSecurity {
    let name: String?
    var refuses = false

    func trust(for origin: Origin) throws -> (any TrustEvaluation)? {
        if refuses { throw CancellationError() }
        return name.map { NamedTrust(name: $0) }
    }
}
