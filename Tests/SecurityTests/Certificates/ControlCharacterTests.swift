import AirframeCore
import AirframeSecurity
import AirframeTestSupport
import AirframeTransport
import Foundation
import Testing

/// Servers whose certificates have commands for terminals in their names.
@Suite("Control characters in the names of certificates", .serialized, .timeLimit(.minutes(2)))
struct ControlCharacterTests {
    /// ESC, a new line, CSI (C1), DEL, an override of direction and a separator of lines.
    private static let odd = "\u{1B}[31m\nrefused\u{9B}2J\u{7F}\u{202E}\u{2028}"

    /// Text that a terminal would interpret as commands.
    private static func commands(in text: String) -> [String] {
        text.unicodeScalars.filter { $0 != "\n" && $0.isUnprintable }.map { String($0.value, radix: 16) }
    }

    private static let pki = Result {
        let pki = try PKI.made()
        // The common name, organization and alternative name of a server, and the name of its root, which is not
        // trusted.
        let subject = odd.replacing("/", with: "")
        try makeServer.run(in: pki, input: subject)
        return pki
    }

    /// Creates a root and a server's certificate below it, both with the given name.
    private static let makeServer = """
        set -e
        mkdir odd && : >odd/index && export DATABASE=odd/index DIGEST=sha256 PLACE=http://files.test/none
        export NAMES=$'DNS:\\x1b[31m.test'
        subject=$(cat)
        sed 's/^\\[any_name\\]/&\\norganizationName = optional/' openssl.cnf >odd/cnf
        for name in odd-root odd; do
            cp leaf.key $name.key
            kind=server; signer=(-cert odd-root.pem -keyfile odd-root.key)
            [[ $name == odd ]] || { kind=authority; signer=(-selfsign -keyfile odd-root.key); }
            openssl req -new -utf8 -config odd/cnf -subj "/O=$subject/CN=$subject $name" -key $name.key -out odd/request
            openssl ca -utf8 -batch -notext -config odd/cnf -in odd/request -out $name.pem -outdir odd \\
                -extensions $kind -startdate 20200101000000Z -enddate 20491231000000Z "${signer[@]}"
        done
        """

    @Test("are escaped in the errors of the engines", arguments: TestedEngine.allCases)
    func engines(engine: TestedEngine) async throws {
        let pki = try Self.pki.get()
        let server = try OpenSSLServer("odd", pki)
        for roots in ["root", "odd-root"] {
            let roots = TrustRoots.certificates([try pki.certificate(roots).der])
            let error = try #require(
                await #expect(throws: TransportError.self) {
                    try await LiveRequest.fetch(engine.transport, nil, port: server.port) {
                        $0.options.tls.roots = roots
                    }
                }
            )
            #expect(error.message.contains("refused"), "the name is in the error: \(error.message)")
            let texts = [error.message, "\(error)", error.localizedDescription, error.libraryMessage ?? ""]
            #expect(texts.allSatisfy { Self.commands(in: $0).isEmpty && !$0.contains("\n") }, "\(texts)")
        }
    }

    @Test("are escaped in the errors of evaluators, in reports and descriptions")
    func evaluators() throws {
        let pki = try Self.pki.get()
        let certificates = try pki.chain("odd") + pki.chain("odd-root")
        let trust = ServerTrust(certificates: certificates, host: "localhost")
        var texts = certificates.flatMap { certificate in
            ["\(certificate)", "\(certificate.subject)", "\(certificate.issuer)"]
                + certificate.subjectAlternativeNames.map(\.description)
        }
        let policies = [try pki.policy, .trusting([certificates[1]])]
        for policy in policies {
            let report = trust.report(policy: policy)
            #expect(!report.isTrusted)
            texts += report.findings.map(\.description)
            let key = [try pki.certificate("client").publicKey]
            let pinned = [try pki.certificate("client")]
            let evaluators: [any ServerTrustEvaluating] = [
                DefaultTrustEvaluator(policy: policy), RevocationTrustEvaluator(policy: policy),
                PublicKeysTrustEvaluator(keys: key, performDefaultValidation: false, validateHost: false),
                PinnedCertificatesTrustEvaluator(
                    certificates: pinned, performDefaultValidation: false, validateHost: false),
            ]
            for evaluator in evaluators {
                let error = #expect(throws: AFError.self) { try evaluator.evaluate(trust, forHost: "localhost") }
                texts += ["\(error?.errorDescription ?? "")", "\(error?.localizedDescription ?? "")"]
            }
        }
        for text in texts {
            #expect(Self.commands(in: text).isEmpty && !text.contains("\n"), "\(text.debugDescription)")
        }
        #expect(texts.contains { $0.contains("\\u{1b}[31m\\nrefused\\u{9b}2J\\u{7f}\\u{202e}\\u{2028}") }, "\(texts)")
    }

    @Test("are escaped in the errors of custom evaluators", arguments: TestedEngine.allCases)
    func ownErrors(engine: TestedEngine) async throws {
        struct Refusal: Error, CustomStringConvertible, LocalizedError {
            let description: String
            var errorDescription: String? { description }
        }
        let pki = try Self.pki.get()
        let server = try OpenSSLServer("odd", pki)
        let evaluator = ClosureTrustEvaluator { trust, _ in
            let name = try Certificate(der: try #require(trust.chain.first)).subject.commonName
            throw Refusal(description: name ?? "no name")
        }
        let error = try #require(
            await #expect(throws: TransportError.self) {
                try await LiveRequest.fetch(engine.transport, evaluator, port: server.port)
            }
        )
        let texts = [
            error.message, "\(error)", error.underlying?.localizedDescription ?? "",
            error.underlying?.asAFError?.errorDescription ?? "",
        ]
        #expect(texts.allSatisfy { Self.commands(in: $0).isEmpty && !$0.contains("\n") }, "\(texts)")
        #expect(texts.allSatisfy { $0.contains("refused") })
    }

    @Test("are escaped by airframe trust", arguments: [[], ["--json"]])
    func command(arguments: [String]) async throws {
        let pki = try Self.pki.get()
        let server = try OpenSSLServer("odd", pki)
        let outcome = try await Command.built(
            "airframe", ["trust"] + arguments + ["--cacert", pki.path("root.pem"), "localhost:\(server.port)"]
        ).run()
        #expect(outcome.status == 2, "\(outcome.output)")
        #expect(outcome.output.contains("refused"))
        #expect(Self.commands(in: outcome.output).isEmpty, "\(outcome.output.debugDescription)")
        #expect(!outcome.output.contains("\nrefused"), "a name begins a line: \(outcome.output.debugDescription)")
    }
}

extension String {
    /// Runs the script in the folder of the PKI, with a string as its input.
    fileprivate func run(in pki: PKI, input: String) throws {
        let file = pki.path(UUID().uuidString)
        try Data(input.utf8).write(to: URL(filePath: file))
        try pki.run("exec <'\(file)'\n\(self)")
    }
}
