internal import Glibc

/// An `openssl s_server` for one connection, or for two that share its sessions: what it decrypts comes to one end of a
/// pair of sockets, and what is written there goes out encrypted.
///
/// It listens at a Unix socket, so that it needs no port and can be connected in advance.
final class TLSProcess: Sendable {
    /// Our end of the pair.
    let plain: Int32
    /// The connection to the process, for what is encrypted.
    let link: Int32
    private let command: OpenSSLCommand
    /// The path at which the process listens for its second connection.
    private let path: String
    /// Our end of the pair once more, for the second connection: the process ends when all of them are closed.
    private let spare: Int32
    private let isLast: Bool

    /// The same process, for its second connection.
    init(next process: TLSProcess) throws {
        command = process.command
        path = process.path
        isLast = true
        plain = process.spare
        spare = -1
        link = try Self.connect(to: path)
        unlink(path)
    }

    init(_ tls: PeerTLS) throws {
        let certificates = try TestCertificates.shared()
        let path = "\(certificates.folder)/\(String(UInt32.random(in: 0 ... .max), radix: 36))"
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw ScriptError.system("socketpair") }
        defer {
            close(ends[1])
            if !tls.resumes { unlink(path) }
        }
        do {
            command = try OpenSSLCommand(
                ["s_server", "-quiet", "-unix", path, "-naccept", tls.resumes ? "2" : "1"]
                    + certificates.arguments(for: tls),
                channel: ends[1]
            )
            link = try Self.connect(to: path)
        } catch {
            close(ends[0])
            throw error
        }
        plain = ends[0]
        self.path = path
        isLast = !tls.resumes
        spare = tls.resumes ? fcntl(ends[0], F_DUPFD_CLOEXEC, 0) : -1
    }

    /// Connects to the process, once it listens.
    private static func connect(to path: String) throws -> Int32 {
        let end = ContinuousClock.now + .seconds(10)
        while ContinuousClock.now < end {
            if let link = Loopback.connect(toPath: path) { return link }
            usleep(2_000)
        }
        throw ScriptError("openssl s_server does not listen")
    }

    /// Ends a process whose second connection never came.
    func endUnused() {
        command.end()
        close(spare)
        unlink(path)
    }

    /// Breaks the process off: its connection is not closed in TLS's good order.
    func kill() {
        if isLast { command.kill() } else { shutdown(link, Int32(SHUT_RDWR)) }
    }

    /// Ends the process, and waits for its end. Its descriptors are not used any more.
    func end() {
        if isLast { command.end() }
        close(link)
    }
}
