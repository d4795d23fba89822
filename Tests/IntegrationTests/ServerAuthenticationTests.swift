import Airframe
import AirframeCurl
import AirframeSocket
import AirframeTestSupport
import Foundation
import HTTPTypes
import Synchronization
import Testing

/// An engine to authenticate over.
enum AuthenticatingEngine: String, CaseIterable, Sendable {
    case curl, socket

    /// A session on a new transport of this engine, without a proxy.
    func session(eventMonitors: [any EventMonitor] = []) -> Session {
        let transport: any Transport =
            switch self {
            case .curl: CurlTransport()
            case .socket: SocketTransport()
            }
        let configuration = URLSessionConfiguration.af.default
        configuration.transportOptions.proxy = ProxyPolicy.none
        return Session(transport: transport, configuration: configuration, eventMonitors: eventMonitors)
    }
}

@Suite("Authentication at real servers", .enabled(if: Peers.areExpected), .timeLimit(.minutes(2)))
struct ServerAuthenticationTests {
    private static let user = "airframe"
    private static let password = "open: sesame"

    @Test(
        "Apache accepts the password by Basic and Digest",
        arguments: AuthenticatingEngine.allCases,
        ["basic", "digest", "stale"]
    )
    func apache(engine: AuthenticatingEngine, place: String) async throws {
        let url = "\(try Peers.required().http("apache"))/\(place)/file.txt"
        let session = engine.session()
        let refused = await session.request(url).serializingString().response
        #expect(refused.response?.statusCode == 401)
        let wrong = await session.request(url).authenticate(username: Self.user, password: "wrong")
            .serializingString().response
        #expect(wrong.response?.statusCode == 401)
        let text = try await session.request(url).authenticate(username: Self.user, password: Self.password)
            .validate().serializingString().value
        #expect(text == "from \(place)\n")
        let later = await session.request(url).validate().serializingString().response
        #expect(later.value == "from \(place)\n", "the session keeps the credential")
        #expect(later.metrics?.transactionMetrics.count == 1 || place == "stale", "and sends it unasked")
    }

