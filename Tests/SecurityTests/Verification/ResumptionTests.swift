import AirframeCore
import AirframeSecurity
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Synchronization
import Testing

/// Evaluators that change their answer, against a server that offers TLS sessions to resume.
@Suite("Trust when a TLS session is resumed", .serialized, .timeLimit(.minutes(2)))
struct ResumptionTests {
    /// Accepts a number of times, and refuses from then on.
    private final class Fickle: ServerTrustEvaluating {
        struct Changed: Error {}

        private let acceptances: Int
        private let asked = Mutex<[[DER]]>([])

        init(acceptances: Int) { self.acceptances = acceptances }

        /// The chains that it was called with.
        var chains: [[DER]] { asked.withLock(\.self) }

        func evaluate(_ trust: ServerTrust, forHost host: String) throws {
            let count = asked.withLock { asked in
                asked.append(trust.chain)
                return asked.count
            }
            guard count <= acceptances else { throw Changed() }
        }
    }

    /// An evaluator whose answer cannot change.
    private final class Constant: ServerTrustEvaluating {
        private let asked = Mutex(0)

        var count: Int { asked.withLock(\.self) }
        var answerCanChange: Bool { false }

        func evaluate(_ trust: ServerTrust, forHost host: String) throws { asked.withLock { $0 += 1 } }
    }

    private func close(_ version: TLSVersion) -> (inout TransportRequest) -> Void {
        { request in
            request.head.headerFields[.connection] = "close"
            request.options.httpVersion = .http1Only
            request.options.tls.minimumVersion = version
            request.options.tls.maximumVersion = version
        }
    }

    @Test(
        "an evaluator that accepts first and refuses later is called again, and its refusal counts",
        arguments: TestedEngine.allCases,
        [TLSVersion.tls1_2, .tls1_3]
    )
    func changing(engine: TestedEngine, version: TLSVersion) async throws {
        let pki = try PKI.made()
        let server = try OpenSSLServer("valid", pki)
        let transport = engine.transport
        let evaluator = Fickle(acceptances: 1)
        let first = try await LiveRequest.fetch(transport, evaluator, port: server.port, change: close(version))
        #expect(first.connection?.tls?.version == version)
        let verdict = await LiveRequest.verdict(transport, evaluator, port: server.port, change: close(version))
        #expect(verdict == .other, "the evaluator's own error refuses the server")
        #expect(evaluator.chains.count >= 2 && Set(evaluator.chains).count == 1)
    }

    @Test(
        "an evaluator that keeps accepting is called once for each connection, with the first handshake's chain",
        arguments: TestedEngine.allCases,
        [TLSVersion.tls1_2, .tls1_3]
    )
    func accepting(engine: TestedEngine, version: TLSVersion) async throws {
        let pki = try PKI.made()
        let server = try OpenSSLServer("valid", pki)
        let transport = engine.transport
        let evaluator = Fickle(acceptances: .max)
        for number in 1...3 {
            let response = try await LiveRequest.fetch(transport, evaluator, port: server.port, change: close(version))
            #expect(evaluator.chains.count == number)
            // libcurl offers no session that an evaluation would have to be called for.
            let isResumed = engine == .sockets && number > 1
            #expect(response.connection?.tls?.isResumed == isResumed, "connection \(number)")
        }
        #expect(Set(evaluator.chains).count == 1)
        #expect(evaluator.chains.first?.first == (try pki.certificate("valid").der))
    }

    @Test(
        "the stapled response and the timestamps of the first handshake are presented again",
        arguments: [TLSVersion.tls1_2, .tls1_3]
    )
    func evidence(version: TLSVersion) async throws {
        let pki = try PKI.made()
        let server = try OpenSSLServer(
            "valid", pki,
            arguments: ["-status_file", pki.path("valid.ocsp"), "-serverinfo", pki.path("serverinfo.pem")])
        let transport = TestedEngine.sockets.transport
        let shown = Mutex<[ServerTrust]>([])
        let evaluator = ClosureTrustEvaluator { trust, _ in shown.withLock { $0.append(trust) } }
        for _ in 0..<2 {
            _ = try await LiveRequest.fetch(transport, evaluator, port: server.port, change: close(version))
        }
        let trusts = shown.withLock(\.self)
        #expect(trusts.count == 2)
        #expect(trusts.allSatisfy { $0.stapledOCSPResponse != nil && $0.signedCertificateTimestampList != nil })
        #expect(Set(trusts.map(\.stapledOCSPResponse)).count == 1)
        #expect(Set(trusts.map(\.signedCertificateTimestampList)).count == 1)
    }

    @Test("an evaluator whose answer cannot change is not called again", arguments: TestedEngine.allCases)
    func constant(engine: TestedEngine) async throws {
        let server = try OpenSSLServer("valid", try PKI.made())
        let transport = engine.transport
        let evaluator = Constant()
        var resumed: [Bool?] = []
        for _ in 0..<2 {
            let response = try await LiveRequest.fetch(transport, evaluator, port: server.port, change: close(.tls1_2))
            resumed.append(response.connection?.tls?.isResumed)
        }
        #expect(resumed == [false, true])
        #expect(evaluator.count == 1)
    }

    @Test("a kept connection is reused without another evaluation", arguments: TestedEngine.allCases)
    func kept(engine: TestedEngine) async throws {
        let servers = try LiveServers.running()
        let port = try servers.port("valid")
        let transport = engine.transport
        let evaluator = Fickle(acceptances: 1)
        for number in 0..<2 {
            let response = try await LiveRequest.fetch(transport, evaluator, port: port)
            #expect(response.connection?.isReused == (number == 1))
        }
        #expect(evaluator.chains.count == 1)
    }

    @Test("the engines resume no session of a server whose certificate has expired since")
    func expiring() async throws {
        let pki = try PKI.made()
        let name = try pki.makeExpiring("expiring", after: 5)
        let end = try pki.certificate(name).notAfter
        let server = try OpenSSLServer(name, pki)
        let roots = TrustRoots.certificates([try pki.certificate("root").der])
        let rows = TestedEngine.allCases.flatMap { engine in
            [TLSVersion.tls1_2, .tls1_3].map { (engine.transport, $0) }
        }
        func fetch(_ transport: any Transport, _ version: TLSVersion) async throws -> TransportResponse {
            try await LiveRequest.fetch(transport, nil, port: server.port) { request in
                close(version)(&request)
                request.options.tls.roots = roots
            }
        }
        for (transport, version) in rows {
            #expect(try await fetch(transport, version).connection?.tls?.isResumed == false)
            #expect(try await fetch(transport, version).connection?.tls?.isResumed == true, "while it is valid")
        }
        try await Task.sleep(for: .seconds(max(0, end.timeIntervalSinceNow) + 1.1))
        for (transport, version) in rows {
            let error = await #expect(throws: TransportError.self) { try await fetch(transport, version) }
            #expect(error?.code == .trustRefused)
            #expect(error?.message.contains("expired") == true, "\(String(describing: error))")
        }
    }
}
