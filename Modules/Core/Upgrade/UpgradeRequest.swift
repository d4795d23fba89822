public import AirframeTransport
public import Foundation
internal import Synchronization

/// A request that switches its connection to another protocol (RFC 9110 §7.8) and provides the stream of bytes.
///
/// The handshake passes through the pipeline like every request: interceptors, redirects, cookies, authentication,
/// validation, retries. ``connection`` returns the stream once the server has agreed. WebSockets have
/// `webSocketRequest` of AirframeWebSocket.
///
/// `@unchecked Sendable` because Request is: the properties added here are immutable or behind their own lock.
public final class UpgradeRequest: Request, @unchecked Sendable {
    /// The source of the `URLRequest`.
    public let convertible: any URLRequestConvertible
    /// The requested protocol.
    public let upgrade: UpgradeProtocol
    // Guards the stream until a caller takes it.
    private let stream = Mutex<(any DuplexStream)?>(nil)

    init(
        convertible: any URLRequestConvertible,
        upgrade: UpgradeProtocol,
        session: Session,
        interceptor: (any RequestInterceptor)?,
        shouldAutomaticallyResume: Bool?
    ) {
        self.convertible = convertible
        self.upgrade = upgrade
        super.init(session: session, interceptor: interceptor, shouldAutomaticallyResume: shouldAutomaticallyResume)
    }

    /// The server's response and the stream, once the server has agreed. Starts the request.
    ///
    /// The caller owns the stream: closing or releasing it closes the connection. It can be taken once.
    ///
    /// - Throws: The ``AFError`` that the request failed with; `sessionTaskFailed` with an ``UpgradeDeclinedError`` if
    ///   the server answered without switching. Cancelling the waiting task cancels the request, which fails with
    ///   ``AFError/explicitlyCancelled``.
    public var connection: UpgradedConnection {
        get async throws {
            try await withTaskCancellationHandler {
                do {
                    return try await FirstAnswer<UpgradedConnection>.wait { answer in
                        let step = ResponseStep { [self] in .over(.deliver { [self] in answer.give(self.result) }) }
                        append(step, .immediate)
                    }
                } catch is CancellationError {
                    throw AFError.explicitlyCancelled
                }
            } onCancel: {
                cancel()
            }
        }
    }

    private var result: Result<UpgradedConnection, any Error> {
        if let error { return .failure(error) }
        guard let response, let stream = stream.withLock({ $0.take() }) else {
            let declined = UpgradeDeclinedError(upgrade: upgrade, response: response)
            return .failure(AFError.sessionTaskFailed(error: declined))
        }
        return .success(UpgradedConnection(response: response, stream: stream))
    }

    // MARK: The pipeline

    override func makeURLRequest() throws -> URLRequest { try convertible.asURLRequest() }

    override func prepare(_ request: inout TransportRequest) throws { request.upgrade = upgrade }

    override func receiveBody(of response: TransportResponse, for task: URLSessionTask) async throws(AFError) {
        guard let upgraded = response.stream else {
            response.body.cancel()
            throw .sessionTaskFailed(error: UpgradeDeclinedError(upgrade: upgrade, response: task.response))
        }
        stream.withLock { $0 = upgraded }
    }

    override func reset() {
        super.reset()
        stream.withLock { $0.take() }?.close()
    }
}

/// A connection that has switched to another protocol.
public struct UpgradedConnection: Sendable {
    /// The server's response: `101` over HTTP/1.1, a `2xx` of a tunnel or over HTTP/2.
    public let response: HTTPURLResponse
    /// The bytes after the response, in both directions.
    public let stream: any DuplexStream
}

/// A server answered a request for an upgrade without switching protocols.
public struct UpgradeDeclinedError: LocalizedError, Sendable {
    /// The requested protocol.
    public let upgrade: UpgradeProtocol
    /// The server's response.
    public let response: HTTPURLResponse?

    /// The protocol and the status, in one line.
    public var errorDescription: String? {
        let name =
            switch upgrade {
            case .token(let token): token
            case .tunnel(let authority): "a tunnel to \(authority)"
            }
        let answer = response?.statusCode.description ?? "nothing"
        return "the server declined the upgrade to \(name): it answered \(answer)"
    }
}

extension Session {
    /// Creates a request that switches its connection to another protocol.
    ///
    /// ```swift
    /// let echo = try await session.upgradeRequest("https://api.test/echo", to: .token("echo")).connection
    /// try await echo.stream.write(Data("hello".utf8))
    /// ```
    ///
    /// - Parameters:
    ///   - url: The URL.
    ///   - upgrade: The protocol.
    ///   - headers: The header fields to set.
    ///   - interceptor: Adapts and retries this request, after the session's interceptor.
    ///   - shouldAutomaticallyResume: Whether to start when the connection is awaited; `nil` for the session's setting.
    ///   - requestModifier: Changes the `URLRequest`.
    public func upgradeRequest(
        _ url: any URLConvertible,
        to upgrade: UpgradeProtocol,
        headers: HTTPHeaders? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil,
        requestModifier: RequestModifier? = nil
    ) -> UpgradeRequest {
        upgradeRequest(
            PlainRequest(url: url, method: .get, headers: headers, modifier: requestModifier),
            to: upgrade,
            interceptor: interceptor,
            shouldAutomaticallyResume: shouldAutomaticallyResume
        )
    }

    /// Creates a request that switches its connection to another protocol, from a source of a `URLRequest`.
    ///
    /// - Parameters:
    ///   - convertible: The source of the `URLRequest`, called again for each attempt.
    ///   - upgrade: The protocol.
    ///   - interceptor: Adapts and retries this request, after the session's interceptor.
    ///   - shouldAutomaticallyResume: Whether to start when the connection is awaited; `nil` for the session's setting.
    public func upgradeRequest(
        _ convertible: any URLRequestConvertible,
        to upgrade: UpgradeProtocol,
        interceptor: (any RequestInterceptor)? = nil,
        shouldAutomaticallyResume: Bool? = nil
    ) -> UpgradeRequest {
        perform(
            UpgradeRequest(
                convertible: convertible,
                upgrade: upgrade,
                session: self,
                interceptor: interceptor,
                shouldAutomaticallyResume: shouldAutomaticallyResume
            )
        )
    }
}
