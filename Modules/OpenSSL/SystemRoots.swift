internal import COpenSSL

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// Where the system keeps its roots.
///
/// The library was told a place when it was built. A static binary may run on another distribution than it was built
/// on, so that the places of the usual ones are tried when there is nothing there. All of it is looked for when it is
/// needed, and nothing when the program is built.
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
    /// The directories of certificates under the hashes of their names; several have colons between them.
    package let directory: String?
    /// Whether the environment says where they are.
    package let isNamed: Bool

    /// The roots of this system, as they are now.
    package static var current: SystemRoots {
        SystemRoots(
            environment: { name in getenv(name).map { String(cString: $0) } },
            libraryFile: X509_get_default_cert_file().map { String(cString: $0) },
            libraryDirectory: X509_get_default_cert_dir().map { String(cString: $0) }
        )
    }

    /// Looks for the roots: where `SSL_CERT_FILE` and `SSL_CERT_DIR` say, or else in the usual places. Each variable
    /// takes the place of what the library was told, as in all that uses OpenSSL; where one of them is set, no other
    /// place is tried.
    ///
    /// - Parameters:
    ///   - root: The directory that stands for `/`.
    ///   - environment: The value of a variable; an empty one stands for none.
    ///   - libraryFile: The file that the library was told of when it was built.
    ///   - libraryDirectory: The directory that the library was told of when it was built.
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

    /// Whether there is no place at all in which roots could be.
    package var areMissing: Bool { file == nil && directory == nil }

    /// What is said where there are none.
    package static var missing: String {
        "the system has no certificates of trusted roots: none of \(files.joined(separator: ", ")) is there, and neither "
            + "SSL_CERT_FILE nor SSL_CERT_DIR names another"
    }
}
