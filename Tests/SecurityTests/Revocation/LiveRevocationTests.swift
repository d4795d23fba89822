import AirframeCore
import AirframeSecurity
import AirframeSerialization
import AirframeSocket
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Synchronization
import Testing

@Suite(
    "Revocation over the engines, against openssl ocsp and nginx",
    .enabled(if: LiveServers.areExpected, "nginx is not installed"),
    .serialized,
    .timeLimit(.minutes(10))
)
struct LiveRevocationTests {
    /// The behaviour of the responder.
    enum ResponderKind: String, Sendable, CaseIterable {
        case up
        case down
        case silent
        /// Its certificate is the issuer's, but not for OCSP.
        case undelegated
        /// It signs with a key of its own making.
        case stranger
        /// Its answer has expired when the client receives it.
        case late
    }

    /// A responder that is up knows what it knows; all others are no help: soft fail passes, hard fail refuses.
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let responder: ResponderKind
        let soft: Verdict
        let hard: Verdict
        var words = ""

        var testDescription: String { "\(name), responder \(responder)" }

        static let all = [
            Row(name: "revocable", responder: .up, soft: .trusted, hard: .trusted),
            Row(name: "revoked", responder: .up, soft: .revocation, hard: .revocation, words: "was revoked on"),
            Row(name: "unlisted", responder: .up, soft: .trusted, hard: .revocation, words: "does not know it"),
            Row(name: "revoked", responder: .down, soft: .trusted, hard: .revocation, words: "connect"),
            Row(name: "revoked", responder: .silent, soft: .trusted, hard: .revocation, words: "http://ocsp.test/"),
            Row(name: "revoked", responder: .undelegated, soft: .trusted, hard: .revocation, words: "is not signed by"),
            Row(name: "revoked", responder: .stranger, soft: .trusted, hard: .revocation, words: "is not signed by"),
            Row(name: "revocable", responder: .late, soft: .trusted, hard: .revocation, words: "out of date"),
        ]
    }

    /// A responder that lives as long as this does.
    private struct Running {
        let port: Int
        let server: AnyObject

        init(_ kind: ResponderKind, _ pki: PKI) throws {
            switch kind {
            case .up, .late:
                let responder = try OCSPResponder(pki)
                (port, server) = (responder.port, responder)
            case .undelegated:
                let responder = try OCSPResponder(pki, signer: "client")
                (port, server) = (responder.port, responder)
            case .stranger:
                let responder = try OCSPResponder(pki, signer: "self-signed")
                (port, server) = (responder.port, responder)
            case .silent:
                let silent = try SilentServer()
                (port, server) = (silent.port, silent)
            case .down:
                // Bound, so that no other process can use it, and not listening.
                let ports = try FreePorts(1)
                (port, server) = (try #require(ports.numbers.first), ports)
            }
        }
    }

    @Test("a responder is queried during the handshake", arguments: TestedEngine.allCases, Row.all)
    func responders(engine: TestedEngine, row: Row) async throws {
        let pki = try PKI.made()
        let responder = try Running(row.responder, pki)
        let server = try OpenSSLServer(row.name, pki)
        for (isHard, expected) in [(false, row.soft), (true, row.hard)] {
            let signpost = SignpostTransport(engine.transport, ["ocsp.test": responder.port])
            let evaluator = RevocationTrustEvaluator(
                options: isHard ? [.ocsp, .requirePositiveResponse] : .ocsp,
                policy: try pki.policy,
                // For the intermediate, which has no responder.
                crls: try pki.lists("root.crl"),
                transport: signpost,
                limit: row.responder == .silent ? .milliseconds(500) : .seconds(200)
            )
            let words = Words()
            let shifted = ClosureTrustEvaluator { trust, host in
                do {
                    let date = row.responder == .late ? Date(timeIntervalSinceNow: 3 * 86_400) : nil
                    try await evaluator.evaluateAsync(trust.at(date), forHost: host)
                } catch {
                    words.note(error.localizedDescription)
                    throw error
                }
            }
            let found = await LiveRequest.verdict(engine.transport, shifted, port: server.port)
            #expect(found == expected, "hard: \(isHard): \(words.text)")
            #expect(signpost.places == ["ocsp.test/"])
            if found == .revocation { #expect(words.text.contains(row.words), "\(words.text)") }
        }
        withExtendedLifetime((responder.server, server)) {}
    }

    @Test(
        "an evaluator without a transport queries over its session's, and not with networkAccessDisabled",
        arguments: TestedEngine.allCases, [false, true]
    )
    func sessionTransport(engine: TestedEngine, isDisabled: Bool) async throws {
        let pki = try PKI.made()
        let responder = try OCSPResponder(pki)
        let server = try OpenSSLServer("revoked", pki)
        let signpost = SignpostTransport(engine.transport, ["ocsp.test": responder.port])
        let evaluator = RevocationTrustEvaluator(
            options: isDisabled ? [.ocsp, .networkAccessDisabled] : .ocsp,
            policy: try pki.policy
        )
        let direct = engine.transport
        let transport = ClosureTransport { request throws(TransportError) in
            try await request.head.scheme == "https" ? direct.send(request) : signpost.send(request)
        }
        let session = Session(
            transport: transport,
            serverTrustManager: ServerTrustManager(evaluators: ["localhost": evaluator])
        )
        let error = await session.request("https://localhost:\(server.port)/").serializingData().response.error
        #expect(Verdict(error) == (isDisabled ? .trusted : .revocation), "\(String(describing: error))")
        #expect(signpost.places.contains("ocsp.test/") == !isDisabled)
        withExtendedLifetime((responder, server)) {}
    }

    @Test(
        "a query needs no connection of those that the transport may open",
        arguments: [("revocable", Verdict.trusted), ("revoked", .revocation)])
    func limited(name: String, expected: Verdict) async throws {
        let pki = try PKI.made()
        let responder = try OCSPResponder(pki)
        let server = try OpenSSLServer(name, pki)
        var configuration = SocketTransport.Configuration()
        configuration.maximumConnections = 1
        let transport = SocketTransport(configuration: configuration)
        for options in [RevocationOptions.ocsp, [.ocsp, .requirePositiveResponse]] {
            let evaluator = RevocationTrustEvaluator(
                options: options,
                policy: try pki.policy,
                // For the intermediate, which has no responder.
                crls: try pki.lists("root.crl"),
                transport: SignpostTransport(transport, ["ocsp.test": responder.port]),
                limit: .seconds(20)
            )
            #expect(await LiveRequest.verdict(transport, evaluator, port: server.port) == expected)
        }
        withExtendedLifetime((responder, server)) {}
    }

    @Test("a cached answer saves the query of the next handshake", arguments: TestedEngine.allCases)
    func kept(engine: TestedEngine) async throws {
        let pki = try PKI.made()
        let responder = try OCSPResponder(pki)
        let server = try OpenSSLServer("revoked", pki)
        let signpost = SignpostTransport(engine.transport, ["ocsp.test": responder.port])
        let evaluator = RevocationTrustEvaluator(
            options: .ocsp,
            policy: try pki.policy,
            transport: signpost,
            limit: .seconds(200)
        )
        for _ in 0..<3 {
            #expect(await LiveRequest.verdict(engine.transport, evaluator, port: server.port) == .revocation)
        }
        #expect(signpost.places.count == 1)
        withExtendedLifetime((responder, server)) {}
    }

    @Test("CRLs are fetched from distribution points", arguments: TestedEngine.allCases)
    func lists(engine: TestedEngine) async throws {
        let pki = try PKI.made()
        let files = try LiveServers.running().port(LiveServers.files)
        let rows: [(name: String, ports: [String: Int], soft: Verdict, hard: Verdict)] = [
            ("revocable", ["crl.test": files], .trusted, .trusted),
            ("revoked", ["crl.test": files], .revocation, .revocation),
            ("revoked", [:], .trusted, .revocation),
        ]
        for row in rows {
            let server = try OpenSSLServer(row.name, pki)
            let hard: RevocationOptions = [.crl, .requirePositiveResponse]
            for (options, expected) in [(RevocationOptions.crl, row.soft), (hard, row.hard)] {
                let evaluator = RevocationTrustEvaluator(
                    options: options,
                    policy: try pki.policy,
                    crls: try pki.lists("root.crl"),
                    transport: SignpostTransport(engine.transport, row.ports),
                    limit: .seconds(200)
                )
                let found = await LiveRequest.verdict(engine.transport, evaluator, port: server.port)
                #expect(found == expected, "\(row.name) \(options)")
            }
            withExtendedLifetime(server) {}
        }
    }

    @Test(
        "a missing intermediate is fetched if the evaluator is configured to",
        arguments: TestedEngine.allCases)
    func intermediates(engine: TestedEngine) async throws {
        let pki = try PKI.made()
        let servers = try LiveServers.running()
        let files = try servers.port(LiveServers.files)
        let rows: [(file: String, verdict: Verdict)] = [
            ("intermediate.der", .trusted), ("packed.p7c", .trusted),
            // Another certificate, and no certificate.
            ("other-root.pem", .chain), ("absent.der", .chain),
        ]
        for row in rows {
            let server = try OpenSSLServer("incomplete-\(row.file)", pki)
            let signpost = SignpostTransport(engine.transport, ["files.test": files])
            let standard = DefaultTrustEvaluator(policy: try pki.policy)
            #expect(await LiveRequest.verdict(engine.transport, standard, port: server.port) == .chain)
            #expect(signpost.places.isEmpty)
            let fetching = IssuerFetchingTrustEvaluator(standard, transport: signpost, limit: .seconds(200))
            for _ in 0..<2 {
                let found = await LiveRequest.verdict(engine.transport, fetching, port: server.port)
                #expect(found == row.verdict, "\(row.file)")
            }
            // Usable certificates are cached.
            #expect(signpost.places.count == (row.verdict == .trusted ? 1 : 2))
            let elsewhere = IssuerFetchingTrustEvaluator(
                DefaultTrustEvaluator(policy: .trusting([try pki.certificate("other-root")])), transport: signpost)
            #expect(await LiveRequest.verdict(engine.transport, elsewhere, port: server.port) == .chain)
            withExtendedLifetime(server) {}
        }
    }
}

/// The last words of an evaluator.
private final class Words: Sendable {
    private let words = Mutex("")

    func note(_ text: String) { words.withLock { $0 = text } }

    var text: String { words.withLock { $0 } }
}

extension ServerTrust {
    /// The same, evaluated for another time.
    fileprivate func at(_ date: Date?) -> ServerTrust {
        ServerTrust(
            chain: chain,
            host: host,
            port: port,
            stapledOCSPResponse: stapledOCSPResponse,
            evaluationDate: date
        )
    }
}
