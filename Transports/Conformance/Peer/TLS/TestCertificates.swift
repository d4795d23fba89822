public import AirframeTransport
internal import FoundationEssentials
internal import Glibc
internal import Synchronization

/// The certificates of peers, created once for the process by the command `openssl`: a root, an authority below it, and
/// the certificates that it issues.
public final class TestCertificates: Sendable {
    /// Returns the certificates of this process, which are created at the first call.
    ///
    /// - Throws: ``ScriptError`` if the command `openssl` is missing.
    public static func shared() throws -> TestCertificates { try made.get() }

    private static let made = Result { try TestCertificates() }

    /// The root of valid certificates.
    public let root: DER
    /// Another root, which has issued none of the peers' certificates.
    public let otherRoot: DER
    /// A client identity that peers accept.
    public let identity: ClientIdentity
    /// A client identity that peers reject.
    public let strangeIdentity: ClientIdentity
    /// The OCSP response for the valid certificate.
    public let staple: DER
    let folder: String
    private let chains: [PeerTLS.Certificate: [DER]]

    private init() throws {
        let maker = try CertificateMaker()
        folder = maker.folder
        Self.foldersToRemove.withLock { $0.append(maker.folder) }
        atexit { TestCertificates.removeFolders() }
        try maker.makeAll()
        root = try maker.certificate("root")
        otherRoot = try maker.certificate("stranger")
        let intermediate = try maker.certificate("intermediate")
        identity = ClientIdentity(chain: [try maker.certificate("client")], privateKey: try maker.key("client"))
        strangeIdentity = ClientIdentity(chain: [otherRoot], privateKey: try maker.key("stranger"))
        staple = DER(try maker.contents(of: "staple.der"))
        chains = [
            .sound: [try maker.certificate("sound"), intermediate],
            .incomplete: [try maker.certificate("sound")],
            .otherHost: [try maker.certificate("otherHost"), intermediate],
            .expired: [try maker.certificate("expired"), intermediate],
            .stranger: [otherRoot],
        ]
    }

    /// Returns the chain of a peer's certificate, leaf first.
    public func chain(of certificate: PeerTLS.Certificate) -> [DER] { chains[certificate] ?? [] }

    /// The arguments that make `openssl s_server` speak TLS as `tls` says.
    func arguments(for tls: PeerTLS) -> [String] {
        let name = tls.certificate == .incomplete ? PeerTLS.Certificate.sound.rawValue : tls.certificate.rawValue
        var arguments = ["-cert", "\(folder)/\(name).pem", "-key", "\(folder)/\(name).key"]
        if chain(of: tls.certificate).count > 1 { arguments += ["-cert_chain", "\(folder)/intermediate.pem"] }
        if tls.versions.upperBound == .tls1_2 { arguments.append("-no_tls1_3") }
        if tls.versions.lowerBound == .tls1_3 { arguments.append("-no_tls1_2") }
        if !tls.protocols.isEmpty { arguments += ["-alpn", tls.protocols.joined(separator: ",")] }
        if tls.staples { arguments += ["-status_file", "\(folder)/staple.der"] }
        switch tls.clientCertificate {
        case .unasked: break
        case .optional: arguments += ["-verify", "2", "-CAfile", "\(folder)/root.pem"]
        case .required:
            arguments += ["-Verify", "2", "-verify_return_error", "-CAfile", "\(folder)/root.pem"]
        }
        return arguments
    }

    // Guards the files to remove when the process ends.
    private static let foldersToRemove = Mutex<[String]>([])

    private static func removeFolders() {
        for folder in foldersToRemove.withLock({ $0 }) { try? FileManager.default.removeItem(atPath: folder) }
    }
}
