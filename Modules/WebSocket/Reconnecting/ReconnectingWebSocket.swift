public import AirframeCore
internal import AirframeTransport
internal import Foundation
internal import Synchronization

/// A WebSocket that reconnects when its connection is lost.
///
/// ```swift
/// let socket = session.reconnectingWebSocket("wss://api.test/prices") { connection in
///     try await connection.send("subscribe")
/// }
/// for try await message in socket.messages { print(message) }
/// ```
///
/// The first connection is opened when messages are read or sent. A message in flight when the connection is lost is
/// lost with it: the protocol has no acknowledgements. ``send(_:)`` throws ``UnsentMessageError`` for messages that
/// are known not to have been sent.
public final class ReconnectingWebSocket: Sendable {
    /// Prepares a connection before messages are read and sent, for example by subscribing or logging in. An error
    /// counts as a failed attempt.
    public typealias Preparation = @Sendable (WebSocket) async throws -> Void

    private enum Stage {
        case idle
        case connecting(Task<WebSocket, any Error>)
        case open(WebSocket, since: MonotonicInstant)
        /// Ended by the server or by the policy; `nil` for code 1000.
        case over((any Error)?)
        /// Ended at this end.
        case closed(any Error)

        /// The error for later senders; `nil` before the end.
        var endError: (any Error)? {
            switch self {
            case .idle, .connecting, .open: nil
            case .over(let error): error ?? ReconnectingWebSocket.closedHere
            case .closed(let error): error
            }
        }
    }

    private struct Progress {
        var stage = Stage.idle
        /// The number of failed attempts and lost connections since a connection worked.
        var failures = 0
        var pause: Task<Void, any Error>?
        /// Objects with the lifetime of the socket, such as a monitor of the network.
        var companions: [any Sendable] = []
    }

    private let open: @Sendable () async throws -> WebSocket
    private let prepare: Preparation
    private let clock: any TransportClock
    /// The rules for reconnecting.
    public let policy: Policy
    // Guards the connection and the attempts to open one.
    private let progress = Mutex(Progress())

    init(
        policy: Policy,
        clock: any TransportClock,
        open: @escaping @Sendable () async throws -> WebSocket,
        prepare: @escaping Preparation
    ) {
        self.policy = policy
        self.clock = clock
        self.open = open
        self.prepare = prepare
    }

    deinit {
        let progress = progress.withLock { $0 }
        progress.pause?.cancel()
        if case .connecting(let task) = progress.stage { task.cancel() }
    }

    /// The current connection; `nil` while there is none.
    public var current: WebSocket? {
        guard case .open(let socket, _) = progress.withLock({ $0.stage }) else { return nil }
        return socket
    }

    /// Sends a message, on the next connection if there is none.
    ///
    /// - Throws: ``UnsentMessageError`` if the connection was lost before it accepted the message, or the error that
    ///   ended the attempts to connect.
    public func send(_ message: WebSocket.Message) async throws {
        let socket = try await connected()
        do {
            try await socket.send(message)
            noteSent(on: socket)
        } catch let error as WebSocketError {
            lose(socket, error)
            throw UnsentMessageError(message: message, underlying: error)
        }
    }

    /// Ends the wait before the next attempt, because the network has returned or at the user's request.
    public func retryNow() { progress.withLock { $0.pause }?.cancel() }

    /// Closes the connection and opens no other one.
    ///
    /// - Parameters:
    ///   - code: The code of the Close frame (RFC 6455 §7.4). A code that must not be sent is replaced by
    ///     ``WebSocket/CloseCode/normalClosure``.
    ///   - reason: The reason. Its UTF-8 is truncated to 123 bytes, at a character boundary.
    public func close(code: WebSocket.CloseCode = .normalClosure, reason: String? = nil) async {
        let stage = progress.withLock { progress in
            defer { progress.stage = .closed(Self.closedHere) }
            return progress.stage
        }
        switch stage {
        case .open(let socket, _): await socket.close(code: code, reason: reason)
        case .connecting(let task): task.cancel()
        case .idle, .over, .closed: break
        }
    }

    /// Whether the socket was closed at this end, so that no message is delivered any more.
    var isClosedHere: Bool {
        if case .closed = progress.withLock({ $0.stage }) { true } else { false }
    }

    /// Closes without waiting, because the reader of messages was cancelled.
    func abandon() {
        let stage = progress.withLock { progress -> Stage in
            guard progress.stage.endError == nil else { return .idle }
            defer { progress.stage = .closed(CancellationError()) }
            return progress.stage
        }
        switch stage {
        case .open(let socket, _): socket.connection.leave()
        case .connecting(let task): task.cancel()
        case .idle, .over, .closed: break
        }
    }

    /// Keeps `companion` for the lifetime of the socket.
    package func keep(_ companion: any Sendable) { progress.withLock { $0.companions.append(companion) } }

    // MARK: Connecting

