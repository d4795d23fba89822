package import AirframeTransport
internal import COpenSSL

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// The certificates that a chain may end in, in OpenSSL's form.
///
/// Built once and shared by all connections: reading the system's bundle takes 17 ms.
///
/// `@unchecked Sendable`: an `X509_STORE` has its own lock and is not modified after its creation.
package final class TrustStore: @unchecked Sendable {
    /// OpenSSL's own.
    package let pointer: OpaquePointer

    /// The system's roots; see ``SystemRoots``. Built at first use, for the life of the process.
    package static let system = Result { () throws(TransportError) in
        let store = try TrustStore()
        // If the roots cannot be read, the store is empty, and no chain is trusted.
        let roots = SystemRoots.current
        if let file = roots.file { X509_STORE_load_file(store.pointer, file) }
        if let directory = roots.directory { X509_STORE_load_path(store.pointer, directory) }
        ERR_clear_error()
        return store
    }

    /// Returns the store of `roots`.
    ///
    /// - Throws: ``TransportError/Code/tlsFailed`` if a certificate is malformed or a file cannot be read.
    package static func store(for roots: TrustRoots) throws(TransportError) -> TrustStore {
        switch roots {
        case .system:
            return try system.get()
        case .certificates(let certificates):
            let store = try TrustStore()
            for (index, certificate) in certificates.enumerated() {
                guard let x509 = CertificateReference(certificate) else {
                    throw Self.failure("root certificate \(index + 1) of \(certificates.count) is not a certificate")
                }
                X509_STORE_add_cert(store.pointer, x509.pointer)
            }
            return store
        case .pemFile(let path):
            let store = try TrustStore()
            guard access(path, R_OK) == 0 else {
                let reason = String(cString: strerror(errno))
                throw Self.failure("the file of trusted roots \(path) cannot be read: \(reason)")
            }
            guard X509_STORE_load_file(store.pointer, path) == 1 else {
                throw Self.failure("the file of trusted roots \(path) holds no PEM certificates")
            }
            return store
        }
    }

    private init() throws(TransportError) {
        guard let pointer = X509_STORE_new() else { throw Self.failure("OpenSSL is out of memory") }
        self.pointer = pointer
    }

    deinit { X509_STORE_free(pointer) }

    private static func failure(_ message: String) -> TransportError {
        let library = OpenSSLError.takeMessage().map { "OpenSSL: \($0)" }
        return TransportError(
            .tlsFailed,
            phase: .tls,
            processing: .notSent,
            message: message,
            libraryMessage: library
        )
    }
}
