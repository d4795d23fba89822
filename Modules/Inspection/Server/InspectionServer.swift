internal import Dispatch
internal import Foundation
internal import Glibc

/// Accepts viewers on a Unix domain socket, and sends each the history, the exchanges in flight and all later messages.
///
/// No request waits for a viewer: messages are sent on a queue, without blocking. A viewer with more than
/// ``backlogLimit`` unread bytes is disconnected. The history does not count until it has been read.
final class InspectionServer: Sendable {
    /// The maximum number of bytes that wait for a viewer, beyond the history.
    private static let backlogLimit = 16 << 20

    private let queue = DispatchQueue(label: "airframe.inspection")
    private let state: ServerState

    /// Listens at `path`.
    ///
    /// - Parameters:
    ///   - path: The path of the socket.
    ///   - history: The number of completed exchanges to keep.
    ///   - accept: Accepts a connection on the socket.
    init(
        path: String,
        history: Int,
        accept: @escaping @Sendable (Int32) -> UnixSocket.Accepted = { UnixSocket.accept(on: $0) }
    ) throws(InspectionError) {
        let descriptor = try UnixSocket.listen(at: path)
        let hello = InspectionMessage.hello(
            InspectionMessage.Program(name: ProcessInfo.processInfo.processName, process: getpid()))
        state = ServerState(hello: (try? hello.line()) ?? Data(), historyLimit: history, accept: accept)
        queue.async { [state, queue] in
            state.listen(on: descriptor, path, queue, backlogLimit: Self.backlogLimit)
        }
    }

    deinit { queue.async { [state] in state.stop() } }

    /// Sends a message to all current and future viewers.
    func send(_ message: InspectionMessage) {
        queue.async { [state] in state.send(message) }
    }

    /// Returns once all messages have been sent to the viewers that accept them.
    func flush() async {
        await withUnsafeContinuation { continuation in queue.async { continuation.resume() } }
    }
}

/// The state of the server.
///
/// `@unchecked Sendable`: confined to the server's queue.
private final class ServerState: @unchecked Sendable {
    /// The pause before the next attempt to accept a connection if there is no descriptor left for it. The listener
    /// stays readable, so that its source would fire without end.
    private static let pause: DispatchTimeInterval = .milliseconds(200)

    private var queue: DispatchQueue?
    private var listener: (any DispatchSourceRead)?
    private var isPaused = false
    private let hello: Data
    private let current: Data
    private let historyLimit: Int
    private var history: [Data] = []
    /// The starts of the exchanges that have not ended.
    private var active: [UInt64: Data] = [:]
    private var descriptor: Int32 = -1
    private let accept: @Sendable (Int32) -> UnixSocket.Accepted
    private var accepted: ((Int32) -> Viewer)?
    private var viewers: [Viewer] = []

    init(hello: Data, historyLimit: Int, accept: @escaping @Sendable (Int32) -> UnixSocket.Accepted) {
        self.hello = hello
        self.accept = accept
        current = (try? InspectionMessage.current.line()) ?? Data()
        // The history may have twice as many entries.
        self.historyLimit = min(max(0, historyLimit), .max / 2)
    }

    /// Accepts viewers. The socket's file is removed when the server stops.
    func listen(on descriptor: Int32, _ path: String, _ queue: DispatchQueue, backlogLimit: Int) {
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
        accepted = { Viewer($0, limit: backlogLimit, queue: queue) }
        self.descriptor = descriptor
        self.queue = queue
        source.setEventHandler { [unowned self] in acceptViewers() }
        source.setCancelHandler {
            // In this order: once the descriptor is closed, another server may replace the file by its own.
            unlink(path)
            close(descriptor)
        }
        source.resume()
        listener = source
    }

    /// Accepts all viewers that have connected. The listener does not block.
    private func acceptViewers() {
        while descriptor >= 0, let accepted {
            switch accept(descriptor) {
            case .connection(let connection):
                guard UnixSocket.isOwnUser(connection), fcntl(connection, F_SETFD, FD_CLOEXEC) == 0 else {
                    close(connection)
                    continue
                }
                add(accepted(connection))
            case .none: return
            case .exhausted: return pauseListener()
            }
        }
    }

    private func pauseListener() {
        guard let listener, let queue, !isPaused else { return }
        isPaused = true
        listener.suspend()
        queue.asyncAfter(deadline: .now() + Self.pause) { [weak self] in self?.resumeListener() }
    }

    private func resumeListener() {
        guard isPaused else { return }
        isPaused = false
        listener?.resume()
    }

    private func add(_ viewer: Viewer) {
        for viewer in viewers { viewer.closeIfHungUp() }
        viewers.removeAll(where: \.isClosed)
        viewers.append(viewer)
        let started = active.sorted { $0.key < $1.key }.map(\.value)
        viewer.greet([hello] + history + started + [current])
    }

    func send(_ message: InspectionMessage) {
        // A viewer whose connection the kernel has accepted receives the message, even if the source has not fired yet.
        acceptViewers()
        guard let line = try? message.line() else { return }
        if case .started(let start) = message { active[start.id] = line }
        if case .finished(let id, _) = message {
            active[id] = nil
            history.append(line)
            // The history grows to twice its limit before it is cut, which keeps the cost of each message low.
            if history.count > 2 * historyLimit { history.removeFirst(history.count - historyLimit) }
        }
        viewers.removeAll(where: \.isClosed)
        for viewer in viewers { viewer.send(line) }
    }

    func stop() {
        // A suspended source never calls its cancel handler.
        resumeListener()
        listener?.cancel()
        listener = nil
        descriptor = -1
        for viewer in viewers { viewer.close() }
        viewers = []
    }
}