    /// Returns the connection, and opens one if there is none.
    ///
    /// - Throws: The error that ended the attempts to connect, or `CancellationError`.
    func connected() async throws -> WebSocket {
        if let current { return current }
        let connecting = try progress.withLock { progress -> Task<WebSocket, any Error> in
            switch progress.stage {
            case .open(let socket, _): return Task { socket }
            case .connecting(let task): return task
            case .over(let error): throw error ?? Self.closedHere
            case .closed(let error): throw error
            case .idle:
                let task = connect()
                progress.stage = .connecting(task)
                return task
            }
        }
        do {
            // Cancelling a caller does not cancel the attempts, for which other callers may wait.
            return try await FirstAnswer<WebSocket>.wait { answer in
                _ = Task { answer.give(await connecting.result) }
            }
        } catch {
            try Task.checkCancellation()
            if let reason = progress.withLock({ $0.stage.endError }) { throw reason }
            throw error
        }
    }

    private static var closedHere: WebSocketError {
        WebSocketError(.closedLocally, message: "the WebSocket was closed at this end")
    }

    /// Tries to connect until there is a connection or the policy gives up.
    ///
    /// The task holds the socket during an attempt only, so that releasing the socket ends the attempts.
    private func connect() -> Task<WebSocket, any Error> {
        Task { [weak self] in
            while true {
                let pause = self?.beginPause()
                if let pause {
                    await withTaskCancellationHandler {
                        _ = await pause.result
                    } onCancel: {
                        pause.cancel()
                    }
                    try Task.checkCancellation()
                }
                guard let self else { throw CancellationError() }
                if let socket = try await attempt() { return socket }
            }
        }
    }

    /// Begins the wait before an attempt, unless it is the first one. ``retryNow()`` ends the wait.
    private func beginPause() -> Task<Void, any Error>? {
        // Created under the lock, so that `retryNow()` always finds a sleeping task.
        progress.withLock { progress -> Task<Void, any Error>? in
            let failures = progress.failures
            guard failures > 0 else { return nil }
            let pause = Task { [clock, policy] in try await clock.sleep(for: policy.delay(afterFailures: failures)) }
            progress.pause = pause
            return pause
        }
    }

    /// Tries to connect once.
    ///
    /// - Returns: The connection; `nil` if another attempt may follow.
    /// - Throws: The error that ended the attempts.
    private func attempt() async throws -> WebSocket? {
        progress.withLock { $0.pause = nil }
        do {
            let socket = try await open()
            try await prepare(socket)
            let now = clock.now
            let isWanted = progress.withLock { progress in
                guard case .connecting = progress.stage else { return false }
                progress.stage = .open(socket, since: now)
                return true
            }
            guard isWanted else {
                await socket.close()
                throw CancellationError()
            }
            return socket
        } catch {
            let failures = progress.withLock { progress in
                progress.failures += 1
                return progress.failures
            }
            guard !Task.isCancelled, policy.mayRetry(after: error, failures: failures) else {
                finish(error)
                throw error
            }
            return nil
        }
    }

    private func finish(_ error: any Error) {
        progress.withLock { progress in
            guard progress.stage.endError == nil else { return }
            progress.stage = .over(error)
        }
    }

    // MARK: The end of a connection

    /// Records that a message was received, which resets the count of failures unless the connection was lost since.
    func noteReceived(on socket: WebSocket) {
        progress.withLock { progress in
            guard case .open(let open, _) = progress.stage, open === socket else { return }
            progress.failures = 0
        }
    }

    /// Records that a message was sent. The system accepts messages for a server that drops every connection
    /// immediately, so only a message on a connection that has lasted resets the count of failures.
    private func noteSent(on socket: WebSocket) {
        let now = clock.now
        progress.withLock { progress in
            guard case .open(let open, let since) = progress.stage, open === socket,
                since.duration(to: now) >= policy.initialDelay
            else { return }
            progress.failures = 0
        }
    }

    /// Releases a connection that has ended. ``connected()`` then opens another one, or throws why there is none.
    func lose(_ socket: WebSocket, _ error: WebSocketError?) {
        let closeCode = socket.closeCode
        let isFinal = policy.isFinal(closeCode, error)
        // An orderly end is none for the reader, whichever error a sender got.
        let reason = socket.connection.hasEndedOrderly ? nil : error
        let last =
            reason
            ?? WebSocketError(
                .reconnectionFailed,
                closeCode: closeCode,
                message: "the attempts to reconnect are exhausted: the server closed the last connection, too",
                origin: socket.connection.agreement.origin
            )
        progress.withLock { progress in
            guard case .open(let open, _) = progress.stage, open === socket else { return }
            progress.failures += 1
            if isFinal {
                progress.stage = .over(reason)
            } else if policy.isExhausted(afterFailures: progress.failures) {
                progress.stage = .over(last)
            } else {
                progress.stage = .idle
            }
        }
    }
}

/// An error for a message that was not sent.
public struct UnsentMessageError: Error, Sendable {
    /// The message.
    public let message: WebSocket.Message
    /// The reason for which it was not sent.
    public let underlying: WebSocketError
}
