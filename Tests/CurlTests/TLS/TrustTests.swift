import AirframeCurl
import AirframeTestSupport
import AirframeTransport
import HTTPTypes
import Synchronization
import Testing

@Suite("Trust in servers", .needsPeers, .timeLimit(.minutes(1)))
struct TrustTests {
    let transport = CurlTransport()

    private func request(_ key: Peers.Key, host: String = "localhost") throws -> TransportRequest {
        let roots = try Peers.roots
        return TransportRequest(.get, try Peers.url(key, "/static/64.bin", host: host)).with {
            $0.options.tls.roots = roots
        }
    }

    @Test("a chain to a trusted root is trusted, and the connection describes the handshake")
    func good() async throws {
        let (response, body) = try await transport.fetch(try request(.https))
        #expect(response.head.status == 200)
        #expect(body.count == 64)
        let tls = try #require(response.connection?.tls)
        #expect(tls.version == .tls1_3)
        #expect(tls.applicationProtocol == "h2")
        #expect(tls.chain.count == 2)
        #expect(!tls.isResumed)
        #expect(response.connection?.httpVersion == .http2)
    }

    @Test(
        "a faulty certificate is refused with an error that names the fault",
        arguments: [
            (Peers.Key.httpsExpired, "certificate has expired", -1201),
            (.httpsNotYetValid, "certificate is not yet valid", -1204),
            (.httpsWrongHost, "is for DNS:other.test, not for localhost", -1202),
            (.httpsSelfSigned, "self-signed certificate", -1203),
            (.httpsUntrusted, "unable to get local issuer certificate", -1203),
        ]
    )
    func faults(peer: Peers.Key, words: String, code: Int) async throws {
        let error = try #require(await transport.failure(of: try request(peer)))
        #expect(error.code == .trustRefused)
        #expect(error.phase == .tls)
        #expect(error.processing == .notSent)
        #expect(error.message.contains(words), "\(error)")
        #expect(error.urlErrorCode == code)
    }

    @Test("a private root is not among the system's roots")
    func systemRoots() async throws {
        let url = try Peers.url(.https)
        let error = try #require(await transport.failure(of: TransportRequest(.get, url)))
        #expect(error.code == .trustRefused)
        #expect(error.message.contains("issuer") || error.message.contains("self-signed"), "\(error)")
    }

    @Test("an evaluation gets the chain as sent, before any byte of the request")
    func evaluation() async throws {
        let asked = Mutex<[(chain: Int, host: String, port: Int)]>([])
        let trust = ClosureTrustEvaluation { chain, host, port, _ in
            asked.withLock { $0.append((chain.count, host, port)) }
            try await Task.sleep(for: .milliseconds(100))
        }
        // Its roots would refuse the server: the evaluation alone decides.
        let request = try request(.httpsUntrusted).with { $0.trust = trust }
        let (response, body) = try await transport.fetch(request)
        #expect(response.head.status == 200)
        #expect(body.count == 64)
        let port = try Peers.port(.httpsUntrusted)
        asked.withLock { asked in
            #expect(asked.count == 1)
            #expect(asked.first?.chain ?? 0 >= 1)
            #expect(asked.first?.host == "localhost")
            #expect(asked.first?.port == port)
        }
        let second = try await transport.fetch(request)
        #expect(second.response.connection?.isReused == true)
        #expect(asked.withLock { $0.count } == 1)
    }

    @Test("the error of an evaluation refuses the server and underlies the request's error")
    func refusal() async throws {
        let trust = ClosureTrustEvaluation { _, _, _, _ in throw SourceBroke() }
        let request = try request(.https).with { $0.trust = trust }
        let error = try #require(await transport.failure(of: request))
        #expect(error.code == .trustRefused)
        #expect(error.processing == .notSent)
        #expect(error.underlying as? SourceBroke == SourceBroke())
    }

