package import AirframeTransport
internal import Foundation
internal import HTTPTypes
internal import Synchronization

/// A request that opens a WebSocket (RFC 6455), and its connection.
///
/// `Session.webSocketRequest` of AirframeWebSocket creates the requests, and that module has their handlers. The class
/// is in this module because it passes through the same pipeline, with interceptors, monitors and retries like every
/// request. An attempt lasts until the connection is closed. ``Request/cancel()`` closes it with
/// ``URLSessionWebSocketTask/CloseCode/goingAway``.
///
/// `@unchecked Sendable` because Request is: the properties added here are immutable or behind their own lock.
public final class WebSocketRequest: Request, @unchecked Sendable {
    /// The source of the `URLRequest`.
    public let convertible: any URLRequestConvertible
    /// The application protocol to request, and the limits of the connection.
    public let configuration: Configuration
    /// The implementation of the protocol.
    package let dialogue: any WebSocketDialogue
    // Guards whether the validations ran before the connection was opened.
    private let isValidated = Mutex(false)
    /// Whether the user has closed the connection. The request is cancelled then, and the connection ends by itself.
    private let isClosing = Atomic(false)

    package init(
        convertible: any URLRequestConvertible,
        configuration: Configuration,
        dialogue: any WebSocketDialogue,
        session: Session,
        interceptor: (any RequestInterceptor)?,
        shouldAutomaticallyResume: Bool?
    ) {
        self.convertible = convertible
        self.configuration = configuration
        self.dialogue = dialogue
        super.init(session: session, interceptor: interceptor, shouldAutomaticallyResume: shouldAutomaticallyResume)
    }

    override func makeURLRequest() throws -> URLRequest { try convertible.asURLRequest() }

    override func makeTask(for urlRequest: URLRequest) -> URLSessionTask {
        URLSessionWebSocketTask(
            request: self, original: urlRequest, maximumMessageSize: configuration.maximumMessageSize)
    }

    override var adjustsHead: Bool { true }

    /// A handshake has no content to negotiate, and browsers send none.
    override var sendsAccept: Bool { false }

    /// Adjusts the handshake, which is an HTTP exchange: `ws` becomes `http`, `wss` becomes `https` (RFC 6455 §3).
    override func adjust(_ head: inout HTTPRequest) throws {
        switch head.scheme {
        case "ws": head.scheme = "http"
        case "wss": head.scheme = "https"
        default: break
        }
    }

    override func prepare(_ request: inout TransportRequest) throws { try dialogue.prepare(&request, for: self) }

    override func receiveBody(of response: TransportResponse, for task: URLSessionTask) async throws(AFError) {
        guard let task = task as? URLSessionWebSocketTask else { return }
        for validator in mutable.withLock({ $0.validators }) { run(validator) }
        isValidated.withLock { $0 = true }
        if let error { throw error }
        try await show(task)
        try dialogue.open(response, for: self, task)
    }

    override var hasConnection: Bool { dialogue.hasConnected }

    override func whenConnectionEnds(_ resume: @escaping @Sendable () -> Void) {
        dialogue.serve(self, whenEnded: resume)
        // An attempt that was ended before had nothing to interrupt.
        if endsAttempt, !isClosing.load(ordering: .acquiring) { interruptConnection() }
    }

    override func interruptConnection() { dialogue.interrupt() }

    override func finishConnection(of task: URLSessionTask) async throws(AFError) {
        guard let task = task as? URLSessionWebSocketTask else { return }
        try await dialogue.finishConnection(of: self, task)
    }

    override func validate(by validators: Series<Validator>) {
        if !isValidated.withLock({ $0 }) { super.validate(by: validators) }
    }

    /// `false` once the connection was open, because its messages have been delivered.
    override var mayBeRetried: Bool { !dialogue.hasConnected }

    override func reset() {
        super.reset()
        isValidated.withLock { $0 = false }
    }

    override public func cleanup() { dialogue.finish(with: error) }

    /// Waits while the request is suspended.
    ///
    /// - Throws: ``AFError/explicitlyCancelled`` if the request was ended meanwhile.
    package func untilResumed() async throws(AFError) {
        let mayProceed = await resumed()
        guard mayProceed || isClosing.load(ordering: .acquiring) else { throw .explicitlyCancelled }
    }

    /// Cancels the request, whose connection the caller closes. The request ends with its connection, and without an
    /// error.
    package func cancelWhileClosing() {
        isClosing.store(true, ordering: .releasing)
        cancelAtClose()
    }

    /// The end of the request.
    package var completion: Completion {
        Completion(request: request, response: response, metrics: metrics, error: error)
    }
}

/// The part of a WebSocket request that implements the protocol, in AirframeWebSocket.
package protocol WebSocketDialogue: AnyObject, Sendable {
    /// Whether a connection was opened.
    var hasConnected: Bool { get }

    /// Turns a request into the handshake.
    func prepare(_ request: inout TransportRequest, for owner: WebSocketRequest) throws

    /// Checks the server's response and opens the connection.
    func open(
        _ response: TransportResponse,
        for owner: WebSocketRequest,
        _ task: URLSessionWebSocketTask
    ) throws(AFError)

    /// Serves the open connection.
    ///
    /// - Parameter resume: Called once, when the connection has been closed or interrupted.
    func serve(_ owner: WebSocketRequest, whenEnded resume: @escaping @Sendable () -> Void)

    /// Closes the connection that is being served.
    func interrupt()

    /// Reports the end of the connection.
    ///
    /// - Throws: The reason for which the request failed.
    func finishConnection(of owner: WebSocketRequest, _ task: URLSessionWebSocketTask) async throws(AFError)

    /// Releases the waiters for a connection, because the request has ended.
    ///
    /// - Parameter error: The error, if the request failed.
    func finish(with error: AFError?)
}
