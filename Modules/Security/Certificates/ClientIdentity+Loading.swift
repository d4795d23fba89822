internal import AirframeOpenSSL
public import AirframeTransport
public import Foundation

extension ClientIdentity {
    /// Reads an identity from PEM: certificates, the client's own first, and the private key.
    ///
    /// - Parameters:
    ///   - pem: The text of the certificates, which may include the key.
    ///   - key: The text of the key, if it is separate.
    ///   - password: The password of an encrypted key.
    /// - Throws: ``CertificateError`` if a part is missing or malformed, or the password is wrong.
    public init(pem: String, key: String? = nil, password: String? = nil) throws(CertificateError) {
        let chain = PEM.blocks(in: pem).filter { Certificate.labels.contains($0.label) }.map(\.der)
        guard !chain.isEmpty else { throw CertificateError("the identity holds no certificate in PEM") }
        for der in chain { _ = try Certificate(der: der) }
        do throws(IdentityFile.Failure) {
            self.init(chain: chain, privateKey: try IdentityFile.read(pemKey: key ?? pem, password: password))
        } catch {
            throw CertificateError("the identity cannot be used: \(error.description)")
        }
    }

    /// Reads an identity from a PKCS #12 file (RFC 7292), as `.p12` and `.pfx` files are.
    ///
    /// - Parameters:
    ///   - pkcs12: The file's bytes.
    ///   - password: Its password.
    /// - Throws: ``CertificateError`` if the password is wrong, or the file has no key or certificate.
    public init(pkcs12: Data, password: String) throws(CertificateError) {
        do throws(IdentityFile.Failure) {
            let (key, chain) = try IdentityFile.read(pkcs12: Array(pkcs12), password: password)
            self.init(chain: chain, privateKey: key)
        } catch {
            throw CertificateError("the PKCS #12 identity cannot be used: \(error.description)")
        }
    }

    /// Reads an identity from files: a PKCS #12 file by its first byte, or else PEM.
    ///
    /// - Parameters:
    ///   - path: The file of the certificates, or of the whole identity.
    ///   - keyPath: The file of the key, if it is separate.
    ///   - password: The password of the key or the file.
    /// - Throws: ``CertificateError`` that names the file.
    public init(file path: String, key keyPath: String? = nil, password: String? = nil) throws(CertificateError) {
        let data = try Self.contents(path)
        if keyPath == nil, data.first == 0x30 {
            try self.init(pkcs12: data, password: password ?? "")
        } else {
            let key = try keyPath.map { path throws(CertificateError) in
                String(decoding: try Self.contents(path), as: UTF8.self)
            }
            try self.init(pem: String(decoding: data, as: UTF8.self), key: key, password: password)
        }
    }

    private static func contents(_ path: String) throws(CertificateError) -> Data {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw CertificateError("the identity's file \(path) cannot be read")
        }
        return data
    }
}
