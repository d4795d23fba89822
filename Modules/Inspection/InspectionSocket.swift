public import Foundation
internal import Glibc

/// The path of the Unix domain socket on which a program can be inspected. Only the program's user may open it.
public struct InspectionSocket: Sendable, Hashable {
    /// The path.
    public let path: String

    /// Creates a socket with a path of at most 107 bytes.
    public static func path(_ path: String) -> InspectionSocket { InspectionSocket(path: path) }

    /// The socket that `airframe inspect` finds by the number of this process: `PID.sock` in ``directory``.
    public static var automatic: InspectionSocket { .process(getpid()) }

    /// Returns the socket of a process that uses ``automatic``.
    public static func process(_ process: Int32) -> InspectionSocket {
        InspectionSocket(path: "\(directory)/\(process).sock")
    }

    /// The directory of ``automatic`` sockets: `airframe` in `XDG_RUNTIME_DIR`, or else `/tmp/airframe-UID`.
    public static var directory: String {
        if let runtime = ProcessInfo.processInfo.environment["XDG_RUNTIME_DIR"], runtime.hasPrefix("/") {
            return "\(runtime)/airframe"
        }
        return "/tmp/airframe-\(geteuid())"
    }

    /// The sockets in ``directory``, newest first. Sockets of killed programs may be among them. There are none in a
    /// directory that another user can write to.
    public static var all: [InspectionSocket] { sockets(in: directory) }

    static func sockets(in directory: String) -> [InspectionSocket] {
        guard (try? checkDirectory(directory)) != nil else { return [] }
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        let sockets = names.filter { $0.hasSuffix(".sock") }.map { "\(directory)/\($0)" }
        return sockets.map { ($0, Self.modificationDate($0)) }.sorted { $0.1 > $1.1 }.map { .path($0.0) }
    }

    /// Checks that only this user can put sockets into a directory. Without `XDG_RUNTIME_DIR` another user may have
    /// created it first.
    ///
    /// - Throws: ``InspectionError`` if the path is not a directory of this user with the mode 0700.
    static func checkDirectory(_ path: String) throws(InspectionError) {
        var status = stat()
        guard lstat(path, &status) == 0 else { throw InspectionError("reading", path, code: errno) }
        guard status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
            throw InspectionError("\(path) must be a directory of this user with the mode 0700")
        }
    }

    private static func modificationDate(_ path: String) -> Date {
        let attributes = try? FileManager.default.attributesOfItem(atPath: path)
        return attributes?[.modificationDate] as? Date ?? .distantPast
    }
}

/// An error of inspecting a program.
public struct InspectionError: Error, Sendable, Hashable, CustomStringConvertible, LocalizedError {
    /// A sentence with the path.
    public let description: String

    init(_ description: String) { self.description = description }

    init(_ action: String, _ path: String, code: Int32) {
        description = "\(action) \(path) failed: \(String(cString: strerror(code)))"
    }

    /// The same as ``description``.
    public var errorDescription: String? { description }
}
