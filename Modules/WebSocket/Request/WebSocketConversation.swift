internal import AirframeCore
internal import AirframeTransport
internal import AirframeWebSocketProtocol
internal import Foundation
internal import HTTPTypes
internal import Synchronization

/// The protocol side of a ``WebSocketRequest``: its handshakes, and the connection that results.
final class WebSocketConversation: WebSocketDialogue {
    /// The consumer of messages.
    enum Delivery: Sendable {
        /// The request's handlers, as messages arrive.
        case handlers
        /// The owner of a ``WebSocket``, who reads messages.
        case reader
    }

    /// The events for handlers.
    enum Happening: Sendable {
        case connected(protocol: String?)
        case message(WebSocket.Message)
        case disconnected(WebSocket.CloseCode, Data?)
    }

    typealias Handler = @Sendable (Happening) async -> Void

    private enum Opening {
        case awaited([CheckedContinuation<WebSocketConnection, any Error>])
        case open(WebSocketConnection)
        case failed(AFError)
    }

    private struct Progress {
        var handshake: WebSocketHandshake?
        var opening = Opening.awaited([])
        var handlers: [Handler] = []
        /// The last send, for which the next one waits.
        var lastSend: Task<Void, Never>?
        var service = Service.none
    }

    /// The progress of the open connection.
    private enum Service {
        case none
        /// The connection is open. The task delivers messages to handlers.
        case running(resume: @Sendable () -> Void, delivery: ThrowingTask?)
        case ended((any Error)?)
    }

    let configuration: WebSocket.Configuration
    private let delivery: Delivery
    // Guards the progress of the request and its waiters.
    private let progress = Mutex(Progress())

    init(_ configuration: WebSocket.Configuration, _ delivery: Delivery) {
        self.configuration = configuration
        self.delivery = delivery
    }

    // MARK: The pipeline

    var hasConnected: Bool { connectionIfOpen != nil }

    func prepare(_ request: inout TransportRequest, for owner: WebSocketRequest) throws {
        var handshake = try WebSocketHandshake(configuration)
        try handshake.apply(to: &request)
        progress.withLock { $0.handshake = handshake }
    }

    func open(
        _ response: TransportResponse,
        for owner: WebSocketRequest,
        _ task: URLSessionWebSocketTask
    ) throws(AFError) {
        let connection: WebSocketConnection
        do {
            connection = try makeConnection(response, for: owner, task)
        } catch {
            throw .sessionTaskFailed(error: error)
        }
        // Monitors observe the opening before anything can be sent.
        owner.notify {
            $0.urlSession(
                owner.context.urlSession, webSocketTask: task, didOpenWithProtocol: connection.agreement.protocol)
        }
        noteOpen(connection)
    }

    func serve(_ owner: WebSocketRequest, whenEnded resume: @escaping @Sendable () -> Void) {
        guard let connection = connectionIfOpen else { return resume() }
        progress.withLock { $0.service = .running(resume: resume, delivery: nil) }
        switch delivery {
        case .reader: connection.whenClosed { [self] in endService(nil) }
        case .handlers:
            let executor = withUnsafeCurrentTask { $0?.unownedTaskExecutor?.asTaskExecutor() }
            let task = ThrowingTask.started(on: executor) {
                do {
                    try await self.deliver(connection, for: owner)
                    self.endService(nil)
                } catch {
                    self.endService(error)
                }
            }
            progress.withLock { progress in
                guard case .running(let resume, _) = progress.service else { return }
                progress.service = .running(resume: resume, delivery: task)
            }
        }
    }

    func interrupt() {
        guard case .running(_, let task) = progress.withLock({ $0.service }) else { return }
        switch delivery {
        case .reader: endService(CancellationError())
        case .handlers: task?.cancel()
        }
    }

    private func endService(_ error: (any Error)?) {
        let resume = progress.withLock { progress -> (@Sendable () -> Void)? in
            guard case .running(let resume, _) = progress.service else { return nil }
            progress.service = .ended(error)
            return resume
        }
        resume?()
    }

    func finishConnection(of owner: WebSocketRequest, _ task: URLSessionWebSocketTask) async throws(AFError) {
        guard let connection = connectionIfOpen else { return }
        if case .ended(let error?) = progress.withLock({ $0.service }) {
            guard let failure = error as? WebSocketError else {
                connection.leave()
                throw error as? AFError ?? .explicitlyCancelled
            }
            // A close is not a failure of the request, regardless of its code.
            if failure.code != .closed {
                noteEnd(of: connection, task, owner)
                throw .sessionTaskFailed(error: failure)
            }
        }
        noteEnd(of: connection, task, owner)
        if let error = connection.failure { throw .sessionTaskFailed(error: error) }
        if delivery == .handlers, let code = connection.closeCode {
            await report(.disconnected(code, task.closeReason))
        }
    }

    func finish(with error: AFError?) {
        let waiters = progress.withLock { progress -> [CheckedContinuation<WebSocketConnection, any Error>] in
            guard case .awaited(let waiters) = progress.opening else { return [] }
            progress.opening = .failed(error ?? .explicitlyCancelled)
            return waiters
        }
        for waiter in waiters { waiter.resume(throwing: error ?? .explicitlyCancelled) }
    }

