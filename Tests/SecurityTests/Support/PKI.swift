import AirframeCore
import AirframeSecurity
import AirframeTransport
import Foundation
import Testing

/// The test PKI, made once for all tests by PKI/make-pki.
struct PKI: Sendable {
    let folder: String

    /// - Throws: The script's output.
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

    /// Creates the certificate of a server that expires soon, and the chain that it sends.
    ///
    /// - Parameters:
    ///   - name: The name of its files.
    ///   - seconds: The time until it expires.
    /// - Returns: `name`.
    func makeExpiring(_ name: String, after seconds: Double) throws -> String {
        let format = DateFormatter()
        format.locale = Locale(identifier: "en_US_POSIX")
        format.timeZone = TimeZone(identifier: "UTC")
        format.dateFormat = "yyyyMMddHHmmss'Z'"
        let end = format.string(from: Date(timeIntervalSinceNow: seconds))
        let command = """
            set -e; mkdir '\(name)'; : >'\(name)/index'; cp leaf.key '\(name).key'
            export NAMES=DNS:localhost DATABASE='\(name)/index' DIGEST=sha256 PLACE=http://files.test/none
            openssl req -new -config openssl.cnf -subj '/CN=\(name)' -key leaf.key -out '\(name)/request'
            openssl ca -batch -notext -config openssl.cnf -in '\(name)/request' -out '\(name).pem' -outdir '\(name)' \
                -extensions server -startdate 20200101000000Z -enddate \(end) -cert intermediate.pem -keyfile intermediate.key
            cat intermediate.pem >>'\(name).pem'
            """
        try run(command)
        return name
    }

    /// Runs a command of the shell in the folder of the PKI.
    func run(_ command: String) throws {
        let process = Process()
        process.executableURL = URL(filePath: "/bin/bash")
        process.arguments = ["-c", command]
        process.currentDirectoryURL = URL(filePath: folder)
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw CertificateError("failed: \(command)") }
    }

    func lists(_ file: String) throws -> [CertificateRevocationList] {
        try CertificateRevocationList.lists(inFile: path(file))
    }
}

/// The verdict in a refused server's error.
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
        switch reason.cause {
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
