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
/// let token = try await client.token(for: request, redirectedTo: receiver.redirect())
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

    /// Waits for the redirect. It can be waited for once.
    ///
    /// - Returns: The URL of the redirect, for ``OAuthClient/token(for:redirectedTo:)``.
    /// - Throws: ``OAuthError/receiverFailed(_:)`` when the task is cancelled, or the receiver was already used.
    public func redirect() async throws(OAuthError) -> URL {
        let descriptor: Int32? = state.withLock { state in
            guard case .listening(let descriptor) = state else { return nil }
            state = .receiving(descriptor)
            return descriptor
        }
        guard let descriptor else { throw .receiverFailed("the receiver was already used") }
        let (path, page) = (path, page)
        let result: Result<String, any Error> = await withTaskCancellationHandler {
            do {
                return .success(
                    try await Self.threads.result { try LoopbackSocket.target(of: path, on: descriptor, page) })
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
            let base = redirectURI.dropLast(path.utf8.count)
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
