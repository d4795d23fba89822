internal import AirframeTransport
public import Foundation
internal import Synchronization

/// Authenticates requests with a credential, and refreshes the credential when it has expired or was rejected.
///
/// There is one refresh at a time: requests that need a credential meanwhile wait for it. A request that was rejected
/// with an older credential is retried with the current one without a refresh. With a ``RefreshCoordinator`` there is
/// one refresh for several processes.
///
/// ```swift
/// let interceptor = AuthenticationInterceptor(authenticator: TokenAuthenticator(), credential: credential)
/// let session = Session(transport: engine, interceptor: interceptor)
/// ```
///
/// A class, because the requests of a session share its credential.
public final class AuthenticationInterceptor<AuthenticatorType>: RequestInterceptor, Sendable
where AuthenticatorType: Authenticator {
    /// The type of the credential.
    public typealias Credential = AuthenticatorType.Credential

    /// A limit on the number of refreshes within a time. Without it, a server that rejects each new credential would
    /// cause refreshes without end.
    public struct RefreshWindow: Sendable {
        /// The length of the window in seconds.
        public let interval: TimeInterval
        /// The maximum number of refreshes within the window.
        public let maximumAttempts: Int

        /// Creates a window.
        ///
        /// - Parameters:
        ///   - interval: The length of the window in seconds.
        ///   - maximumAttempts: The maximum number of refreshes within the window.
        public init(interval: TimeInterval = 30.0, maximumAttempts: Int = 5) {
            self.interval = interval
            self.maximumAttempts = maximumAttempts
        }
    }

    /// The current credential. If it is set during a refresh, the result of the refresh is dropped.
    public var credential: Credential? {
        get { state.withLock { $0.credential } }
        set { state.withLock { $0.replaceCredential(by: newValue) } }
    }

    private let authenticator: AuthenticatorType
    private let refreshWindow: RefreshWindow?
    private let coordinator: (any RefreshCoordinator<Credential>)?
    // Guards the credential, the requests that wait for a refresh, and the times of the last refreshes.
    private let state: Mutex<RefreshState<Credential>>

    /// Creates an interceptor.
    ///
    /// - Parameters:
    ///   - authenticator: Applies and refreshes the credential.
    ///   - credential: The credential, if there is one already.
    ///   - refreshWindow: The limit on refreshes; `nil` for no limit.
    public convenience init(
        authenticator: AuthenticatorType,
        credential: Credential? = nil,
        refreshWindow: RefreshWindow? = RefreshWindow()
    ) {
        self.init(authenticator, credential, refreshWindow, nil)
    }

    /// Creates an interceptor that shares refreshes with other processes.
    ///
    /// - Parameters:
    ///   - authenticator: Applies and refreshes the credential.
    ///   - credential: The credential, if there is one already.
    ///   - refreshWindow: The limit on refreshes; `nil` for no limit.
    ///   - coordinator: Makes several processes refresh a credential once.
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

    /// Applies the credential, after a refresh if it requires one or if one is under way.
    public func adapt(
        _ urlRequest: URLRequest,
        for session: Session,
        completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    ) {
        adapt(urlRequest, for: session, hasWaited: false, completion)
    }

    /// - Parameter hasWaited: Whether the request has waited for a refresh before.
    private func adapt(
        _ urlRequest: URLRequest,
        for session: Session,
        hasWaited: Bool,
        _ completion: @escaping @Sendable (Result<URLRequest, any Error>) -> Void
    ) {
        let waiter = RefreshState<Credential>.Waiter { [self] outcome in
            switch outcome {
            case .changed where hasWaited:
                // On another stack: refreshes that complete before `refresh` returns would fill this one.
                Task { adapt(urlRequest, for: session, hasWaited: true, completion) }
            case .changed: adapt(urlRequest, for: session, hasWaited: true, completion)
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

    /// Retries requests whose credential was rejected: with the current credential if they carried an older one, else
    /// after a refresh.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - session: Its session.
    ///   - error: The error that it failed with.
    ///   - completion: Receives the decision. Its error is an ``AuthenticationError`` without a credential or after too
    ///     many refreshes, and that of the authenticator or the coordinator after a failed refresh.
    public func retry(
        _ request: Request,
        for session: Session,
        dueTo error: any Error,
        completion: @escaping @Sendable (RetryResult) -> Void
    ) {
        // If the attempt was never sent, the response is an earlier attempt's and says nothing about this one. If a
        // retrier has failed with the error, a serializer that passes it on must not begin another refresh.
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

    /// Waits for the refresh that is under way, or begins one.
    ///
    /// - Returns: Whether the request waits. `false` if the credential has changed since `generation`, so that there is
    ///   nothing to wait for.
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
        // A separate task: the refresh continues if the request that began it is cancelled.
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
    /// Whether the error says nothing about the response: the attempt failed before it was sent, or a retrier failed.
    fileprivate var isOfNoResponse: Bool {
        guard let error = asAFError else { return false }
        return error.isRequestAdaptationError || error.isCreateURLRequestError || error.isCreateUploadableError
            || error.isRequestRetryError
    }
}

/// A flag that is raised once: an authenticator that answers twice must not end another refresh.
private final class OnceFlag: Sendable {
    private let isRaised = Atomic(false)

    /// Raises the flag. Returns `false` if it was raised before.
    func raise() -> Bool { !isRaised.exchange(true, ordering: .acquiringAndReleasing) }
}
