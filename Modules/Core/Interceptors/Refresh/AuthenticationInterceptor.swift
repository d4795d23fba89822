internal import AirframeTransport
public import Foundation
internal import Synchronization

/// Authenticates requests with a credential, and refreshes it when it has expired or was refused.
///
/// There is one refresh at a time, for any number of requests: those that come while it runs wait for it. A request that
/// was refused with an older credential is sent again with the present one, and asks for no refresh. With a
/// ``RefreshCoordinator`` there is one refresh for several processes.
///
/// ```swift
/// let interceptor = AuthenticationInterceptor(authenticator: OAuthAuthenticator(), credential: credential)
/// let session = Session(transport: engine, interceptor: interceptor)
/// ```
///
/// A class, because the requests of a session share its credential.
public final class AuthenticationInterceptor<AuthenticatorType>: RequestInterceptor, Sendable
where AuthenticatorType: Authenticator {
    /// What requests are authenticated with.
    public typealias Credential = AuthenticatorType.Credential

    /// How many refreshes there may be in which time. A server that refuses each new credential would be asked for ever
    /// without it.
    public struct RefreshWindow: Sendable {
        /// The length of the window in seconds, up to now.
        public let interval: TimeInterval
        /// The most refreshes within the window.
        public let maximumAttempts: Int

        /// Sets the bounds.
        ///
        /// - Parameters:
        ///   - interval: The length of the window in seconds.
        ///   - maximumAttempts: The most refreshes within it.
        public init(interval: TimeInterval = 30.0, maximumAttempts: Int = 5) {
            self.interval = interval
            self.maximumAttempts = maximumAttempts
        }
    }

    /// The present credential. One that is set while a refresh runs stays: what the refresh brings is then dropped.
    public var credential: Credential? {
        get { state.withLock { $0.credential } }
        set { state.withLock { $0.replaceCredential(by: newValue) } }
    }

    private let authenticator: AuthenticatorType
    private let refreshWindow: RefreshWindow?
    private let coordinator: (any RefreshCoordinator<Credential>)?
    // Guards the credential, the requests that wait for a refresh, and the instants of the last refreshes.
    private let state: Mutex<RefreshState<Credential>>

    /// Makes an interceptor.
    ///
    /// - Parameters:
    ///   - authenticator: Knows the credential.
    ///   - credential: The credential, if there is one already.
    ///   - refreshWindow: How many refreshes there may be in which time; `nil` for any number.
    public convenience init(
        authenticator: AuthenticatorType,
        credential: Credential? = nil,
        refreshWindow: RefreshWindow? = RefreshWindow()
    ) {
        self.init(authenticator, credential, refreshWindow, nil)
    }

    /// Makes an interceptor that refreshes its credential together with other processes.
    ///
    /// - Parameters:
    ///   - authenticator: Knows the credential.
    ///   - credential: The credential, if there is one already.
    ///   - refreshWindow: How many refreshes there may be in which time; `nil` for any number.
    ///   - coordinator: Lets several processes refresh a credential once.
    public convenience init(
        authenticator: AuthenticatorType,
        credential: Credential? = nil,
        refreshWindow: RefreshWindow? = RefreshWindow(),
        coordinator: any RefreshCoordinator<Credential>
    ) {
        self.init(authenticator, credential, refreshWindow, coordinator)
    }

    private init(
        _ authenticator: AuthenticatorType,
        _ credential: Credential?,
        _ refreshWindow: RefreshWindow?,
        _ coordinator: (any RefreshCoordinator<Credential>)?
    ) {
        self.authenticator = authenticator
        self.refreshWindow = refreshWindow
        self.coordinator = coordinator
        state = Mutex(RefreshState(credential: credential))
    }

    // MARK: Adapting

    /// Applies the credential, after a refresh if it needs one or if one is running.
    public func adapt(
        _ urlRequest: URLRequest,
        for session: Session,
        completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    ) {
        let waiter = RefreshState<Credential>.Waiter { [self] outcome in
            switch outcome {
            case .changed: adapt(urlRequest, for: session, completion: completion)
            case .failed(let error): completion(.failure(error))
            }
        }
        while true {
            let (credential, generation, hasJoined) = state.withLock {
                ($0.credential, $0.generation, $0.join(waiter))
            }
            if hasJoined { return }
            guard let credential else { return completion(.failure(AuthenticationError.missingCredential)) }
            guard credential.requiresRefresh else {
                var urlRequest = urlRequest
                authenticator.apply(credential, to: &urlRequest)
                return completion(.success(urlRequest))
            }
            if wait(waiter, for: session, since: generation) { return }
        }
    }

    // MARK: Retrying

    /// Retries requests that were refused: with the present credential if they carried an older one, after a refresh if
    /// they carried the present one.
    public func retry(
        _ request: Request,
        for session: Session,
        dueTo error: any Error,
        completion: @escaping @Sendable (RetryResult) -> Void
    ) {
        // An attempt that was never sent was refused by nobody: the response at hand is an earlier attempt's. And what a
        // retrier has answered is not asked a second time: a serializer that hands it on would begin another refresh.
        guard let urlRequest = request.request, let response = request.response, !error.isOfNoResponse,
            authenticator.didRequest(urlRequest, with: response, failDueToAuthenticationError: error)
        else { return completion(.doNotRetry) }
        while true {
            let (credential, generation) = state.withLock { ($0.credential, $0.generation) }
            guard let credential else {
                return completion(.doNotRetryWithError(AuthenticationError.missingCredential))
            }
            guard authenticator.isRequest(urlRequest, authenticatedWith: credential) else { return completion(.retry) }
            let waiter = RefreshState<Credential>.Waiter { outcome in
                switch outcome {
                case .changed: completion(.retry)
                case .failed(let error): completion(.doNotRetryWithError(error))
                }
            }
            if wait(waiter, for: session, since: generation) { return }
        }
    }

    // MARK: Refreshing

    /// Waits for the refresh that runs, or begins one.
    ///
    /// - Returns: Whether it waits; not when the credential has changed since `generation`: then there is nothing to wait
    ///   for.
    private func wait(
        _ waiter: RefreshState<Credential>.Waiter,
        for session: Session,
        since generation: Int
    ) -> Bool {
        let now = session.transport.clock.now
        let step = state.withLock { $0.wait(waiter, since: generation, at: now, within: limits) }
        switch step {
        case .changed: return false
        case .joined: return true
        case .excessive:
            waiter.end(.failed(AuthenticationError.excessiveRefresh))
            return true
        case .begun(let credential):
            begin(credential, for: session)
            return true
        }
    }

    private func begin(_ credential: Credential, for session: Session) {
        guard let coordinator else {
            return refresh(credential, for: session) { [self] result in finish(with: result) }
        }
        // A task of its own: the refresh goes on when the request that asked for it is cancelled.
        Task { [self] in
            do {
                let replacement = try await coordinator.replacement(for: credential) {
                    try await withCheckedThrowingContinuation { continuation in
                        self.refresh(credential, for: session) { continuation.resume(with: $0) }
                    }
                }
                finish(with: .success(replacement))
            } catch {
                finish(with: .failure(error))
            }
        }
    }

    private func refresh(
        _ credential: Credential,
        for session: Session,
        _ completion: @escaping @Sendable (Result<Credential, any Error>) -> Void
    ) {
        let answer = OnceFlag()
        authenticator.refresh(credential, for: session) { result in
            if answer.raise() { completion(result) }
        }
    }

    private func finish(with result: Result<Credential, any Error>) {
        let (waiters, outcome) = state.withLock { $0.finishRefresh(with: result) }
        for waiter in waiters { waiter.end(outcome) }
    }

    private var limits: RefreshLimits? {
        refreshWindow.map {
            RefreshLimits(interval: Duration.limit(seconds: $0.interval), maximumAttempts: $0.maximumAttempts)
        }
    }
}

extension Error {
    /// Whether it is no response that the error is about: the attempt failed before it was sent, or a retrier did.
    fileprivate var isOfNoResponse: Bool {
        guard let error = asAFError else { return false }
        return error.isRequestAdaptationError || error.isCreateURLRequestError || error.isCreateUploadableError
            || error.isRequestRetryError
    }
}

/// A flag that is raised once: an authenticator that answers twice must not end somebody else's refresh.
private final class OnceFlag: Sendable {
    private let isRaised = Atomic(false)

    /// Raises the flag; `false` when it was raised before.
    func raise() -> Bool { !isRaised.exchange(true, ordering: .acquiringAndReleasing) }
}
