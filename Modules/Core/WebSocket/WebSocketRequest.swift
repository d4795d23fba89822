package import AirframeTransport
internal import Foundation
internal import HTTPTypes
internal import Synchronization

/// A request that opens a WebSocket (RFC 6455), and the connection that comes of it.
///
/// Requests come from `Session.webSocketRequest` of AirframeWebSocket, where their handlers are too. The class is here
/// because it is one of the family: it passes the same pipeline, and has interceptors, monitors and retries like every
/// request. An attempt lasts until the connection is closed. ``Request/cancel()`` closes it with
/// ``URLSessionWebSocketTask/CloseCode/goingAway``.
///
/// `@unchecked Sendable` because Request is: what is added here is immutable or behind its own lock.
public final class WebSocketRequest: Request, @unchecked Sendable {
    /// Makes the `URLRequest`.
    public let convertible: any URLRequestConvertible
    /// The protocol to ask for, and the limits of the connection.
    public let configuration: Configuration
    /// Speaks the protocol.
    package let dialogue: any WebSocketDialogue
    // Guards whether the validations have run before the connection was opened.
    private let isValidated = Mutex(false)

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

    /// The handshake is an exchange of HTTP: `ws` is sent as `http`, `wss` as `https` (RFC 6455 §3).
    override func adjust(_ head: inout HTTPRequest) throws {
        switch head.scheme {
        case "ws": head.scheme = "http"
        case "wss": head.scheme = "https"
        default: break
        }
    }

    override func prepare(_ request: inout TransportRequest) throws { try dialogue.prepare(&request, for: self) }

    override func receive(_ response: TransportResponse, for task: URLSessionTask) async throws(AFError) {
        guard let task = task as? URLSessionWebSocketTask else { return }
        for validate in mutable.withLock({ $0.validators }) { validate() }
        isValidated.withLock { $0 = true }
        if let error { throw error }
        try await show(task)
        try await dialogue.hold(response, for: self, task)
    }

    override func validate(by validators: Series<@Sendable () -> Void>) {
        if !isValidated.withLock({ $0 }) { super.validate(by: validators) }
    }

    /// Not once the connection was open: its messages have been handed over.
    override var mayBeRetried: Bool { !dialogue.hasConnected }

    override func reset() {
        super.reset()
        isValidated.withLock { $0 = false }
    }

    override public func cleanup() { dialogue.finish(with: error) }

    /// Waits while the request is suspended.
    ///
    /// - Throws: ``AFError/explicitlyCancelled`` when the request was ended meanwhile.
    package func untilResumed() async throws(AFError) {
        guard !mayGoOnAtOnce else { return }
        guard await mayGoOn() else { throw .explicitlyCancelled }
    }

    /// How the request ended.
    package var completion: Completion {
        Completion(request: request, response: response, metrics: metrics, error: error)
    }
}

/// The part of a WebSocket request that speaks the protocol: AirframeWebSocket's.
package protocol WebSocketDialogue: AnyObject, Sendable {
    /// Whether a connection was opened.
    var hasConnected: Bool { get }

    /// Makes a request the handshake's.
    func prepare(_ request: inout TransportRequest, for owner: WebSocketRequest) throws

    /// Checks the server's answer and holds the connection until it is closed.
    func hold(
        _ response: TransportResponse,
        for owner: WebSocketRequest,
        _ task: URLSessionWebSocketTask
    ) async throws(AFError)

    /// Ends what waits for a connection: the request has ended.
    ///
    /// - Parameter error: Why it failed, if it did.
    func finish(with error: AFError?)
}
