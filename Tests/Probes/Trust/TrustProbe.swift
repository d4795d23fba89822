import AirframeCore
import AirframeSecurity
import AirframeTransport
import Foundation

// trust-probe PKI ROUNDS: has every evaluator evaluate each chain of the test PKI, again and again, and says how much
// memory it has when the first tenth of the rounds is over, and at the end. What valgrind should find is in
// Tools/scripts/leaks.

@main
struct TrustProbe {
    static func main() throws {
        guard CommandLine.arguments.count == 3, let rounds = Int(CommandLine.arguments[2]) else {
            print("usage: trust-probe PKI ROUNDS")
            exit(64)
        }
        let probe = try TrustProbe(folder: CommandLine.arguments[1])
        var trusted = 0
        var refused = 0
        for round in 0..<rounds {
            if round == rounds / 10 { print("early \(residentKiB)") }
            for trust in probe.trusts {
                for evaluator in probe.evaluators {
                    let isTrusted = (try? evaluator.judge(trust)) != nil
                    if isTrusted { trusted += 1 } else { refused += 1 }
                }
            }
            probe.parse()
        }
        print("late \(residentKiB)")
        print("trusted \(trusted), refused \(refused)")
    }

    /// The chains that each round reads again: good and bad.
    private let files: [Data]
    private let trusts: [ServerTrust]
    private let evaluators: [any ServerTrustEvaluating]

    private init(folder: String) throws {
        func read(_ name: String) throws -> Data { try Data(contentsOf: URL(filePath: "\(folder)/\(name)")) }
        func certificates(_ name: String) throws -> [Certificate] {
            try CertificateBundle.certificates(inFile: "\(folder)/\(name).pem")
        }
        let kinds = [
            "valid", "tangled", "logged", "expired", "wrong-host", "untrusted", "self-signed", "must-staple", "revoked",
        ]
        trusts =
            try kinds.map { name in
                let staple = try? read("\(name).ocsp")
                return ServerTrust(
                    chain: try certificates(name).map(\.der),
                    host: "localhost",
                    stapledOCSPResponse: staple.map { DER(Array($0)) },
                    signedCertificateTimestampList: Array(try read("sent.sct"))
                )
            } + [
                ServerTrust(chain: [], host: "localhost"), ServerTrust(chain: [DER([0x30, 0x01])], host: "localhost"),
                ServerTrust(
                    chain: try certificates("must-staple").map(\.der),
                    host: "localhost",
                    stapledOCSPResponse: DER([0x30, 0x03, 0x0A, 0x01, 0x06])
                ),
            ]
        let policy = ChainPolicy(roots: .pemFile(path: "\(folder)/root.pem"))
        let own = try certificates("valid")
        let lists = try CertificateRevocationList.lists(inFile: "\(folder)/issuing.crl")
        let log = TransparencyLog(
            name: "a", operator: "a", key: try PublicKey(pem: String(decoding: read("log-a.pub.pem"), as: UTF8.self)))
        evaluators = [
            DefaultTrustEvaluator(policy: policy),
            PinnedCertificatesTrustEvaluator(certificates: own, acceptSelfSignedCertificates: true),
            PublicKeysTrustEvaluator(keys: own.map(\.publicKey), policy: policy),
            RevocationTrustEvaluator(options: .ocsp, policy: policy),
            RevocationTrustEvaluator(options: .crl, policy: policy, crls: lists),
            CertificateTransparencyTrustEvaluator(
                logs: [log], minimumTimestamps: 1, minimumOperators: 1, policy: policy),
        ]
        files = try ["valid.pem", "client.p12", "issuing.crl", "packed.p7c", "valid.key", "openssl.cnf"].map(read)
    }

    private func parse() {
        for file in files {
            _ = CertificateBundle.certificates(in: file)
            _ = CertificateRevocationList.lists(in: file)
            _ = try? ClientIdentity(pkcs12: file, password: "airframe")
            _ = try? ClientIdentity(pkcs12: file, password: "wrong")
        }
    }

    private static var residentKiB: Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        return line?.split(separator: " ").compactMap { Int($0) }.first ?? 0
    }
}

extension ServerTrustEvaluating {
    /// Evaluates synchronously: valgrind does not support the end of a main thread, with which asynchronous programs
    /// begin.
    fileprivate func judge(_ trust: ServerTrust) throws {
        // A trust is amended by some evaluators: each gets its own.
        let fresh = ServerTrust(
            chain: trust.chain,
            host: trust.host,
            stapledOCSPResponse: trust.stapledOCSPResponse,
            signedCertificateTimestampList: trust.signedCertificateTimestampList
        )
        try evaluate(fresh, forHost: fresh.host)
    }
}