    private func makeConnection(
        _ response: TransportResponse,
        for owner: WebSocketRequest,
        _ task: URLSessionWebSocketTask
    ) throws(WebSocketError) -> WebSocketConnection {
        guard let handshake = progress.withLock({ $0.handshake.take() }) else {
            throw WebSocketError(.handshakeFailed, message: "the request ended before its handshake")
        }
        let agreement = try handshake.agreement(with: response, head: task.response)
        guard let stream = response.stream else {
            throw WebSocketError(
                .handshakeFailed, message: "the engine returned no stream after the handshake", origin: agreement.origin
            )
        }
        var isObserved = false
        owner.notify { isObserved = $0.wantsMessages }
        return WebSocketConnection(
            stream,
            agreement,
            configuration,
            clock: owner.transportClock,
            observer: isObserved ? RequestObserver(owner) : nil
        )
    }

    /// Lets callers send.
    private func noteOpen(_ connection: WebSocketConnection) {
        let waiters = progress.withLock { progress -> [CheckedContinuation<WebSocketConnection, any Error>] in
            guard case .awaited(let waiters) = progress.opening else { return [] }
            progress.opening = .open(connection)
            return waiters
        }
        for waiter in waiters { waiter.resume(returning: connection) }
    }

    private func noteEnd(
        of connection: WebSocketConnection,
        _ task: URLSessionWebSocketTask,
        _ owner: WebSocketRequest
    ) {
        guard let code = connection.closeCode else { return }
        let reason = connection.closeReason.map { Data($0.utf8) }
        task.noteClosed(with: code, reason: reason)
        guard connection.failure == nil else { return }
        owner.notify {
            $0.urlSession(owner.context.urlSession, webSocketTask: task, didCloseWith: code, reason: reason)
        }
    }

    // MARK: Handlers

    func add(_ handler: @escaping Handler) { progress.withLock { $0.handlers.append(handler) } }

    private func report(_ happening: Happening) async {
        for handler in progress.withLock({ $0.handlers }) { await handler(happening) }
    }

    /// Reads messages and delivers each. The next message is read when all handlers have returned.
    private func deliver(_ connection: WebSocketConnection, for owner: WebSocketRequest) async throws {
        await report(.connected(protocol: connection.agreement.protocol))
        while true {
            try await owner.untilResumed()
            guard let message = try await connection.nextMessage() else { break }
            await report(.message(message))
        }
        // An orderly end. The metrics cover the time until the stream is closed.
        try await connection.untilClosed()
    }

    // MARK: Callers

    var connectionIfOpen: WebSocketConnection? {
        guard case .open(let connection) = progress.withLock({ $0.opening }) else { return nil }
        return connection
    }

    /// Waits for the connection.
    ///
    /// - Throws: The ``AFError`` of the request.
    func opened() async throws -> WebSocketConnection {
        try await withCheckedThrowingContinuation { continuation in
            let result = progress.withLock { progress -> Result<WebSocketConnection, any Error>? in
                switch progress.opening {
                case .awaited(let waiters):
                    progress.opening = .awaited(waiters + [continuation])
                    return nil
                case .open(let connection): return .success(connection)
                case .failed(let error): return .failure(error)
                }
            }
            if let result { continuation.resume(with: result) }
        }
    }

    /// Sends messages in order, starting when the connection is open.
    func enqueue(_ message: WebSocket.Message, _ complete: @escaping @Sendable (Result<Void, any Error>) -> Void) {
        progress.withLock { progress in
            let last = progress.lastSend
            progress.lastSend = Task {
                await last?.value
                do {
                    let connection = try await opened()
                    switch message {
                    case .data(let data): try await connection.send(data, nil)
                    case .string(let text): try await connection.send(text, nil)
                    }
                    complete(.success(()))
                } catch {
                    complete(.failure(error))
                }
            }
        }
    }
}

extension WebSocketConnection {
    /// The error that ended the connection, unless the server closed it.
    fileprivate var failure: WebSocketError? {
        guard case .failed(let error) = state.withLock({ $0.end }) else { return nil }
        return error
    }
}

/// Forwards traffic to a request's monitors.
private final class RequestObserver: WebSocketObserver {
    private weak let owner: WebSocketRequest?

    init(_ owner: WebSocketRequest) { self.owner = owner }

    func didTransfer(_ traffic: WebSocketTraffic) {
        guard let owner else { return }
        owner.notify { $0.request(owner, didTransfer: traffic) }
    }
}

extension WebSocketHandshake {
    /// Returns the result of the handshake from the server's response.
    func agreement(
        with response: TransportResponse,
        head: HTTPURLResponse?
    ) throws(WebSocketError) -> WebSocketAgreement {
        let (name, deflate) = try check(response)
        return WebSocketAgreement(
            protocol: name,
            deflate: deflate,
            extensions: deflate == nil ? nil : response.head.headerFields[.secWebSocketExtensions],
            response: head ?? HTTPURLResponse(url: nil, head: response.head, httpVersion: nil),
            origin: Origin(response.request)
        )
    }
}
