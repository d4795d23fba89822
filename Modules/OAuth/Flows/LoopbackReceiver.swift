internal import AirframeTransport
public import Foundation
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Receives the redirect of an authorization request on this machine (RFC 8252 §7.3).
///
/// ```swift
/// let receiver = try LoopbackReceiver()
/// let request = try client.authorizationRequest(redirectURI: receiver.redirectURI, scope: "profile")
/// print("Open \(request.url)")
/// let token = try await client.token(for: request, redirectedTo: receiver.redirect(of: request))
/// ```
///
/// It listens only on 127.0.0.1, on a port that the system picks, and stops after one redirect or when it is released.
public final class LoopbackReceiver: Sendable {
    /// The redirect URI, to which the server redirects the browser.
    public let redirectURI: String
    /// The text that the browser shows after the redirect.
    public let page: String

    private enum SocketState {
        case listening(Int32)
        case receiving(Int32)
        case closed
    }

    private static let threads = WorkerThreads(named: "airframe-oauth", maximum: 8)

    private let path: String
    // Guards the listening socket, which is closed once.
    private let state: Mutex<SocketState>

    /// Starts to listen.
    ///
    /// - Parameters:
    ///   - path: The path of the redirect.
    ///   - page: The text that the browser shows after the redirect.
    /// - Throws: ``OAuthError/receiverFailed(_:)`` when there is no port to listen on.
    public init(
        path: String = "/callback",
        page: String = "You are signed in. You may close this window."
    ) throws(OAuthError) {
        self.path = path
        self.page = page
        let (descriptor, port) = try LoopbackSocket.listen()
        redirectURI = "http://127.0.0.1:\(port)\(path)"
        state = Mutex(.listening(descriptor))
    }

    deinit { stop() }

    /// Waits for the redirect that answers a request. It can be waited for once.
    ///
    /// A redirect with another `state` is answered with 404, because any page in the browser can cause it.
    ///
    /// - Parameter request: The request that the user answers.
    /// - Returns: The URL of the redirect, for ``OAuthClient/token(for:redirectedTo:)``.
    /// - Throws: ``OAuthError/receiverFailed(_:)`` when the task is cancelled, or the receiver was already used.
    public func redirect(of request: AuthorizationRequest) async throws(OAuthError) -> URL {
        try await redirect(withState: request.state)
    }

    /// Waits for the first request for the path of the redirect, whatever its `state`. It can be waited for once.
    ///
    /// - Returns: The URL of the redirect, for ``OAuthClient/token(for:redirectedTo:)``.
    /// - Throws: ``OAuthError/receiverFailed(_:)`` when the task is cancelled, or the receiver was already used.
    public func redirect() async throws(OAuthError) -> URL { try await redirect(withState: nil) }

    private func redirect(withState expected: String?) async throws(OAuthError) -> URL {
        let descriptor: Int32? = state.withLock { state in
            guard case .listening(let descriptor) = state else { return nil }
            state = .receiving(descriptor)
            return descriptor
        }
        guard let descriptor else { throw .receiverFailed("the receiver was already used") }
        let (path, page, base) = (path, page, String(redirectURI.dropLast(path.utf8.count)))
        let isRedirect: @Sendable (String) -> Bool = { target in
            guard target == path || target.utf8.starts(with: "\(path)?".utf8) else { return false }
            guard let expected else { return true }
            return URL(string: base + target).flatMap { AuthorizationRequest.parameter("state", of: $0) } == expected
        }
        let result: Result<String, any Error> = await withTaskCancellationHandler {
            do {
                return .success(
                    try await Self.threads.result {
                        try LoopbackSocket.target(on: descriptor, page, where: isRedirect)
                    })
            } catch {
                return .failure(error)
            }
        } onCancel: {
            // Wakes the thread that accepts. The descriptor stays open until that thread has returned.
            shutdown(descriptor, Int32(SHUT_RDWR))
        }
        close()
        guard !Task.isCancelled else { throw .receiverFailed("the task was cancelled") }
        do {
            guard let url = URL(string: base + (try result.get())) else {
                throw OAuthError.receiverFailed("the redirect is not a URL")
            }
            return url
        } catch {
            throw error as? OAuthError ?? .receiverFailed("\(error)")
        }
    }

    private func stop() {
        let isIdle = state.withLock { if case .listening = $0 { true } else { false } }
        if isIdle { close() }
    }

    private func close() {
        state.withLock { state in
            switch state {
            case .listening(let descriptor), .receiving(let descriptor): LoopbackSocket.close(descriptor)
            case .closed: break
            }
            state = .closed
        }
    }
}
