import Airframe
import AirframeConformance
import AirframeCurl
import AirframeSocket
import AirframeTestSupport
import Foundation
import Synchronization
import Testing

@Suite("State of an origin, over both engines", .timeLimit(.minutes(1)))
struct OriginTests {
    private static func session(
        over engine: TestedEngine,
        _ change: (URLSessionConfiguration) -> Void = { _ in }
    ) -> Session {
        let configuration = URLSessionConfiguration.af.default
        configuration.transportOptions.proxy = ProxyPolicy.none
        change(configuration)
        return Session(transport: engine.transport, configuration: configuration)
    }

    // MARK: Identity

    @Test("A client certificate is not shown to a redirect's other origin", arguments: TestedEngine.allCases)
    func identity(engine: TestedEngine) async throws {
        let certificates = try TestCertificates.shared()
        // One server with two names: it requires a certificate, so it reports whether it received one.
        let peer = try RawPeer(
            PeerScenario(
                tls: PeerTLS(clientCertificate: .required, versions: .tls1_2 ... .tls1_2),
                .forever([
                    .readRequest,
                    .reply { request in
                        let host = request.fields.first { $0.name.lowercased() == "host" }?.value ?? ""
                        let other = host.replacing("127.0.0.1", with: "localhost")
                        let isRedirect = request.target.hasPrefix("/away") && host != other
                        let head = isRedirect ? "302 Found\r\nLocation: https://\(other)/" : "200 OK"
                        return Array("HTTP/1.1 \(head)\r\nContent-Length: 0\r\n\r\n".utf8)
                    },
                ])
            )
        )
        defer { peer.stop() }
        let session = Self.session(over: engine) {
            $0.clientIdentity = certificates.identity
            $0.transportOptions.tls.roots = .certificates([certificates.root])
        }
        let direct = await session.request("https://\(peer.authority)/").serializingData(emptyResponseCodes: [200])
            .response
        #expect(direct.response?.statusCode == 200, "\(String(describing: direct.error))")
        let redirected = await session.request("https://\(peer.authority)/away").serializingData().response
        let code = redirected.error?.transportError?.code
        #expect(code == .clientIdentityRefused || code == .tlsFailed, "\(redirected)")
        #expect(redirected.error?.transportError?.origin?.host == "localhost")
        await session.transport.shutdown()
    }

    /// Trusts nobody.
    private struct Distrust: TrustEvaluation {
        struct Refusal: Error {}
        var key: TrustKey { TrustKey("nobody") }
        func evaluate(chain: [DER], host: String, port: Int, stapledOCSPResponse: DER?) async throws { throw Refusal() }
    }

