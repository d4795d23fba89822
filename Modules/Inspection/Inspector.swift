public import AirframeCore
public import AirframeHAR
internal import AirframeLogging
internal import Foundation
internal import Glibc

/// Lets `airframe inspect` watch the requests of a session while the program runs, over a unix socket.
///
/// ```swift
/// let session = Session(inspectable: .automatic)  // the umbrella's initializer adds an Inspector
/// ```
///
/// The socket has the mode 0600, and connections of other users are refused. Secrets are hidden before anything is
/// written. The last exchanges are kept for viewers that connect later. No request waits for a viewer.
public final class Inspector: EventMonitor {
    /// Where the program can be inspected.
    public let socket: InspectionSocket

    private let server: InspectionServer
    private let entries: EntryMonitor

    /// Opens the socket.
    ///
    /// - Parameters:
    ///   - socket: The socket's path. The directory of ``InspectionSocket/automatic`` is made if it is missing.
    ///   - options: How much of bodies to keep, and what is a secret.
    ///   - history: The number of finished exchanges that are kept for viewers that connect later.
    /// - Throws: ``InspectionError`` when the socket cannot be opened.
    public init(
        _ socket: InspectionSocket = .automatic,
        options: HAR.RecordingOptions = HAR.RecordingOptions(requestBodyLimit: 64 << 10, responseBodyLimit: 64 << 10),
        history: Int = 200
    ) throws(InspectionError) {
        if socket.path.hasPrefix(InspectionSocket.directory + "/") { try Self.makeDirectory() }
        let server = try InspectionServer(path: socket.path, history: history)
        self.socket = socket
        self.server = server
        entries = EntryMonitor(
            options: options,
            onStart: { start in
                server.send(
                    .started(.init(id: start.id, method: start.method, url: start.url, date: start.date)))
            },
            onEntry: { server.send(.finished(id: $0, entry: $1)) }
        )
    }

    /// Makes the directory of automatic sockets for this user only, or checks that it is.
    private static func makeDirectory() throws(InspectionError) {
        let path = InspectionSocket.directory
        if mkdir(path, 0o700) == 0 { return }
        let code = errno
        var status = stat()
        guard code == EEXIST, lstat(path, &status) == 0 else { throw InspectionError("making", path, code: code) }
        guard status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
            throw InspectionError("\(path) must be a directory of this user with the mode 0700")
        }
    }

    /// Returns once all messages up to now have been sent, as far as the viewers take them.
    public func flush() async { await server.flush() }

    /// `true`: messages are made where things happen, and sent elsewhere.
    public var isToldInPlace: Bool { true }
    /// Nothing: each request has a monitor of its own.
    public var monitoredEvents: MonitoredEvents { [] }

    /// A monitor for the request.
    public func monitoring(_ request: Request) -> RequestMonitoring { entries.monitoring(request) }
}
