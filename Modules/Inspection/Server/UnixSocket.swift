internal import Glibc

/// System calls on Unix domain sockets. Raw addresses occur only here.
enum UnixSocket {
    /// Calls `body` with the address of `path`.
    private static func withAddress<Value>(
        _ path: String,
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Value
    ) throws(InspectionError) -> Value {
        var address = sockaddr_un()
        let bytes = Array(path.utf8)
        let room = MemoryLayout.size(ofValue: address.sun_path)
        guard !bytes.isEmpty, bytes.count < room, !bytes.contains(0) else {
            throw InspectionError("the path of a Unix socket has 1 to \(room - 1) bytes: '\(path)' does not")
        }
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }

    private static func open(_ path: String) throws(InspectionError) -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw InspectionError("opening a socket for", path, code: errno) }
        return descriptor
    }

    /// Returns a socket that is connected to `path`.
    static func connect(to path: String) throws(InspectionError) -> Int32 {
        let descriptor = try open(path)
        let code = try closing(descriptor) { () throws(InspectionError) in
            try withAddress(path) { Glibc.connect(descriptor, $0, $1) == 0 ? 0 : errno }
        }
        guard code == 0 else {
            close(descriptor)
            throw InspectionError("connecting to", path, code: code)
        }
        return descriptor
    }

    /// Returns a listening socket at `path` with the mode 0600, which does not block. The socket of a killed program is
    /// replaced.
    ///
    /// - Throws: ``InspectionError`` if another program listens there, if the path is not a socket, or if a system
    ///   call fails.
    static func listen(at path: String) throws(InspectionError) -> Int32 {
        try removeAbandonedSocket(at: path)
        let descriptor = try open(path)
        // Linux gives the file of a socket the mode of its descriptor, so that no other user can open it at any time.
        guard fchmod(descriptor, 0o600) == 0 else {
            let code = errno
            close(descriptor)
            throw InspectionError("restricting", path, code: code)
        }
        let code = try closing(descriptor) { () throws(InspectionError) in
            try withAddress(path) { bind(descriptor, $0, $1) == 0 ? 0 : errno }
        }
        guard code == 0, Glibc.listen(descriptor, 16) == 0, fcntl(descriptor, F_SETFL, O_NONBLOCK) == 0 else {
            let failure = code == 0 ? errno : code
            close(descriptor)
            throw InspectionError("listening at", path, code: failure)
        }
        return descriptor
    }

    /// The result of accepting a connection.
    enum Accepted: Sendable {
        case connection(Int32)
        /// No connection waits, or the one that waited has gone.
        case none
        /// The process or the system has no descriptor left. The connection keeps waiting.
        case exhausted
    }

    /// Accepts a connection, without blocking.
    static func accept(on listener: Int32) -> Accepted {
        let connection = Glibc.accept(listener, nil, nil)
        if connection >= 0 { return .connection(connection) }
        return [EMFILE, ENFILE, ENOBUFS, ENOMEM].contains(errno) ? .exhausted : .none
    }

    private static func removeAbandonedSocket(at path: String) throws(InspectionError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            throw InspectionError("\(path) exists and is not a socket: remove it, or name another path")
        }
        if let descriptor = try? connect(to: path) {
            close(descriptor)
            throw InspectionError("another program is inspected at \(path): name another path")
        }
        unlink(path)
    }

    /// Returns whether the peer of a connection is this user or root.
    static func isOwnUser(_ descriptor: Int32) -> Bool {
        var credentials = PeerCredentials()
        var length = socklen_t(MemoryLayout<PeerCredentials>.size)
        guard getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, &credentials, &length) == 0 else { return false }
        return credentials.user == geteuid() || credentials.user == 0
    }

    /// `struct ucred` of Linux, which Glibc's module map omits.
    private struct PeerCredentials {
        var process: pid_t = 0
        var user: uid_t = .max
        var group: gid_t = .max
    }

    private static func closing<Value>(
        _ descriptor: Int32,
        _ body: () throws(InspectionError) -> Value
    ) throws(InspectionError) -> Value {
        do throws(InspectionError) {
            return try body()
        } catch {
            close(descriptor)
            throw error
        }
    }
}
