import AirframeCore
import AirframeSecurity
import AirframeTransport
import Foundation
import Testing

/// The test PKI, made once for all tests by PKI/make-pki.
struct PKI: Sendable {
    let folder: String

    /// - Throws: What the script said.
    static func made() throws -> PKI { try result.get() }

    private static let result = Result {
        let folder = FileManager.default.temporaryDirectory.appending(path: "airframe-pki-\(UUID().uuidString)").path
        let script = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../PKI/make-pki")
        let process = Process()
        process.executableURL = URL(filePath: "/bin/bash")
        process.arguments = [script.standardizedFileURL.path, folder]
        process.standardInput = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            let log = (try? String(contentsOfFile: "\(folder)/openssl.log", encoding: .utf8)) ?? "no log"
            throw CertificateError("make-pki failed:\n\(log.suffix(2000))")
        }
        atexit { PKI.remove() }
        return PKI(folder: folder)
    }

    private static func remove() {
        if let pki = try? result.get() { try? FileManager.default.removeItem(atPath: pki.folder) }
    }

    func path(_ file: String) -> String { "\(folder)/\(file)" }

    func data(_ file: String) throws -> Data { try Data(contentsOf: URL(filePath: path(file))) }

    /// The certificates of a file, in its order: what a server of that kind sends.
    func chain(_ name: String) throws -> [Certificate] {
        try CertificateBundle.certificates(inFile: path("\(name).pem"))
    }

    func certificate(_ name: String) throws -> Certificate { try #require(try chain(name).first) }

    /// A policy that trusts the roots of the PKI, without the other one.
    var policy: ChainPolicy {
        get throws { .trusting(try ["root", "rsa-root"].map(certificate)) }
    }

    func trust(_ name: String, host: String = "localhost", isStapled: Bool = false) throws -> ServerTrust {
        ServerTrust(
            chain: try chain(name).map(\.der),
            host: host,
            stapledOCSPResponse: isStapled ? DER(Array(try data("\(name).ocsp"))) : nil
        )
    }

    func lists(_ file: String) throws -> [CertificateRevocationList] {
        try CertificateRevocationList.lists(inFile: path(file))
    }
}

/// What a refused server's error comes down to.
enum Verdict: String, Sendable {
    case trusted
    case chain
    case host
    case revocation
    case certificatePin
    case keyPin
    case pin
    case transparency
    case empty
    case other

    init(_ error: (any Error)?) {
        guard let error else {
            self = .trusted
            return
        }
        guard case .serverTrustEvaluationFailed(let reason) = error as? AFError else {
            self = .other
            return
        }
        switch reason {
        case .defaultEvaluationFailed: self = .chain
        case .hostValidationFailed: self = .host
        case .revocationCheckFailed: self = .revocation
        case .certificatePinningFailed: self = .certificatePin
        case .publicKeyPinningFailed: self = .keyPin
        case .noCertificatesFound, .noPublicKeysFound: self = .empty
        case .customEvaluationFailed(let error):
            self = error is PinningFailure ? .pin : error is TransparencyFailure ? .transparency : .other
        default: self = .other
        }
    }

    /// How `evaluator` decides on `trust`.
    static func of(_ evaluator: any ServerTrustEvaluating, _ trust: ServerTrust) -> Verdict {
        do {
            try evaluator.evaluate(trust, forHost: trust.host)
            return .trusted
        } catch {
            return Verdict(error)
        }
    }
}
