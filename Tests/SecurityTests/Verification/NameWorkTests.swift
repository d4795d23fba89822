import AirframeCore
import AirframeOpenSSL
import AirframeSecurity
import AirframeTestSupport
import AirframeTransport
import Foundation
import Testing

/// Certificates with many names and constraints, which bind the thread of the handshake.
@Suite("The work on names and constraints", .timeLimit(.minutes(1)))
struct NameWorkTests {
    @Test("more names times constraints than the limit are refused", arguments: [(1_100, false), (500, true)])
    func limit(_ count: Int, _ isTrusted: Bool) throws {
        let chain = try Self.chain(names: count, constraints: 1_000)
        let policy = ChainPolicy.trusting([try PKI.made().certificate("root")])
        let report = ServerTrust(certificates: chain, host: "api.test").report(policy: policy)
        #expect(report.isTrusted == isTrusted, "\(report.reason([.chain, .host]))")
        #expect(report.reason([.chain]).contains("more than 1048576 comparisons") == !isTrusted)
        let engine = ServerVerification(roots: policy.roots, store: try TrustStore.store(for: policy.roots))
        let failure = engine.verify(chain.map(\.der), host: "api.test")
        #expect((failure == nil) == isTrusted)
    }

    @Test("the cost of the rules grows with names and constraints, not with their product")
    func rules() throws {
        let curve = try CostCurve.measure(100) { count in
            let chain = try Self.chain(names: count, constraints: count)
            return { _ = NameRules.faults(of: chain) }
        }
        #expect(curve.growth <= CostCurve.limit, "\(curve)")
    }

    @Test("each wildcard for an excluded name is a violation, of which a hundred are reported")
    func findings() throws {
        let chain = try Self.chain(names: 200, constraints: 200, isExcluding: true)
        let findings = NameRules.faults(of: chain)
        #expect(findings.count == 100)
        #expect(findings.first?.description.contains("DNS:*.n1.test of CN=server stands for") == true)
    }

    @Test("the cost of a reason grows with the findings, not with their square")
    func reason() throws {
        let chain = try Self.chain(names: 1, constraints: 1)
        let report = ServerTrust(certificates: chain, host: "api.test").report()
        let curve = try CostCurve.measure(1_000) { count in
            var report = report
            report.findings = (0..<count).map { number in
                TrustReport.Finding(kind: .chain, status: 0, depth: 0, description: "finding \(number)")
            }
            return { [report] in _ = report.reason([.chain]) }
        }
        #expect(curve.growth <= CostCurve.limit, "\(curve)")
    }

    /// Creates the certificates of a server with many wildcards, and of an authority that excludes many names.
    ///
    /// - Parameter isExcluding: Whether the wildcards stand for names that are excluded.
    private static func chain(names: Int, constraints: Int, isExcluding: Bool = false) throws -> [Certificate] {
        let pki = try PKI.made()
        let name = UUID().uuidString
        try pki.run(
            """
            set -e
            {
                printf '[req]\\ndistinguished_name = none\\n[none]\\n'
                printf '[authority]\\nbasicConstraints = critical, CA:TRUE\\nkeyUsage = critical, keyCertSign\\n'
                printf 'nameConstraints = critical, @limits\\n'
                printf '[server]\\nbasicConstraints = critical, CA:FALSE\\nsubjectAltName = @names\\n[limits]\\n'
                seq \(constraints) | sed 's/.*/excluded;DNS.& = x.\(isExcluding ? "n" : "m")&.test/'
                printf '[names]\\nDNS.0 = api.test\\n'
                seq \(names) | sed 's/.*/DNS.& = *.n&.test/'
            } >\(name).cnf
            openssl req -x509 -config \(name).cnf -extensions authority -days 2 -key intermediate.key -CA root.pem \\
                -CAkey root.key -subj '/CN=\(name)' -out \(name)-ca.pem
            openssl req -x509 -config \(name).cnf -extensions server -days 2 -key leaf.key -CA \(name)-ca.pem \\
                -CAkey intermediate.key -subj '/CN=server' -out \(name).pem
            """
        )
        return try [name, "\(name)-ca"].map(pki.certificate)
    }
}
