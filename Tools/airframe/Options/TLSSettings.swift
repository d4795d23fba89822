import Airframe
import ArgumentParser
import Foundation

/// The rules on servers' certificates, and the certificate of the client.
struct TLSSettings: ParsableArguments {
    /// A version of TLS on the command line.
    enum Version: String, ExpressibleByArgument, CaseIterable {
        case tls1_2 = "1.2"
        case tls1_3 = "1.3"

        var version: TLSVersion { self == .tls1_2 ? .tls1_2 : .tls1_3 }
    }

    @Option(
        name: .customLong("cacert"), help: "Trust the PEM certificates of this file and no others.", completion: .file()
    )
    var trustedRoots: String?
    @Option(name: .customLong("pin"), help: "A pin, 'sha256/…', that one of the keys must have. May be repeated.")
    var pins: [String] = []
    @Flag(name: [.customShort("k"), .long], help: "Trust every server: for debugging only.") var insecure = false
    @Option(
        name: [.customShort("E"), .long], help: "A client certificate, in PEM or PKCS #12.", completion: .file())
    var cert: String?
    @Option(help: "Its key in PEM, if it is in another file.", completion: .file()) var key: String?
    @Option(name: .customLong("cert-password"), parsing: .unconditional, help: "The password of the key.")
    var certPassword: String?
    @Option(name: .customLong("tls-min"), help: "The oldest version of TLS.") var minimum: Version?
    @Option(name: .customLong("tls-max"), help: "The newest version of TLS.") var maximum: Version?

    func validate() throws {
        if insecure, !pins.isEmpty { throw ValidationError("--insecure and --pin exclude each other") }
        if insecure, trustedRoots != nil { throw ValidationError("--insecure and --cacert exclude each other") }
        if key != nil, cert == nil { throw ValidationError("--key needs --cert") }
        if certPassword != nil, cert == nil { throw ValidationError("--cert-password needs --cert") }
    }

    /// Applies the options.
    ///
    /// - Throws: `CertificateError` when the client certificate cannot be read.
    func apply(to options: inout TransportOptions, _ configuration: URLSessionConfiguration) throws {
        if let trustedRoots { options.tls.roots = .pemFile(path: trustedRoots) }
        options.tls.minimumVersion = minimum?.version
        options.tls.maximumVersion = maximum?.version
        if let cert {
            configuration.clientIdentity = try ClientIdentity(file: cert, key: key, password: certPassword)
        }
    }

    /// The rules on trust; `nil` leaves the decision to the engine.
    ///
    /// - Throws: `CertificateError` when a pin cannot be read.
    func trustManager() throws -> ServerTrustManager? {
        let evaluator: any ServerTrustEvaluating
        if insecure {
            evaluator = DisabledTrustEvaluator()
        } else if !pins.isEmpty {
            let roots: TrustRoots = trustedRoots.map { .pemFile(path: $0) } ?? .system
            evaluator = PinSetTrustEvaluator(try PinSet(pins), policy: ChainPolicy(roots: roots))
        } else {
            return nil
        }
        return ServerTrustManager(evaluators: ["*": evaluator])
    }
}
