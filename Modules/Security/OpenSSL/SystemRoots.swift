internal import COpenSSL

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Where the system keeps its roots.
///
/// The library was told a place when it was built. A static binary may run on another distribution than it was built on, so
/// that the places of the usual ones are tried when there is nothing there.
package enum SystemRoots {
    private static let files = [
        "/etc/ssl/certs/ca-certificates.crt",  // Debian, Alpine, Arch
        "/etc/pki/tls/certs/ca-bundle.crt",  // Fedora, RHEL
        "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",  // RHEL, CentOS
        "/etc/ssl/ca-bundle.pem",  // openSUSE
        "/etc/ssl/cert.pem",  // Alpine, BSD
    ]
    private static let directories = ["/etc/ssl/certs", "/etc/pki/tls/certs"]

    /// Whether `SSL_CERT_FILE` or `SSL_CERT_DIR` say where the roots are.
    static var areNamedByEnvironment: Bool { environment("SSL_CERT_FILE") != nil || environment("SSL_CERT_DIR") != nil }

    /// Whether there is a file where the library looks.
    static var libraryFindsThem: Bool { X509_get_default_cert_file().map { access($0, R_OK) == 0 } ?? false }

    /// The file of PEM certificates.
    package static var file: String? {
        if let named = environment("SSL_CERT_FILE") { return named }
        guard environment("SSL_CERT_DIR") == nil else { return nil }
        let known = X509_get_default_cert_file().map { String(cString: $0) }
        return ([known].compactMap(\.self) + files).first { access($0, R_OK) == 0 }
    }

    /// The directory of certificates under the hashes of their names. `SSL_CERT_DIR` may list several, after colons.
    package static var directory: String? {
        if let named = environment("SSL_CERT_DIR") { return named }
        guard environment("SSL_CERT_FILE") == nil else { return nil }
        return directories.first { access($0, R_OK | X_OK) == 0 }
    }

    private static func environment(_ name: String) -> String? {
        guard let value = getenv(name), value.pointee != 0 else { return nil }
        return String(cString: value)
    }
}
