public import FoundationEssentials

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The names and passwords of a netrc file, with curl's rules.
///
/// ```
/// machine api.test
///     login airframe
///     password "open: \"sesame\""
/// default login anonymous password guest
/// ```
///
/// Entries apply in the order of the file: the first `machine` with the host's name, or the first `default`. Values may
/// be quoted, with the escapes `\"`, `\\`, `\n`, `\r` and `\t`. A `#` at the start of a token begins a comment. Macros
/// (`macdef`) are skipped up to their empty line, and `account` with its value is ignored.
public struct Netrc: Sendable {
    /// A user's name and password for one host, or for all others.
    public struct Entry: Sendable, Hashable {
        /// The host's name; `nil` for `default`.
        public let machine: String?
        /// The user's name; empty if the file has none.
        public let login: String
        /// The password; empty if the file has none.
        public let password: String
    }

    /// The entries in the order of the file.
    public let entries: [Entry]

    /// Parses the text of a netrc file.
    ///
    /// - Throws: ``NetrcError/malformed(line:reason:)``.
    public init(_ text: String) throws(NetrcError) {
        var parser = NetrcParser(text)
        entries = try parser.entries()
    }

    /// Reads a netrc file.
    ///
    /// - Parameter path: The file's path.
    /// - Throws: ``NetrcError`` if the file cannot be read, is malformed, or other users could read or replace it: its
    ///   mode must grant nothing to the group and to others, and its owner must be this user or root.
    public init(path: String) throws(NetrcError) {
        try self.init(String(decoding: Self.contents(of: path), as: UTF8.self))
    }

    /// Reads the user's netrc file: the file that the environment variable `NETRC` names, or `~/.netrc`.
    ///
    /// - Parameter environment: The environment; the process's by default.
    /// - Returns: `nil` if `NETRC` is not set and `~/.netrc` does not exist.
    /// - Throws: ``NetrcError``, as ``init(path:)`` does.
    public static func ofUser(
        environment: [String: String] = ProcessInfo.processInfo.environment
    ) throws(NetrcError) -> Netrc? {
        if let path = environment["NETRC"], !path.isEmpty { return try Netrc(path: path) }
        guard let home = environment["HOME"], !home.isEmpty else { return nil }
        let path = home + "/.netrc"
        guard access(path, F_OK) == 0 else { return nil }
        return try Netrc(path: path)
    }

    /// Returns the entry for a host.
    ///
    /// - Parameters:
    ///   - host: The host's name, in any case.
    ///   - user: The user's name, if it is known; entries for other users are then skipped.
    public func entry(for host: String, user: String? = nil) -> Entry? {
        let host = host.lowercased()
        return entries.first { entry in
            (entry.machine.map { $0.lowercased() == host } ?? true) && (user.map { $0 == entry.login } ?? true)
        }
    }

    // MARK: The file

    private static let sizeLimit = 1 << 20

    private static func contents(of path: String) throws(NetrcError) -> [UInt8] {
        // Without this flag, opening a named pipe would block until it has a writer.
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw .unreadable(path: path, reason: String(cString: strerror(errno))) }
        defer { close(descriptor) }
        var status = stat()
        // Checks the descriptor, so that the checked file is the one that is read.
        guard fstat(descriptor, &status) == 0 else {
            throw .unreadable(path: path, reason: String(cString: strerror(errno)))
        }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw .unreadable(path: path, reason: "it is not a regular file")
        }
        guard status.st_mode & 0o077 == 0 else {
            throw .unsafePermissions(path: path, mode: Int(status.st_mode & 0o7777))
        }
        guard status.st_uid == geteuid() || status.st_uid == 0 else {
            throw .foreignOwner(path: path, owner: Int(status.st_uid))
        }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16 << 10)
        while true {
            let count = read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw .unreadable(path: path, reason: String(cString: strerror(errno))) }
            guard count > 0 else { return bytes }
            bytes += chunk[..<count]
            guard bytes.count <= sizeLimit else {
                throw .unreadable(path: path, reason: "it is larger than \(sizeLimit) bytes")
            }
        }
    }
}

extension Netrc.Entry: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The machine and the login, without the password.
    public var description: String { "entry of \(login) for \(machine ?? "all other hosts")" }

    /// The same as ``description``.
    public var debugDescription: String { description }

    /// The machine and the login, so that a dump does not show the password.
    public var customMirror: Mirror { Mirror(self, children: ["machine": machine as Any, "login": login]) }
}

extension Netrc: CustomStringConvertible {
    /// The number of entries.
    public var description: String { "netrc with \(entries.count) entries" }
}

/// The reason to reject a netrc file.
public enum NetrcError: Error, Sendable, Hashable {
    /// The file cannot be read.
    case unreadable(path: String, reason: String)
    /// The file's mode permits other users to read or change it.
    case unsafePermissions(path: String, mode: Int)
    /// The file belongs to another user.
    case foreignOwner(path: String, owner: Int)
    /// The text is not a netrc file; lines are counted from 1.
    case malformed(line: Int, reason: String)
}

extension NetrcError: LocalizedError, CustomStringConvertible {
    /// The reason, and a remedy.
    public var description: String {
        switch self {
        case .unreadable(let path, let reason): "the netrc file \(path) cannot be read: \(reason)"
        case .unsafePermissions(let path, let mode):
            "the netrc file \(path) has mode 0\(String(mode, radix: 8)), so that other users may read or change its "
                + "passwords: run `chmod 600 \(path)`"
        case .foreignOwner(let path, let owner):
            "the netrc file \(path) belongs to user \(owner), neither to you nor to root: make your own copy"
        case .malformed(let line, let reason): "the netrc file is malformed in line \(line): \(reason)"
        }
    }

    /// The same as ``description``.
    public var errorDescription: String? { description }
}
