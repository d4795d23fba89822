import AirframeCore
import AirframeOpenSSL
import AirframeSecurity
import AirframeTransport
import Foundation
import Testing

/// Chains with more faults than are recorded. The profile `.strict` tolerates one kind of fault, which OpenSSL reports
/// for each authority before it checks any signature.
@Suite("Chains with many faults", .timeLimit(.minutes(5)))
struct FaultLimitTests {
    /// The chains of an attacker with the root's certificate but without its key.
    private struct Forgery {
        let roots: [String: Certificate]
        /// A certificate that the root has signed.
        let genuine: Certificate
        private let authorities: [Certificate]
        private let leaves: [Int: Certificate]

        static func made() throws -> Forgery { try result.get() }

        private static let result = Result { try Forgery(try PKI.made()) }

        private init(_ pki: PKI) throws {
            let folder = "forgery-\(UUID().uuidString)"
            try pki.run(
                """
                set -e
                mkdir \(folder)
                cd \(folder)
                printf '[req]\\ndistinguished_name = none\\n[none]\\n' >cnf
                for name in root evil; do
                    openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out $name.key
                done
                make() { openssl req -x509 -new -config cnf -days 2 -subj "/CN=$1" -key $2.key -out $3.pem "${@:4}"; }
                authority() { make "$@" -addext basicConstraints=critical,CA:TRUE; }
                own='-addext subjectKeyIdentifier=hash'
                both="$own -addext authorityKeyIdentifier=keyid"
                names='-addext subjectAltName=DNS:localhost -addext extendedKeyUsage=serverAuth'
                authority Root root root $own
                authority Root root root-with-usage $own -addext keyUsage=critical,keyCertSign
                make server root genuine -CA root.pem -CAkey root.key $names $both
                identifier=$(openssl x509 -in root.pem -noout -ext subjectKeyIdentifier | sed -n '2s/ //gp')
                authority Root evil 0 -addext subjectKeyIdentifier=$identifier
                for number in {1..63}; do
                    authority Fake-$number evil $number -CA $((number - 1)).pem -CAkey evil.key $both
                done
                for number in 1 62 63; do
                    make server evil leaf-$number -CA $number.pem -CAkey evil.key $names $both
                done
                """
            )
            roots = [
                "root": try pki.certificate("\(folder)/root"),
                "root-with-usage": try pki.certificate("\(folder)/root-with-usage"),
            ]
            genuine = try pki.certificate("\(folder)/genuine")
            authorities = try (1...63).map { try pki.certificate("\(folder)/\($0)") }
            var leaves: [Int: Certificate] = [:]
            for count in [1, 62, 63] { leaves[count] = try pki.certificate("\(folder)/leaf-\(count)") }
            self.leaves = leaves
        }

        /// A server's certificate and as many authorities of the attacker, the last of which names the root.
        func chain(_ count: Int) throws -> [Certificate] {
            [try #require(leaves[count])] + authorities.prefix(count).reversed()
        }
    }

    private static let rootNames = ["root", "root-with-usage"]

    @Test("a forged chain is refused, however many faults it has", arguments: [1, 62, 63], rootNames)
    func forged(count: Int, root: String) throws {
        let forgery = try Forgery.made()
        let certificates = try forgery.chain(count)
        var policy = ChainPolicy.trusting([try #require(forgery.roots[root])])
        for profile in [ChainPolicy.Profile.strict, .compatible] {
            policy.profile = profile
            let trust = ServerTrust(certificates: certificates, host: "localhost")
            #expect(Verdict.of(DefaultTrustEvaluator(policy: policy), trust) == .chain, "\(profile)")
            let report = trust.report(policy: policy)
            #expect(report.authenticated.count < report.chain.count, "\(report)")
        }
    }

    @Test("the genuine chain of a root without a key usage is trusted", arguments: rootNames)
    func genuine(root: String) throws {
        let forgery = try Forgery.made()
        var policy = ChainPolicy.trusting([try #require(forgery.roots[root])])
        policy.profile = .strict
        let trust = ServerTrust(certificates: [forgery.genuine], host: "localhost")
        #expect(Verdict.of(DefaultTrustEvaluator(policy: policy), trust) == .trusted)
    }

    @Test("a list of faults says that others were dropped", arguments: [(62, true), (63, false)])
    func list(count: Int, isComplete: Bool) throws {
        let forgery = try Forgery.made()
        let certificates = try forgery.chain(count)
        let root = try #require(forgery.roots["root"])
        var terms = ChainVerification.Terms(store: try TrustStore.store(for: .certificates([root.der])))
        terms.isStrict = true
        terms.allowsPartialChains = true
        let verification = ChainVerification(
            of: try #require(CertificateReference(certificates[0].der)),
            with: certificates.dropFirst().compactMap { CertificateReference($0.der) },
            under: terms
        )
        #expect(verification.isComplete == isComplete)
        let words = try #require(verification.faults.last).words
        #expect(words.contains("more than 64 faults") != isComplete, "\(words)")
        #expect(verification.faults.contains { $0.code != Status.authorityWithoutKeyUsage })
    }
}
