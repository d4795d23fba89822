import AirframeConformance
import AirframeSocket
import AirframeTestSupport
import AirframeTransport
import FoundationEssentials
import HTTPTypes
import Synchronization
import Testing

@Suite("TLS", .needsPeers, .timeLimit(.minutes(1)))
struct TLSTests {
    let transport = SocketTransport()

    private func request(_ peer: String = "https", _ path: String = "/static/64.bin") throws -> TransportRequest {
        let roots = try Peers.roots
        return TransportRequest(.get, try Peers.required().https(peer) + path).with { $0.options.tls.roots = roots }
    }

    @Test("a chain to a trusted root is accepted, and the connection reports the negotiated parameters")
    func trusted() async throws {
        let log = EventLog()
        let (response, body) = try await transport.fetch(try request().with { $0.events = log })
        #expect(body.count == 64)
        let tls = try #require(response.connection?.tls)
        #expect(tls.version == .tls1_3)
        #expect(tls.applicationProtocol == "h2")
        #expect(tls.chain.count == 2)
        #expect(!tls.isResumed)
        #expect(log.names.contains("tlsStarted"))
        #expect(log.names.contains("tlsFinished"))
    }

    static let refused: [(peer: String, words: String, code: Int)] = [
        ("httpsExpired", "expired", -1201), ("httpsNotYetValid", "not yet valid", -1204),
        ("httpsWrongHost", "other.test", -1202), ("httpsSelfSigned", "self-signed", -1203),
        ("httpsUntrusted", "local issuer certificate", -1203),
    ]

    @Test("an invalid certificate is rejected with OpenSSL's message", arguments: 0..<5)
    func refusals(index: Int) async throws {
        let expected = Self.refused[index]
        let log = EventLog()
        let request = try request(expected.peer).with { $0.events = log }
        let error = try #require(await transport.failure(of: request))
        #expect(error.code == .trustRefused)
        #expect(error.phase == .tls)
        #expect(error.processing == .notSent)
        #expect(error.message.contains(expected.words), "\(error)")
        #expect(error.urlErrorCode == expected.code)
        #expect(error.libraryMessage?.contains("OpenSSL") == true)
        #expect(!log.names.contains("requestHeadSent"))
    }

    @Test("sessions are resumed on new connections, with TLS 1.3 and 1.2", arguments: ["https", "httpsTLS12"])
    func resumption(peer: String) async throws {
        var configuration = SocketTransport.Configuration()
        configuration.maximumIdleConnections = 0
        let transport = SocketTransport(configuration: configuration)
        var resumed: [Bool] = []
        for _ in 0..<4 {
            let response = try await transport.fetch(try request(peer)).response
            resumed.append(response.connection?.tls?.isResumed ?? false)
            #expect(response.connection?.isReused == false)
        }
        #expect(resumed == [false, true, true, true])
    }

    @Test("version bounds are kept, and a server outside them is an error")
    func versions() async throws {
        let old = try request().with { $0.options.tls.maximumVersion = .tls1_2 }
        #expect(try await transport.fetch(old).response.connection?.tls?.version == .tls1_2)
        let new = try request("httpsTLS12").with { $0.options.tls.minimumVersion = .tls1_3 }
        let error = try #require(await transport.failure(of: new))
        #expect(error.code == .tlsFailed)
        #expect(error.libraryMessage?.contains("version") == true)
    }

    @Test("an evaluation decides alone, and no byte of the request is sent before it has")
    func evaluation() async throws {
        let seen = Mutex<[(Int, String, Int)]>([])
        let trust = ClosureTrustEvaluation { chain, host, port, _ in
            try await Task.sleep(for: .milliseconds(50))
            seen.withLock { $0.append((chain.count, host, port)) }
        }
        let log = EventLog()
        let url = try Peers.required().https("httpsExpired") + "/static/64.bin"
        let request = TransportRequest(.get, url).with {
            $0.trust = trust
            $0.events = log
        }
        #expect(try await transport.fetch(request).body.count == 64)
        #expect(try await transport.fetch(request).response.connection?.isReused == true)
        #expect(seen.withLock { $0.count } == 1)
        #expect(seen.withLock { $0.first?.1 } == "localhost")
        #expect(seen.withLock { $0.first?.0 ?? 0 } > 0)
    }

