import AirframeCore
import AirframeSecurity
import AirframeTransport
import Foundation
import Testing

@Suite("Certificates, keys and identities", .timeLimit(.minutes(5)))
struct CertificateTests {
    @Test("a certificate shows its fields")
    func fields() throws {
        let certificate = try PKI.made().certificate("revocable")
        #expect(certificate.version == 3)
        #expect(certificate.subject.commonName == "revocable")
        #expect(certificate.issuer.description == "CN=Security Test Intermediate")
        #expect(
            certificate.subjectAlternativeNames == [
                .dns("localhost"), .ipAddress([127, 0, 0, 1]), .ipAddress([UInt8](repeating: 0, count: 15) + [1]),
            ]
        )
        #expect(certificate.keyUsage == .digitalSignature)
        #expect(certificate.extendedKeyUsages == ["1.3.6.1.5.5.7.3.1"])
        #expect(certificate.basicConstraints?.isAuthority == false)
        #expect(certificate.ocspResponders == ["http://ocsp.test/"])
        #expect(certificate.crlDistributionPoints == ["http://crl.test/issuing.crl"])
        #expect(!certificate.mustStaple)
        #expect(try PKI.made().certificate("must-staple").mustStaple)
        #expect(certificate.notBefore < Date() && certificate.notAfter > Date())
        #expect(certificate.malformedExtensions.isEmpty)
        #expect(certificate.fingerprint.count == 64)
        #expect(certificate.publicKey.algorithm == "EC" && certificate.publicKey.bitCount == 256)
        let constraints = try #require(try PKI.made().certificate("constrained").nameConstraints)
        #expect(constraints.permitted == [.dns("api.test"), .dns("localhost")])
        #expect(constraints.excluded == [.dns("secret.api.test")])
    }

    @Test("the pin of a key equals openssl's digest (RFC 7469 §2.4)")
    func pin() throws {
        #expect(try PublicKey(pem: PKI.made().certificate("valid").pem) == PKI.made().certificate("valid").publicKey)
        let key = try PKI.made().certificate("ed25519-leaf").publicKey
        #expect(key.algorithm == "ED25519")
        let command = "openssl pkey -pubin -outform DER | openssl sha256 -binary | base64"
        let process = Process()
        process.executableURL = URL(filePath: "/bin/bash")
        process.arguments = ["-c", "echo '\(key.pem)' | \(command)"]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        #expect(key.pin == "sha256/\(text.trimmingCharacters(in: .whitespacesAndNewlines))")
    }

    @Test("PEM and DER give the same certificate, and text around PEM is ignored")
    func forms() throws {
        let certificate = try PKI.made().certificate("valid")
        #expect(try Certificate(pem: "# a comment\n" + certificate.pem.replacing("\n", with: "\r\n")) == certificate)
        #expect(try Certificate(der: certificate.der) == certificate)
        #expect(CertificateBundle.certificates(in: certificate.data) == [certificate])
        for text in ["", "-----BEGIN CERTIFICATE-----", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----"]
        {
            #expect(throws: CertificateError.self) { try Certificate(pem: text) }
        }
        for bytes in [[], [0x30], [0x30, 0x80], Array(certificate.der.bytes.dropLast()), certificate.der.bytes + [0]] {
            #expect(throws: CertificateError.self) { try Certificate(der: DER(bytes)) }
        }
    }

    @Test("bundles are found in files, directories and the system")
    func bundles() throws {
        let pki = try PKI.made()
        #expect(try CertificateBundle.certificates(inFile: pki.path("valid.pem")).count == 2)
        #expect(try CertificateBundle.certificates(inDirectory: pki.folder).count > 40)
        let error = #expect(throws: CertificateError.self) {
            try CertificateBundle.certificates(inFile: "/nowhere.pem")
        }
        #expect(error?.description.contains("/nowhere.pem") == true)
        #expect(throws: CertificateError.self) { try CertificateBundle.certificates(inFile: pki.path("valid.key")) }
        #expect(Bundle.main.af.certificates.isEmpty)
    }

    @Test("identities come from PEM and PKCS #12, with their passwords")
    func identities() throws {
        let pki = try PKI.made()
        let plain = try ClientIdentity(file: pki.path("client.pem"), key: pki.path("client.key"))
        #expect(plain.chain == [try pki.certificate("client").der])
        let locked = try ClientIdentity(
            file: pki.path("client.pem"), key: pki.path("client-locked.key"), password: "airframe")
        #expect(locked == plain)
        let packed = try ClientIdentity(pkcs12: pki.data("client.p12"), password: "airframe")
        #expect(packed.privateKey == plain.privateKey)
        #expect(packed.chain == (try ["client", "intermediate"].map { try pki.certificate($0).der }))
        #expect(try ClientIdentity(file: pki.path("client.p12"), password: "airframe") == packed)
        for (words, make) in [
            ("password is wrong", { try ClientIdentity(pkcs12: pki.data("client.p12"), password: "wrong") }),
            ("not a PKCS #12", { try ClientIdentity(pkcs12: Data([1]), password: "") }),
            ("no password", { try ClientIdentity(file: pki.path("client.pem"), key: pki.path("client-locked.key")) }),
            (
                "cannot be decrypted",
                {
                    try ClientIdentity(
                        file: pki.path("client.pem"), key: pki.path("client-locked.key"), password: "wrong")
                }
            ),
            ("no private key", { try ClientIdentity(file: pki.path("client.pem")) }),
            ("/nowhere", { try ClientIdentity(file: "/nowhere") }),
        ] as [(String, () throws -> ClientIdentity)] {
            let error = #expect(throws: CertificateError.self) { _ = try make() }
            #expect(error?.description.contains(words) == true, "\(String(describing: error))")
        }
    }

    @Test("a name cannot imitate another part of a name, or a line of a log")
    func names() throws {
        let name = try PKI.made().certificate("valid").subject
        #expect(name.description == "CN=valid")
        #expect(name.attributes.map(\.type) == ["2.5.4.3"])
    }
}
