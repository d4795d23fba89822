import AirframeOpenSSL
import AirframeSecurity
import Foundation
import Testing

@Suite("The places of the system's roots", .timeLimit(.minutes(5)))
struct SystemRootsTests {
    /// A directory that stands for `/`, with a file in it.
    private func system(_ file: String?) throws -> String {
        let root = FileManager.default.temporaryDirectory.appending(path: "roots-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: root, withIntermediateDirectories: true)
        guard let file else { return root }
        let folder = URL(filePath: root + file).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try PKI.made().data("root.pem").write(to: URL(filePath: root + file))
        return root
    }

    @Test(
        "the file of each distribution is found at run time, whatever OpenSSL's compiled-in place",
        arguments: [
            "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
            "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem", "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem",
            "/usr/lib/ssl/cert.pem",
        ]
    )
    func found(file: String) throws {
        let root = try system(file)
        defer { try? FileManager.default.removeItem(atPath: root) }
        let built = file == "/usr/lib/ssl/cert.pem" ? file : "/opt/build/ssl/cert.pem"
        let roots = SystemRoots(
            root: root,
            environment: { _ in nil },
            libraryFile: built,
            libraryDirectory: "/opt/build/ssl/certs"
        )
        #expect(roots.file == root + file)
        #expect(!roots.areMissing)
        #expect(try CertificateBundle.certificates(inFile: root + file) == [PKI.made().certificate("root")])
    }

    @Test("a system without roots is detected")
    func missing() throws {
        let root = try system(nil)
        defer { try? FileManager.default.removeItem(atPath: root) }
        let roots = SystemRoots(
            root: root,
            environment: { _ in "" },
            libraryFile: "/opt/build/ssl/cert.pem",
            libraryDirectory: nil
        )
        #expect(roots.areMissing)
        #expect(SystemRoots.missing.contains("/etc/ssl/certs/ca-certificates.crt"))
    }

    @Test("the places of the environment replace all others")
    func named() throws {
        let root = try system("/etc/ssl/certs/ca-certificates.crt")
        defer { try? FileManager.default.removeItem(atPath: root) }
        func roots(_ variables: [String: String]) -> SystemRoots {
            SystemRoots(
                root: root,
                environment: { variables[$0] },
                libraryFile: nil,
                libraryDirectory: nil
            )
        }
        #expect(roots(["SSL_CERT_FILE": "/a.pem"]).file == "/a.pem")
        #expect(roots(["SSL_CERT_FILE": "/a.pem"]).directory == nil)
        #expect(roots(["SSL_CERT_DIR": "/a:/b"]).directory == "/a:/b")
        #expect(roots(["SSL_CERT_DIR": "/a:/b"]).file == nil)
        #expect(roots([:]).directory == root + "/etc/ssl/certs")
    }
}