    @Test("cancelling during an evaluation ends the exchange immediately")
    func cancellation() async throws {
        let trust = ClosureTrustEvaluation { _, _, _, _ in try await Task.sleep(for: .seconds(30)) }
        let request = try request(.https).with { $0.trust = trust }
        let task = Task { await transport.failure(of: request) }
        try await Task.sleep(for: .milliseconds(200))
        task.cancel()
        let error = try await within(.seconds(15)) { await task.value }
        #expect(error?.code == .cancelled)
        #expect(error?.phase == .tls)
        #expect(error?.processing == .notSent)
    }

    @Test("a connection that one evaluation trusted is not used with another")
    func separation() async throws {
        let trusting = ClosureTrustEvaluation { _, _, _, _ in }
        let refusing = ClosureTrustEvaluation { _, _, _, _ in throw SourceBroke() }
        let request = try request(.https)
        _ = try await transport.fetch(request.with { $0.trust = trusting })
        let error = await transport.failure(of: request.with { $0.trust = refusing })
        #expect(error?.code == .trustRefused)
    }

    @Test("evaluations for many connections run concurrently")
    func concurrentEvaluations() async throws {
        // Each waits until all have been asked.
        let asked = Mutex(0)
        let trust = ClosureTrustEvaluation { _, _, _, _ in
            asked.withLock { $0 += 1 }
            while asked.withLock({ $0 < 20 }) { try await Task.sleep(for: .milliseconds(5)) }
        }
        let request = try request(.https).with {
            $0.trust = trust
            $0.options.httpVersion = .http1Only
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<20 { group.addTask { _ = try await transport.fetch(request) } }
            try await group.waitForAll()
        }
        #expect(asked.withLock { $0 } == 20)
    }

    @Test("TLS 1.2 works with an evaluation too")
    func tls12() async throws {
        let trust = ClosureTrustEvaluation { _, _, _, _ in try await Task.sleep(for: .milliseconds(50)) }
        let request = try request(.httpsTLS12).with { $0.trust = trust }
        let (response, _) = try await transport.fetch(request)
        #expect(response.connection?.tls?.version == .tls1_2)
    }

    @Test("TLS 1.2 is the oldest accepted version by default")
    func versionBounds() async throws {
        let request = try request(.httpsTLS12).with { $0.options.tls.minimumVersion = .tls1_3 }
        let error = try #require(await transport.failure(of: request))
        #expect(error.code == .tlsFailed)
        #expect(error.processing == .notSent)
        let upTo12 = try self.request(.https).with { $0.options.tls.maximumVersion = .tls1_2 }
        let (response, _) = try await transport.fetch(upTo12)
        #expect(response.connection?.tls?.version == .tls1_2)
    }

    @Test("the error of a missing file of roots names the file")
    func missingRoots() async throws {
        let request = try request(.https).with { $0.options.tls.roots = .pemFile(path: "/nowhere/roots.pem") }
        let error = try #require(await transport.failure(of: request))
        #expect(error.code == .tlsFailed)
        #expect(error.message.contains("/nowhere/roots.pem"))
    }

    @Test("roots may be given as certificates")
    func certificateRoots() async throws {
        let root = try Peers.der("root.pem")
        let request = try request(.https).with { $0.options.tls.roots = .certificates(root) }
        #expect(try await transport.fetch(request).response.head.status == 200)
    }

    @Test("a second connection resumes the session of the first")
    func resumption() async throws {
        let request = try request(.httpsTLS12).with {
            $0.head.headerFields[.connection] = "close"
            $0.options.httpVersion = .http1Only
        }
        let (first, _) = try await transport.fetch(request)
        let (second, _) = try await transport.fetch(request)
        #expect(first.connection?.tls?.isResumed == false)
        #expect(second.connection?.tls?.isResumed == true)
        #expect(second.connection?.id != first.connection?.id)
    }

    @Test("an IP address is compared with the addresses of the certificate")
    func addresses() async throws {
        let (response, _) = try await transport.fetch(try request(.https, host: "127.0.0.1"))
        #expect(response.head.status == 200)
    }
}
