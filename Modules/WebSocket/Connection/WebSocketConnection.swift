internal import AirframeCore
internal import AirframeTransport
internal import AirframeWebSocketProtocol
internal import Foundation
internal import Synchronization

/// A WebSocket connection: the protocol's state machine over an engine's stream.
///
/// The connection has no reading task of its own. The task that needs input takes the right to read, reads once, and
/// gives the right back: usually the reader of messages, otherwise a ping or the closing handshake. A message thus
/// reaches its reader without a thread switch, and backpressure reaches the server.
final class WebSocketConnection: Sendable {
    let stream: any DuplexStream
    let agreement: WebSocketAgreement
    let configuration: WebSocket.Configuration
    let clock: any TransportClock
    /// The observer, if one needs descriptions of traffic. Otherwise no content is retained for it.
    let observer: (any WebSocketObserver)?

    // Guards the mutable state. Nothing is called while the lock is held.
    let state = Mutex(ConnectionState())
    // Guards the decoder, which only the task with the right to read uses.
    let decoder: Mutex<MessageDecoder>
    // Guards the encoder, which each frame changes.
    let encoder: Mutex<FrameEncoder>
    let deflater: MessageDeflater?

    /// The configured size, but at least 1: an empty inbox that counts as full is never filled.
    var maximumBufferedSize: Int { max(1, configuration.maximumBufferedSize) }

    /// The right to take messages from the inbox, so that one reader at a time receives a message whole.
    let receiving = Turn()
    /// The right to send a message's frames, which must not interleave with another message's (RFC 6455 §5.4).
    let sending = Turn()
    /// The right to write to the stream.
    let writing = Turn()

    init(
        _ stream: any DuplexStream,
        _ agreement: WebSocketAgreement,
        _ configuration: WebSocket.Configuration,
        clock: any TransportClock,
        observer: (any WebSocketObserver)?
    ) {
        self.stream = stream
        self.agreement = agreement
        self.configuration = configuration
        self.clock = clock
        self.observer = observer
        let inflater = agreement.deflate.map {
            MessageInflater(windowBits: $0.serverWindowBits, keepsContext: !$0.serverForgetsContext)
        }
        decoder = Mutex(
            MessageDecoder(role: .client, maximumFrameSize: configuration.maximumFrameSize, decompressor: inflater))
        encoder = Mutex(FrameEncoder(role: .client))
        deflater = agreement.deflate.map {
            MessageDeflater(
                windowBits: $0.clientWindowBits,
                keepsContext: !$0.clientForgetsContext,
                level: configuration.compression?.level ?? WebSocket.Compression.standard.level
            )
        }
        keepAlive()
    }

    deinit {
        state.withLock { $0.keepAlive }?.cancel()
        stream.close()
    }

    // MARK: End

    var closeCode: WebSocket.CloseCode? {
        switch state.withLock({ $0.end }) {
        case nil: nil
        case .closed(let status): status.code.map { .init($0) } ?? .noStatusReceived
        case .failed(let error): error.closeCode ?? .abnormalClosure
        }
    }

    var closeReason: String? {
        guard case .closed(let status) = state.withLock({ $0.end }), !status.reason.isEmpty else { return nil }
        return String(decoding: status.reason, as: UTF8.self)
    }

    /// The error for operations after the end of the connection; `nil` after an orderly end. What the server does after
    /// this end has begun to close the connection is no error.
    func error(of end: ConnectionState.End) -> WebSocketError? {
        guard !state.withLock({ $0.isClosedHere }) else { return nil }
        switch end {
        case .failed(let error): return error
        case .closed(let status):
            guard let code = status.code, code != 1000, code != 1001 else { return nil }
            let reason = status.reason.isEmpty ? "" : ": \(String(decoding: status.reason, as: UTF8.self))"
            return WebSocketError(
                .closed,
                closeCode: .init(code),
                message: "the server closed the connection with code \(code)\(reason)",
                origin: agreement.origin
            )
        }
    }

    /// Whether the connection has ended without an error.
    var hasEndedOrderly: Bool {
        guard let end = state.withLock({ $0.end }) else { return false }
        return error(of: end) == nil
    }

    /// Ends the connection, unless it has ended.
    ///
    /// - Returns: Whether this call ended it.
    @discardableResult
    func end(_ end: ConnectionState.End) -> Bool {
        let (isFirst, waiters) = state.withLock { state -> (Bool, [CheckedContinuation<Void, Never>]) in
            guard state.end == nil else { return (false, []) }
            state.phase = .ended(end)
            return (true, state.wake())
        }
        for waiter in waiters { waiter.resume() }
        return isFirst
    }

    /// Closes the stream immediately.
    func abort(_ error: WebSocketError) {
        end(.failed(error))
        closeStream()
    }

    func closeStream() {
        stream.close()
        let (waiters, closed, keepAlive) = state.withLock { state in
            state.isStreamClosed = true
            defer { (state.closeWaiters, state.onClose) = ([:], nil) }
            return (state.wake() + state.closeWaiters.values, state.onClose, state.keepAlive)
        }
        keepAlive?.cancel()
        for waiter in waiters { waiter.resume() }
        closed?()
    }

    /// Calls `action` when the stream is closed. One action can wait.
    func whenClosed(_ action: @escaping @Sendable () -> Void) {
        let isClosed = state.withLock { state in
            if !state.isStreamClosed { state.onClose = action }
            return state.isStreamClosed
        }
        if isClosed { action() }
    }

    /// Waits until the stream is closed.
    func untilClosed() async throws {
        let id = nextWaiter()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let mustWait = state.withLock { state in
                    guard !state.isStreamClosed, !Task.isCancelled else { return false }
                    state.closeWaiters[id] = continuation
                    return true
                }
                if !mustWait { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.closeWaiters.removeValue(forKey: id) }?.resume()
        }
        if !state.withLock({ $0.isStreamClosed }) { try Task.checkCancellation() }
    }

    // MARK: Waiting

    /// Waits until the state changes, unless it has changed since `version`.
    ///
    /// Not inlined: four allocations of the task's memory that every message would make, 480 instructions.
    @inline(never)
    func park(unlessChanged version: Int) async throws {
        let id = nextWaiter()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let mustWait = state.withLock { state in
                    guard state.version == version, !Task.isCancelled else { return false }
                    state.waiters[id] = continuation
                    return true
                }
                if !mustWait { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: id) }?.resume()
        }
        try Task.checkCancellation()
    }

    private func nextWaiter() -> Int {
        state.withLock { state in
            state.nextWaiter &+= 1
            return state.nextWaiter
        }
    }
}

/// Observes the traffic of a connection.
protocol WebSocketObserver: Sendable {
    func didTransfer(_ traffic: WebSocketTraffic)
}

extension WebSocketConnection {
    /// Reports a message or control frame.
    func note(
        _ direction: WebSocketTraffic.Direction, _ kind: WebSocketTraffic.Kind, _ content: Data?, length: Int? = nil
    ) {
        guard let observer else { return }
        let count = length ?? content?.count ?? 0
        observer.didTransfer(WebSocketTraffic(direction, kind, length: count, content: content, instant: clock.now))
    }
}
