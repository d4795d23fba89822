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
        case open(WebSocket)
        case over((any Error)?)
    }

    private struct Progress {
        var stage = Stage.idle
        /// The number of consecutive failed attempts.
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
        guard case .open(let socket) = progress.withLock({ $0.stage }) else { return nil }
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
        } catch let error as WebSocketError {
            lose(socket, error)
            throw UnsentMessageError(message: message, underlying: error)
        }
    }

    /// Ends the wait before the next attempt, because the network has returned or at the user's request.
    public func retryNow() { progress.withLock { $0.pause }?.cancel() }

    /// Closes the connection and opens no other one.
    public func close(code: WebSocket.CloseCode = .normalClosure, reason: String? = nil) async {
        let stage = progress.withLock { progress in
            defer { progress.stage = .over(nil) }
            return progress.stage
        }
        switch stage {
        case .open(let socket): await socket.close(code: code, reason: reason)
        case .connecting(let task): task.cancel()
        case .idle, .over: break
        }
    }

    /// Closes without waiting, because the reader of messages was cancelled.
    func abandon() {
        let stage = progress.withLock { progress -> Stage in
            if case .over = progress.stage { return .idle }
            defer { progress.stage = .over(CancellationError()) }
            return progress.stage
        }
        switch stage {
        case .open(let socket): socket.connection.leave()
        case .connecting(let task): task.cancel()
        case .idle, .over: break
        }
    }

    /// Keeps `companion` for the lifetime of the socket.
    package func keep(_ companion: any Sendable) { progress.withLock { $0.companions.append(companion) } }

    // MARK: Connecting

    /// Returns the connection, and opens one if there is none.
    func connected() async throws -> WebSocket {
        let task = try progress.withLock { progress -> Task<WebSocket, any Error> in
            switch progress.stage {
            case .open(let socket): return Task { socket }
            case .connecting(let task): return task
            case .over(let error):
                throw error ?? WebSocketError(.closedLocally, message: "the WebSocket was closed at this end")
            case .idle:
                let task = Task { [weak self] in
                    guard let self else { throw CancellationError() }
                    return try await connect()
                }
                progress.stage = .connecting(task)
                return task
            }
        }
        return try await task.value
    }

    /// Tries to connect until there is a connection or the policy gives up.
    private func connect() async throws -> WebSocket {
        while true {
            do {
                try await pause()
                let socket = try await open()
                try await prepare(socket)
                let isWanted = progress.withLock { progress in
                    guard case .connecting = progress.stage else { return false }
                    progress.stage = .open(socket)
                    return true
                }
                if !isWanted { await socket.close() }
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
            }
        }
    }

    /// Waits before an attempt, unless it is the first one. ``retryNow()`` ends the wait.
    private func pause() async throws {
        let failures = progress.withLock { $0.failures }
        guard failures > 0 else { return }
        // Created under the lock, so that `retryNow()` always finds a sleeping task.
        let task = progress.withLock { progress in
            let task = Task { [clock, policy] in try await clock.sleep(for: policy.delay(afterFailures: failures)) }
            progress.pause = task
            return task
        }
        await withTaskCancellationHandler {
            _ = await task.result
        } onCancel: {
            task.cancel()
        }
        progress.withLock { $0.pause = nil }
        try Task.checkCancellation()
    }

    private func finish(_ error: any Error) {
        progress.withLock { progress in
            if case .over = progress.stage { return }
            progress.stage = .over(error)
        }
    }

    // MARK: The end of a connection

    /// Records that `socket` works, which resets the count of failures.
    func noteAlive() { progress.withLock { $0.failures = 0 } }

    /// Releases a connection that has ended.
    ///
    /// - Returns: Whether another connection will be opened.
    @discardableResult
    func lose(_ socket: WebSocket, _ error: WebSocketError?) -> Bool {
        let isFinal = policy.isFinal(socket.closeCode, error)
        return progress.withLock { progress in
            switch progress.stage {
            case .open(let open) where open === socket:
                progress.stage = isFinal ? .over(error) : .idle
                progress.failures += 1
                return !isFinal
            case .over: return false
            default: return true
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
