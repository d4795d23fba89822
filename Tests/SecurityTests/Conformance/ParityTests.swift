import AirframeCore
import AirframeOpenSSL
import AirframeSecurity
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

/// The engines verify a server without an evaluator as `DefaultTrustEvaluator` does.
@Suite("The engines' verification and DefaultTrustEvaluator agree", .timeLimit(.minutes(5)))
struct ParityTests {
    /// Both verdicts on a chain; `nil` where the server is trusted.
    private static func refusals(
        of chain: [DER],
        host: String,
        roots: [DER],
        at date: Date? = nil
    ) throws -> (engine: String?, evaluator: String?) {
        let roots = TrustRoots.certificates(roots)
        let engine = ServerVerification(roots: roots, store: try TrustStore.store(for: roots))
        let trust = ServerTrust(chain: chain, host: host, evaluationDate: date)
        var refusal: String?
        do {
            try DefaultTrustEvaluator(policy: ChainPolicy(roots: roots)).evaluate(trust, forHost: host)
        } catch {
            refusal = error.asAFError?.errorDescription ?? "\(error)"
        }
        return (engine.verify(chain, host: host, at: date)?.message, refusal)
    }

    @Test("on each case of x509-limbo", arguments: LimboTests.cases)
    func limbo(_ example: LimboTests.Case) throws {
        func certificate(_ pem: String) throws -> DER { try #require(PEM.blocks(in: pem).first).der }
        let date = try example.validation_time.map { try Date(String($0.prefix(19)) + "Z", strategy: .iso8601) }
        let refusals = try Self.refusals(
            of: try ([example.peer_certificate] + example.untrusted_intermediates).map(certificate),
            host: example.expected_peer_name?.value ?? "example.com",
            roots: try example.trusted_certs.map(certificate),
            at: date
        )
        #expect((refusals.engine == nil) == (refusals.evaluator == nil), "\(refusals)")
    }

    @Test("on each case of PKITS, with its possible intermediates", arguments: PKITSTests.cases)
    func pkits(_ example: PKITSTests.Case) throws {
        let leaf = try Certificate(pem: example.leaf)
        var chain = [leaf]
        var place = 0
        while place < chain.count, chain.count < 32 {
            let issuer = chain[place].issuer
            chain += PKITSTests.pool.filter { $0.subject == issuer && !chain.contains($0) }.prefix(8)
            place += 1
        }
        let host = leaf.subjectAlternativeNames.lazy.compactMap { if case .dns(let name) = $0 { name } else { nil } }
            .first
        let refusals = try Self.refusals(
            of: chain.map(\.der),
            host: host ?? "pkits.test",
            roots: PKITSTests.anchors
        )
        #expect((refusals.engine == nil) == (refusals.evaluator == nil), "\(refusals)")
    }

    @Test("on each kind of server", arguments: Kind.all)
    func kinds(_ kind: Kind) throws {
        let pki = try PKI.made()
        let refusals = try Self.refusals(
            of: try pki.chain(kind.name).map(\.der),
            host: kind.host,
            roots: try ["root", "rsa-root"].map { try pki.certificate($0).der }
        )
        #expect((refusals.engine == nil) == (kind.verdict == .trusted), "\(refusals)")
        #expect((refusals.evaluator == nil) == (kind.verdict == .trusted), "\(refusals)")
    }

    @Test("on all orders of a good intermediate, an expired one and a cross-signed one, each once or twice")
    func orders() throws {
        let pki = try PKI.made()
        let helpers = try ["stale", "crossed", "intermediate"].map { try pki.certificate($0).der }
        let leaf = try pki.certificate("valid-leaf").der
        let roots = [try pki.certificate("root").der]
        var lists: [[DER]] = [[]]
        for _ in 0..<4 { lists += lists.flatMap { list in helpers.map { list + [$0] } } }
        for list in Set(lists) {
            let refusals = try Self.refusals(of: [leaf] + list, host: "localhost", roots: roots)
            // Any order will do, as long as the one that leads to the root is there.
            let isComplete = list.contains(helpers[2])
            #expect((refusals.engine == nil) == isComplete, "\(refusals)")
            #expect((refusals.evaluator == nil) == isComplete, "\(refusals)")
        }
    }
}

/// Chains for which another way must be found, over the engines and without an evaluator.
@Suite("The engines find a path through the certificates that servers send", .serialized, .timeLimit(.minutes(2)))
struct LivePathTests {
    static let chains = [
        "expired and good": ["stale", "intermediate"],
        "cross-signed and good": ["crossed", "intermediate"],
        "expired and cross-signed, the good one last": ["stale", "crossed", "intermediate"],
        "the same twice": ["intermediate", "intermediate"],
        "with its root, in no order": ["root", "crossed", "intermediate"],
    ]

    @Test("over both engines", arguments: TestedEngine.allCases, chains.keys.sorted())
    func live(engine: TestedEngine, name: String) async throws {
        let pki = try PKI.made()
        let helpers = try #require(Self.chains[name])
        let file = "path-\(engine)-\(name.count)"
        let files = (["valid-leaf"] + helpers).map { "\($0).pem" }.joined(separator: " ")
        try pki.run("cat \(files) >\(file).pem && cp leaf.key \(file).key")
        let server = try OpenSSLServer(file, pki)
        let roots = TrustRoots.certificates([try pki.certificate("root").der])
        let response = try await LiveRequest.fetch(engine.transport, nil, port: server.port) {
            $0.options.tls.roots = roots
        }
        #expect(response.head.status == 200)
        // Without the good one there is no way, and the words say so.
        let stranger = TrustRoots.certificates([try pki.certificate("rsa-root").der])
        let error = await #expect(throws: TransportError.self) {
            try await LiveRequest.fetch(engine.transport, nil, port: server.port) { $0.options.tls.roots = stranger }
        }
        #expect(error?.code == .trustRefused)
    }
}
