internal import COpenSSL

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// The places where the system keeps its roots.
///
/// OpenSSL has a place compiled in. A static binary may run on another distribution than the one that it was built on,
/// so if there is nothing at that place, the places of common distributions are tried. All lookups happen at run time.
package struct SystemRoots: Sendable {
    private static let files = [
        "/etc/ssl/certs/ca-certificates.crt",  // Debian, Alpine, Arch
        "/etc/pki/tls/certs/ca-bundle.crt",  // Fedora, RHEL
        "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",  // RHEL, CentOS
        "/etc/ssl/ca-bundle.pem",  // openSUSE
        "/etc/ssl/cert.pem",  // Alpine, BSD
    ]
    private static let directories = ["/etc/ssl/certs", "/etc/pki/tls/certs"]

    /// The file of PEM certificates.
    package let file: String?
    /// The directories of certificates under the hashes of their names, separated by colons.
    package let directory: String?
    /// Whether the environment names the places.
    package let isNamed: Bool

    /// The current places of this system.
    package static var current: SystemRoots {
        SystemRoots(
            environment: { name in getenv(name).map { String(cString: $0) } },
            libraryFile: X509_get_default_cert_file().map { String(cString: $0) },
            libraryDirectory: X509_get_default_cert_dir().map { String(cString: $0) }
        )
    }

    /// Looks for the roots in the places named by `SSL_CERT_FILE` and `SSL_CERT_DIR`, or else in the common ones. Each
    /// variable replaces OpenSSL's compiled-in place, as in all programs that use OpenSSL; if one of them is set, no
    /// other place is tried.
    ///
    /// - Parameters:
    ///   - root: The directory that is used as `/`.
    ///   - environment: Returns the value of a variable; an empty value stands for none.
    ///   - libraryFile: OpenSSL's compiled-in file.
    ///   - libraryDirectory: OpenSSL's compiled-in directory.
    package init(
        root: String = "",
        environment: (String) -> String?,
        libraryFile: String?,
        libraryDirectory: String?
    ) {
        func named(_ name: String) -> String? { environment(name).flatMap { $0.isEmpty ? nil : $0 } }
        let namedFile = named("SSL_CERT_FILE")
        let namedDirectory = named("SSL_CERT_DIR")
        let isNamed = namedFile != nil || namedDirectory != nil
        let files = [libraryFile].compactMap(\.self) + (isNamed ? [] : Self.files)
        let directories = [libraryDirectory].compactMap(\.self) + (isNamed ? [] : Self.directories)
        file = namedFile ?? files.map { root + $0 }.first { access($0, R_OK) == 0 }
        directory = namedDirectory ?? directories.map { root + $0 }.first { access($0, R_OK | X_OK) == 0 }
        self.isNamed = isNamed
    }

    /// Whether there is no place that could contain roots.
    package var areMissing: Bool { file == nil && directory == nil }

    /// The error message if there are none.
    package static var missing: String {
        "the system has no certificates of trusted roots: none of \(files.joined(separator: ", ")) is there, and neither "
            + "SSL_CERT_FILE nor SSL_CERT_DIR names another"
    }
}
