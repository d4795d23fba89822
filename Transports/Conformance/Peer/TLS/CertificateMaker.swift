internal import AirframeTransport
internal import FoundationEssentials
internal import Glibc

/// Has the command `openssl` make certificates in their own folder.
struct CertificateMaker {
    private static let newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"]
    /// The sound certificate's, so that its OCSP response can be made without asking what it is.
    private static let serial = "1001"

    let folder: String

    init() throws {
        // Short, because there will be sockets in it, and OpenSSL 3.0 gives up on a socket's path of more than 31
        // bytes.
        folder = "/tmp/tls-\(String(UInt32.random(in: 0 ... .max), radix: 36))"
        guard mkdir(folder, 0o700) == 0 else { throw ScriptError.system("mkdir \(folder)") }
        try Data(configuration.utf8).write(to: URL(filePath: "\(folder)/openssl.cnf"))
    }

    /// Creates all of them.
    func makeAll() throws {
        try make("root", "root", by: nil)
        try make("intermediate", "authority", by: "root")
        try make("sound", "server", by: "intermediate", ["-set_serial", "0x\(Self.serial)"])
        try make("otherHost", "otherServer", by: "intermediate")
        try make("stranger", "server", by: nil)
        try make("client", "client", by: "root")
        try makeExpired()
        try makeStaple()
    }

    private func make(_ name: String, _ section: String, by issuer: String?, _ more: [String] = []) throws {
        let issuing = issuer.map { ["-CA", "\(folder)/\($0).pem", "-CAkey", "\(folder)/\($0).key"] } ?? []
        try OpenSSLCommand.run(
            ["req", "-config", "\(folder)/openssl.cnf", "-x509", "-extensions", section] + Self.newKey
                + ["-subj", "/CN=Conformance \(name)", "-days", "30"] + issuing + more
                + ["-keyout", "\(folder)/\(name).key", "-out", "\(folder)/\(name).pem"]
        )
    }

    /// Only `openssl ca` makes certificates for a time that is over.
    private func makeExpired() throws {
        let configuration = ["-config", "\(folder)/openssl.cnf"]
        try Data().write(to: URL(filePath: "\(folder)/database"))
        try OpenSSLCommand.run(
            ["req"] + configuration + ["-new"] + Self.newKey
                + [
                    "-subj", "/CN=Conformance expired", "-keyout", "\(folder)/expired.key", "-out",
                    "\(folder)/expired.csr",
                ]
        )
        try OpenSSLCommand.run(
            ["ca"] + configuration
                + [
                    "-batch", "-notext", "-startdate", "20200101000000Z", "-enddate", "20200201000000Z", "-in",
                    "\(folder)/expired.csr", "-out", "\(folder)/expired.pem",
                ]
        )
    }

    private func makeStaple() throws {
        let entry = "V\t391231235959Z\t\t\(Self.serial)\tunknown\t/CN=Conformance sound\n"
        try Data(entry.utf8).write(to: URL(filePath: "\(folder)/index"))
        let issuer = "\(folder)/intermediate.pem"
        try OpenSSLCommand.run([
            "ocsp", "-index", "\(folder)/index", "-CA", issuer, "-rsigner", issuer, "-rkey",
            "\(folder)/intermediate.key", "-issuer", issuer, "-cert", "\(folder)/sound.pem", "-ndays", "30",
            "-noverify", "-respout", "\(folder)/staple.der",
        ])
    }

    // MARK: What was made

    func certificate(_ name: String) throws -> DER { try decode("\(name).pem") }

    func key(_ name: String) throws -> DER { try decode("\(name).key") }

    func contents(of file: String) throws -> [UInt8] {
        Array(try Data(contentsOf: URL(filePath: "\(folder)/\(file)")))
    }

    /// The first object of a PEM file (RFC 7468).
    private func decode(_ file: String) throws -> DER {
        let lines = String(decoding: try contents(of: file), as: UTF8.self).split(whereSeparator: \.isNewline)
        let text = lines.drop { !$0.hasPrefix("-----BEGIN") }.dropFirst().prefix { !$0.hasPrefix("-----") }.joined()
        guard let data = Data(base64Encoded: text), !data.isEmpty else {
            throw ScriptError("\(file) holds no object in PEM")
        }
        return DER(Array(data))
    }

    private var configuration: String {
        """
        [req]
        distinguished_name = name
        prompt = no
        [name]
        CN = unnamed
        [root]
        basicConstraints = critical,CA:true
        keyUsage = critical,keyCertSign,digitalSignature
        subjectKeyIdentifier = hash
        [authority]
        basicConstraints = critical,CA:true
        keyUsage = critical,keyCertSign,digitalSignature
        subjectKeyIdentifier = hash
        authorityKeyIdentifier = keyid
        [server]
        basicConstraints = critical,CA:false
        keyUsage = critical,digitalSignature
        extendedKeyUsage = serverAuth
        subjectAltName = DNS:localhost,IP:127.0.0.1
        [otherServer]
        basicConstraints = critical,CA:false
        keyUsage = critical,digitalSignature
        extendedKeyUsage = serverAuth
        subjectAltName = DNS:other.test
        [client]
        basicConstraints = critical,CA:false
        keyUsage = critical,digitalSignature
        extendedKeyUsage = clientAuth
        [ca]
        default_ca = issuing
        [issuing]
        database = \(folder)/database
        new_certs_dir = \(folder)
        rand_serial = yes
        unique_subject = no
        default_md = sha256
        policy = anyName
        certificate = \(folder)/intermediate.pem
        private_key = \(folder)/intermediate.key
        x509_extensions = server
        [anyName]
        commonName = supplied

        """
    }
}
