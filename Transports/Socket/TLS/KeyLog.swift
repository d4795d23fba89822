internal import AirframeTransport
internal import Glibc
internal import Synchronization

/// The file named by `SSLKEYLOGFILE`, with which Wireshark decrypts TLS traffic.
final class KeyLog: Sendable {
    /// The log, if the environment names a writable file.
    static let shared: KeyLog? = {
        guard let path = getenv("SSLKEYLOGFILE"), path.pointee != 0 else { return nil }
        let descriptor = Descriptor(open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600))
        return descriptor.isOpen ? KeyLog(descriptor) : nil
    }()

    private let descriptor: Descriptor

    private init(_ descriptor: consuming Descriptor) { self.descriptor = descriptor }

    /// Writes a line. Each line is one write in append mode, so that lines of several threads and processes do not mix.
    func write(_ line: UnsafePointer<CChar>) {
        var text = String(cString: line) + "\n"
        // The path may name a pipe.
        text.withUTF8 { bytes in
            _ = BrokenPipe.withoutSignal { Glibc.write(descriptor.number, bytes.baseAddress, bytes.count) }
        }
    }
}
