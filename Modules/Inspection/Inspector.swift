public import AirframeCore
public import AirframeHAR
internal import AirframeLogging
internal import Foundation
internal import Glibc

/// Lets `airframe inspect` watch the requests of a session over a Unix domain socket while the program runs.
///
/// ```swift
/// let session = Session(inspectable: .automatic)  // the umbrella's initializer adds an Inspector
/// ```
///
/// The socket has the mode 0600, and connections of other users are rejected. Secrets are redacted before anything is
/// written. The last exchanges are kept for viewers that connect later. No request waits for a viewer.
public final class Inspector: EventMonitor {
    /// The socket of the inspector.
    public let socket: InspectionSocket

    private let server: InspectionServer
    private let entries: EntryMonitor

    /// Opens the socket.
    ///
    /// - Parameters:
    ///   - socket: The socket's path. The directory of ``InspectionSocket/automatic`` is created if it is missing.
    ///   - options: The limits of bodies, and the secrets to redact.
    ///   - history: The number of completed exchanges to keep for viewers that connect later.
    /// - Throws: ``InspectionError`` if the socket cannot be opened.
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

    /// Creates the directory of automatic sockets for this user only, or checks its owner and mode.
    private static func makeDirectory() throws(InspectionError) {
        let path = InspectionSocket.directory
        if mkdir(path, 0o700) == 0 { return }
        let code = errno
        guard code == EEXIST else { throw InspectionError("making", path, code: code) }
        try InspectionSocket.checkDirectory(path)
    }

    /// Returns once all earlier messages have been sent to the viewers that accept them.
    public func flush() async { await server.flush() }

    /// `true`: messages are created where events happen, and sent elsewhere.
    public var isCalledSynchronously: Bool { true }
    /// No events: each request has its own monitor.
    public var monitoredEvents: MonitoredEvents { [] }

    /// Returns a monitor for the request.
    public func monitoring(_ request: Request) -> RequestMonitoring { entries.monitoring(request) }
}