    @Test("an error thrown by an evaluation rejects the server, and is the underlying error")
    func refusal() async throws {
        let trust = ClosureTrustEvaluation { _, _, _, _ in throw SourceBroke() }
        let error = try #require(await transport.failure(of: try request().with { $0.trust = trust }))
        #expect(error.code == .trustRefused)
        #expect(error.underlying as? SourceBroke == SourceBroke())
        #expect(error.processing == .notSent)
    }

    @Test("the wait for an evaluation ends with the limit or the task's cancellation")
    func slowEvaluation() async throws {
        let trust = ClosureTrustEvaluation { _, _, _, _ in try await Task.sleep(for: .seconds(60)) }
        let limited = try request().with {
            $0.trust = trust
            $0.options.limits.tls = .milliseconds(200)
        }
        let error = try #require(await transport.failure(of: limited))
        #expect(error.code == .timedOut)
        #expect(error.phase == .tls)
        let log = EventLog()
        let waiting = try request().with {
            $0.trust = trust
            $0.events = log
        }
        let task = Task { await transport.failure(of: waiting) }
        #expect(try await eventually { log.names.contains("tlsStarted") })
        try await Task.sleep(for: .milliseconds(50))
        task.cancel()
        let cancelled = try #require(await task.value)
        #expect(cancelled.isCancellation)
        #expect(cancelled.phase == .tls)
    }

    @Test("connections and TLS sessions of one evaluation are not reused under another")
    func separation() async throws {
        let first = ClosureTrustEvaluation { _, _, _, _ in }
        let second = ClosureTrustEvaluation { _, _, _, _ in throw SourceBroke() }
        _ = try await transport.fetch(try request().with { $0.trust = first })
        #expect(await transport.failure(of: try request().with { $0.trust = second })?.code == .trustRefused)
        #expect(try await transport.fetch(try request()).response.connection?.isReused == false)
    }

    @Test("a client sends its certificate to a server that requests it, and a missing one is an error")
    func identity() async throws {
        let chain = try Peers.der("client.pem")
        let key = try #require(try Peers.der("client.key").first)
        let identity = ClientIdentity(chain: chain, privateKey: key)
        let shown = try request("httpsClientCert", "/get").with { $0.identity = identity }
        #expect(try await transport.fetch(shown).response.head.status == 200)
        #expect(try await transport.fetch(try request("httpsClientCert", "/get")).response.head.status == 400)
        let wrong = ClientIdentity(chain: try Peers.der("localhost.pem"), privateKey: key)
        let error = try #require(await transport.failure(of: try request().with { $0.identity = wrong }))
        #expect(error.code == .invalidRequest)
        #expect(error.message.contains("private key does not belong"))
    }

    @Test("a large body and a large upload arrive complete over TLS")
    func large() async throws {
        #expect(try await transport.fetch(try request("https", "/static/1m.bin")).body.count == 1 << 20)
        let count = 3_000_000
        let url = try Peers.required().https() + "/post"
        let roots = try Peers.roots
        let upload = TransportRequest(.post, url, body: .bytes(Data(repeating: 65, count: count))).with {
            $0.options.tls.roots = roots
        }
        #expect(try await transport.fetch(upload).body.count > count)
    }

    @Test("a server that aborts the handshake or does not speak TLS is an error of the TLS phase")
    func broken() async throws {
        let closing = try ScriptedServer { _ = try $0.read(5) }
        let talking = try ScriptedServer { connection in
            try connection.send("HTTP/1.1 400 Bad Request\r\n\r\n")
            _ = try? connection.readToEnd()
        }
        for server in [closing, talking] {
            let error = try #require(
                await transport.failure(of: TransportRequest(.get, "https://127.0.0.1:\(server.port)/"))
            )
            #expect(error.code == .tlsFailed)
            #expect(error.phase == .tls)
            #expect(error.processing == .notSent)
        }
    }
}