    @Test("Apache's proof of the password is checked, and its counts accepted in any number")
    func apacheCounts() async throws {
        let origin = try Peers.required().http("apache")
        let session = AuthenticatingEngine.curl.session()
        let url = "\(origin)/digest/file.txt?a=\"b\"&c"
        let encoded = url.replacing("\"", with: "%22")
        try await withThrowingTaskGroup { group in
            for _ in 0..<50 {
                group.addTask {
                    let text = try await session.request(encoded)
                        .authenticate(username: Self.user, password: Self.password).validate().serializingString()
                        .value
                    #expect(text == "from digest\n")
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("A stale nonce of Apache's is replaced without a failed request")
    func apacheStale() async throws {
        let origin = try Peers.required().http("apache")
        let session = AuthenticatingEngine.curl.session()
        let url = "\(origin)/stale/file.txt"
        for attempt in 0..<2 {
            let response = await session.request(url).authenticate(username: Self.user, password: Self.password)
                .validate().serializingString().response
            #expect(response.error == nil)
            #expect((response.metrics?.transactionMetrics.count ?? 0) >= 2)
            // A nonce lives three seconds; there is nothing to wait for but time.
            if attempt == 0 { try await Task.sleep(for: .seconds(4.2)) }
        }
    }

    @Test("nginx's Basic accepts the right password", arguments: AuthenticatingEngine.allCases)
    func nginx(engine: AuthenticatingEngine) async throws {
        let url = "\(try Peers.required().http())/basic-by-nginx/get"
        let session = engine.session()
        let wrong = await session.request(url).authenticate(username: Self.user, password: "wrong")
            .serializingData().response
        #expect(wrong.response?.statusCode == 401)
        let right = await session.request(url).authenticate(username: Self.user, password: "secret").validate()
            .serializingDecodable(Echo.self).response
        #expect(right.error == nil)
    }

    @Test("httpbin's Digest: each algorithm, each protection", arguments: ["MD5", "SHA-256"], ["auth", "auth-int"])
    func httpbin(algorithm: String, protection: String) async throws {
        let origin = try Peers.required().http("httpbin")
        for engine in AuthenticatingEngine.allCases {
            let session = engine.session()
            let url = "\(origin)/digest-auth/\(protection)/user/pass/\(algorithm)"
            let right = await session.request(url).authenticate(username: "user", password: "pass").validate()
                .serializingDecodable(Authenticated.self).response
            #expect(right.value == Authenticated(authenticated: true, user: "user"), "\(engine)")
            let wrong = await session.request(url).authenticate(username: "user", password: "x").serializingData()
                .response
            #expect(wrong.response?.statusCode == 401)
        }
    }

    @Test("httpbin's Basic, hidden and not, by the URL's own user information")
    func userInformation() async throws {
        let port = try Peers.required().port("httpbin")
        let session = AuthenticatingEngine.curl.session()
        let cases = [
            ("basic-auth", "p%40ss", ""), ("hidden-basic-auth", "p%40ss", ""), ("digest-auth/auth", "pass", "/MD5"),
        ]
        for (path, password, suffix) in cases {
            let url = "http://user:\(password)@127.0.0.1:\(port)/\(path)/user/\(password)\(suffix)"
            let response = await session.request(url).validate().serializingDecodable(Authenticated.self).response
            #expect(response.value?.authenticated == true, "\(path): \(String(describing: response.error))")
        }
    }

    @Test(
        "Hangar's Digest: all algorithms, protections and nonces that grow stale",
        arguments: ["MD5", "SHA-256", "SHA-512-256", "MD5-sess", "SHA-256-sess", "SHA-512-256-sess"]
    )
    func hangar(algorithm: String) async throws {
        let origin = try Peers.required().http("hangar")
        let session = AuthenticatingEngine.socket.session()
        for protection in ["auth", "auth-int", "both", "none"] {
            for staleAfter in ["never", "2"] {
                let url = "\(origin)/digest-auth/\(protection)/user/pass/\(algorithm)/\(staleAfter)"
                for _ in 0..<4 {
                    let response = await session.upload(Data("content".utf8), to: url)
                        .authenticate(username: "user", password: "pass").validate()
                        .serializingDecodable(Authenticated.self).response
                    #expect(
                        response.value?.authenticated == true,
                        "\(protection) \(staleAfter): \(String(describing: response.error))"
                    )
                }
            }
        }
    }

    @Test("A challenge without a realm is answered, and a credential for one request stays with it")
    func withoutRealm() async throws {
        let origin = try Peers.required().http("hangar")
        let session = AuthenticatingEngine.curl.session()
        let url = "\(origin)/basic-auth-no-realm/user/pass"
        let credential = URLCredential(user: "user", password: "pass", persistence: .none)
        _ = try await session.request(url).authenticate(with: credential).validate().serializingData().value
        let later = await session.request(url).serializingData().response
        #expect(later.response?.statusCode == 401)
    }

    @Test("A stream that the server wants again fails with the reason")
    func oneShotUpload() async throws {
        let origin = try Peers.required().http("hangar")
        let stream = InputStream(data: Data(repeating: 1, count: 1000))
        let session = AuthenticatingEngine.curl.session()
        let error = await session.upload(stream, to: "\(origin)/basic-auth/user/pass")
            .authenticate(username: "user", password: "pass").serializingData().response.error
        #expect(error?.transportError?.code == .bodyNotReplayable, "\(String(describing: error))")
    }

    @Test("A request's credential stays behind when it is redirected to another origin")
    func redirected() async throws {
        let peers = try Peers.required()
        let target = "\(try peers.http("httpbin"))/basic-auth/user/pass"
        let session = AuthenticatingEngine.curl.session()
        let response =
            await session
            .request("\(try peers.http("hangar"))/redirect-to", parameters: ["url": target])
            .authenticate(username: "user", password: "pass").serializingData().response
        #expect(response.response?.statusCode == 401)
        let within =
            await session
            .request("\(try peers.http("hangar"))/redirect-to", parameters: ["url": "/basic-auth/user/pass"])
            .authenticate(username: "user", password: "pass").validate().serializingData().response
        #expect(within.error == nil)
    }

    @Test("Monitors receive challenges")
    func monitors() async throws {
        final class Challenges: EventMonitor {
            let queue = DispatchQueue(label: "challenges")
            let seen = Mutex<[String]>([])
            func urlSession(
                _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge
            ) {
                let space = challenge.protectionSpace
                seen.withLock {
                    $0.append("\(space.authenticationMethod) \(space.realm ?? "-") \(challenge.previousFailureCount)")
                }
            }
        }
        let monitor = Challenges()
        let origin = try Peers.required().http("hangar")
        let session = AuthenticatingEngine.curl.session(eventMonitors: [monitor])
        _ = await session.request("\(origin)/basic-auth/user/pass").authenticate(username: "user", password: "x")
            .serializingData().response
        monitor.queue.sync {}
        #expect(monitor.seen.withLock { $0 } == ["Basic Hangar 0", "Basic Hangar 1"])
    }

    @Test(
        "Debian's curl sends what we send", .enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/curl")))
    func curlAsOracle() async throws {
        let origin = try Peers.required().http("hangar")
        for (path, scheme) in [("/digest-auth/auth/user/pass/MD5", "Digest"), ("/basic-auth/user/pass", "Basic")] {
            let oracle = Command([
                "/usr/bin/curl", "--silent", "--fail", "--noproxy", "*", "--anyauth", "--user", "user:pass",
                "\(origin)\(path)",
            ])
            #expect(try await oracle.run().status == 0, "\(scheme)")
            let session = AuthenticatingEngine.curl.session()
            let response = await session.request("\(origin)\(path)")
                .authenticate(username: "user", password: "pass").validate().serializingData().response
            #expect(response.error == nil, "\(scheme)")
        }
    }
}

struct Authenticated: Decodable, Sendable, Equatable {
    let authenticated: Bool
    let user: String?
}
