import AirframeCore
import AirframeOpenSSL
import AirframeSecurity
import AirframeTransport
import Foundation
import Testing

/// Constraints on names (RFC 5280 §4.2.1.10), evaluated by the compatible profile and by the engines.
@Suite("Name constraints", .timeLimit(.minutes(2)))
struct NameConstraintTests {
    /// An authority, a server below it, and the host that is asked for.
    struct Example: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The authority's constraints; `nil` for none.
        var constraints: String?
        var subject = "/CN=server"
        var names = "DNS:api.test"
        /// Another extension of the server's certificate.
        var more: String?
        var host = "api.test"
        let isTrusted: Bool
    }

    static let examples = [
        Example(
            testDescription: "a common name outside, the host an address", constraints: "permitted;DNS:api.test",
            subject: "/CN=www.other.test", names: "IP:127.0.0.1", host: "127.0.0.1", isTrusted: true),
        Example(
            testDescription: "a common name that is excluded, the host an address",
            constraints: "excluded;DNS:other.test", subject: "/CN=other.test", names: "IP:127.0.0.1", host: "127.0.0.1",
            isTrusted: true),
        Example(
            testDescription: "a common name outside, with a name within", constraints: "permitted;DNS:api.test",
            subject: "/CN=www.other.test", isTrusted: true),
        Example(
            testDescription: "an address outside, the host an address",
            constraints: "permitted;IP:10.0.0.0/255.0.0.0", names: "IP:127.0.0.1", host: "127.0.0.1", isTrusted: false),
        Example(
            testDescription: "a subject outside as a directory name", constraints: "permitted;dirName:organization",
            subject: "/O=Other/CN=server", isTrusted: false),
        Example(
            testDescription: "a subject within as a directory name", constraints: "permitted;dirName:organization",
            subject: "/O=Example/CN=server", isTrusted: true),
        Example(testDescription: "an excluded name", constraints: "excluded;DNS:api.test", isTrusted: false),
        Example(testDescription: "another name is excluded", constraints: "excluded;DNS:www.api.test", isTrusted: true),
        Example(
            testDescription: "a name within a constraint that begins with a period",
            constraints: "permitted;DNS:.api.test", names: "DNS:a.api.test", host: "a.api.test", isTrusted: true),
        Example(
            testDescription: "the domain of a permitted constraint that begins with a period",
            constraints: "permitted;DNS:.api.test", isTrusted: false),
        Example(
            testDescription: "the domain of an excluded constraint that begins with a period",
            constraints: "excluded;DNS:.api.test", isTrusted: false),
        Example(
            testDescription: "a wildcard for an excluded name", constraints: "excluded;DNS:Admin.API.test",
            names: "DNS:*.api.test", host: "a.api.test", isTrusted: false),
        Example(
            testDescription: "a wildcard above an excluded name, which it does not match",
            constraints: "excluded;DNS:a.admin.api.test", names: "DNS:*.api.test", host: "a.api.test", isTrusted: true),
        Example(
            testDescription: "an excluded wildcard, which would exclude nothing",
            constraints: "excluded;DNS:*.api.test", names: "DNS:a.api.test", host: "a.api.test", isTrusted: false),
        Example(
            testDescription: "an excluded name with a period at its end, which would exclude nothing",
            constraints: "excluded;DNS:api.test.", isTrusted: false),
        Example(
            testDescription: "an excluded name with a space", constraints: "excluded;DNS:api .test", isTrusted: false),
        Example(
            testDescription: "an alternative name that is none, beneath constraints",
            constraints: "permitted;DNS:api.test", names: "DNS:.api.test,DNS:api.test", isTrusted: false),
        Example(
            testDescription: "an alternative name that is none, without constraints",
            names: "DNS:.api.test,DNS:api.test", isTrusted: true),
        Example(
            testDescription: "critical constraints of a server",
            more: "nameConstraints=critical,excluded;DNS:other.test", isTrusted: false),
        Example(
            testDescription: "constraints of a server that are not critical",
            more: "nameConstraints=excluded;DNS:other.test", isTrusted: false),
    ]

    @Test("apply to alternative names and directory names only", arguments: examples)
    func table(_ example: Example) throws {
        let pki = try PKI.made()
        let chain = try Self.chain(example, pki)
        let roots = ChainPolicy.trusting([try pki.certificate("root")]).roots
        let report = ServerTrust(certificates: chain, host: example.host).report(policy: ChainPolicy(roots: roots))
        #expect(report.isTrusted == example.isTrusted, "\(report)")
        let engine = ServerVerification(roots: roots, store: try TrustStore.store(for: roots))
        let failure = engine.verify(chain.map(\.der), host: example.host)
        #expect((failure == nil) == example.isTrusted, "\(failure?.message ?? "trusted")")
    }

    private static func chain(_ example: Example, _ pki: PKI) throws -> [Certificate] {
        let name = UUID().uuidString
        let constraints = example.constraints.map { "-addext 'nameConstraints=critical,\($0)'" } ?? ""
        let more = example.more.map { "-addext '\($0)'" } ?? ""
        try pki.run(
            """
            set -e
            export NAMES=DNS:none.test DATABASE=none DIGEST=sha256 PLACE=http://files.test/none
            { cat openssl.cnf; printf '[organization]\\nO = Example\\n'; } >\(name).cnf
            openssl req -x509 -config \(name).cnf -days 2 -key intermediate.key -CA root.pem -CAkey root.key \\
                -subj '/O=Example/CN=\(name)' -addext basicConstraints=critical,CA:TRUE \\
                -addext keyUsage=critical,keyCertSign \(constraints) -out \(name)-ca.pem
            openssl req -x509 -config \(name).cnf -days 2 -key leaf.key -CA \(name)-ca.pem -CAkey intermediate.key \\
                -subj '\(example.subject)' -addext basicConstraints=critical,CA:FALSE \(more) \\
                -addext 'subjectAltName=\(example.names)' -out \(name).pem
            """
        )
        return try [name, "\(name)-ca"].map(pki.certificate)
    }
}