    @Test(
        "A request for http that is upgraded to https keeps its own evaluation and identity",
        arguments: TestedEngine.allCases
    )
    func upgrade(engine: TestedEngine) async throws {
        let certificates = try TestCertificates.shared()
        let peer = try RawPeer(
            PeerScenario(
                tls: PeerTLS(clientCertificate: .required, versions: .tls1_2 ... .tls1_2),
                .forever([.readRequest, .reply { _ in Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8) }])
            )
        )
        defer { peer.stop() }
        let session = Self.session(over: engine) {
            $0.httpsOnly = true
            $0.clientIdentity = certificates.identity
            $0.transportOptions.tls.roots = .certificates([certificates.root])
        }
        let url = "http://\(peer.authority)/"
        let response = await session.request(url).serializingData(emptyResponseCodes: [200]).response
        #expect(response.response?.statusCode == 200, "\(String(describing: response.error))")
        let error = await session.request(url, requestModifier: { $0.trustEvaluation = Distrust() }).serializingData()
            .response.error
        #expect(error?.transportError?.code == .trustRefused, "\(String(describing: error))")
        await session.transport.shutdown()
    }

    // MARK: Proxies

    /// A proxy that sends requests in the clear on to https, and refuses tunnels.
    private static func proxy(_ lines: LineBox) throws -> ScriptedServer {
        try ScriptedServer { connection in
            let line = try connection.readHead().split(separator: "\r\n").first.map(String.init) ?? ""
            lines.append(line)
            let isTunnel = line.hasPrefix("CONNECT")
            let head = isTunnel ? "403 Forbidden" : "302 Found\r\nLocation: https://target.invalid/"
            try connection.send("HTTP/1.1 \(head)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        }
    }

    @Test("Each hop of a redirect takes the proxy of its own scheme", arguments: TestedEngine.allCases, [true, false])
    func proxies(engine: TestedEngine, byDictionary: Bool) async throws {
        let (clear, secure) = (LineBox(), LineBox())
        let (first, second) = (try Self.proxy(clear), try Self.proxy(secure))
        defer {
            first.stop()
            second.stop()
        }
        let session = Self.session(over: engine) { configuration in
            if byDictionary {
                configuration.transportOptions.proxy = nil
                configuration.connectionProxyDictionary = [
                    "HTTPEnable": 1, "HTTPProxy": "127.0.0.1", "HTTPPort": first.port,
                    "HTTPSEnable": 1, "HTTPSProxy": "127.0.0.1", "HTTPSPort": second.port,
                ]
            } else {
                configuration.transportOptions.proxy = .schemes(
                    http: .proxy(Proxy(host: "127.0.0.1", port: first.port)),
                    https: .proxy(Proxy(host: "127.0.0.1", port: second.port))
                )
            }
        }
        let response = await session.request("http://target.invalid/a").serializingData().response
        #expect(response.error?.transportError?.code == .proxyFailed)
        #expect(clear.all == ["GET http://target.invalid/a HTTP/1.1"])
        #expect(secure.all == ["CONNECT target.invalid:443 HTTP/1.1"])
        await session.transport.shutdown()
    }

    @Test("The environment's proxies apply as well", arguments: TestedEngine.allCases)
    func environment(engine: TestedEngine) async throws {
        let (clear, secure) = (LineBox(), LineBox())
        let (first, second) = (try Self.proxy(clear), try Self.proxy(secure))
        defer {
            first.stop()
            second.stop()
        }
        let command = Command.built("airframe", ["get", "--engine", engine.rawValue, "http://target.invalid/a"])
        _ = try await command.run(environment: [
            "http_proxy": "http://127.0.0.1:\(first.port)", "https_proxy": "http://127.0.0.1:\(second.port)",
            "no_proxy": "",
        ])
        #expect(clear.all == ["GET http://target.invalid/a HTTP/1.1"])
        #expect(secure.all == ["CONNECT target.invalid:443 HTTP/1.1"])
    }

    @Test("A Proxy-Authorization of the user's reaches a proxy, and no origin", arguments: TestedEngine.allCases)
    func proxyAuthorization(engine: TestedEngine) async throws {
        let heads = LineBox()
        let server = try ScriptedServer { connection in
            heads.append(try connection.readHead())
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        }
        defer { server.stop() }
        let session = Self.session(over: engine)
        let headers: HTTPHeaders = ["Proxy-Authorization": "Basic c2VjcmV0", "X-Other": "1"]
        _ = await session.request("\(server.origin)/", headers: headers).serializingData().response
        _ = await session.request("http://target.invalid/", headers: headers) {
            $0.transportOptions.proxy = .proxy(Proxy(host: "127.0.0.1", port: server.port))
        }.serializingData().response
        let all = heads.all
        #expect(all.count == 2 && all.allSatisfy { $0.contains("X-Other: 1") })
        #expect(all.first?.lowercased().contains("proxy-authorization") == false)
        #expect(all.last?.contains("Proxy-Authorization: Basic c2VjcmV0") == true)
        await session.transport.shutdown()
    }

    // MARK: Credentials

    @Test("A request with an expired token is not sent again as another user", arguments: TestedEngine.allCases)
    func credentials(engine: TestedEngine) async throws {
        let heads = LineBox()
        let server = try ScriptedServer { connection in
            let head = try connection.readHead()
            heads.append(head)
            let isAuthorized = head.contains("Authorization: Basic cGlsb3Q6czNjcmV0")
            let answer = isAuthorized ? "200 OK" : "401 Unauthorized\r\nWWW-Authenticate: Basic realm=\"r\""
            try connection.send("HTTP/1.1 \(answer)\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
        }
        defer { server.stop() }
        let session = Self.session(over: engine)
        let first = await session.request("\(server.origin)/").authenticate(username: "pilot", password: "s3cret")
            .serializingData(emptyResponseCodes: [200]).response
        #expect(first.response?.statusCode == 200)
        let expired = await session.request("\(server.origin)/", headers: [.authorization(bearerToken: "expired")])
            .serializingData(emptyResponseCodes: [200, 401]).response
        #expect(expired.response?.statusCode == 401)
        #expect(heads.all.last?.contains("Authorization: Bearer expired") == true)
        await session.transport.shutdown()
    }
}

/// Lines that several threads add to.
private final class LineBox: Sendable {
    // Guards the lines.
    private let lines = Mutex<[String]>([])

    var all: [String] { lines.withLock { $0 } }

    func append(_ line: String) { lines.withLock { $0.append(line) } }
}
