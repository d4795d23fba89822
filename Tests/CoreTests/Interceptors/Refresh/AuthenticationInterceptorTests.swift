import AirframeCore
import AirframeSerialization
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Synchronization
import Testing

/// An authenticator that refreshes immediately, or with a closure.
private final class InstantAuthenticator: Authenticator {
    private let next: @Sendable (Token) -> Result<Token, any Error>
    let refreshed = Log<Int>()
    let answersTwice: Bool

    init(
        answersTwice: Bool = false,
        _ next: @escaping @Sendable (Token) -> Result<Token, any Error> = { .success(Token($0.number + 1)) }
    ) {
        self.answersTwice = answersTwice
        self.next = next
    }

    func apply(_ credential: Token, to urlRequest: inout URLRequest) {
        urlRequest.headers.add(.authorization(bearerToken: "\(credential.number)"))
    }

    func refresh(
        _ credential: Token,
        for session: Session,
        completion: @escaping @Sendable (Result<Token, any Error>) -> Void
    ) {
        refreshed.append(credential.number)
        let result = next(credential)
        DispatchQueue.global().async {
            completion(result)
            if self.answersTwice { completion(.failure(RefreshRefused(number: -1))) }
        }
    }

    func didRequest(
        _ urlRequest: URLRequest,
        with response: HTTPURLResponse,
        failDueToAuthenticationError error: any Error
    ) -> Bool {
        response.statusCode == 401
    }

    func isRequest(_ urlRequest: URLRequest, authenticatedWith credential: Token) -> Bool {
        urlRequest.headers["Authorization"] == "Bearer \(credential.number)"
    }
}

/// A coordinator that returns another process's credential, or refreshes.
private struct Fleet: RefreshCoordinator {
    let known: Token?

    func replacement(
        for credential: Token,
        refresh: @escaping @Sendable () async throws -> Token
    ) async throws -> Token {
        if let known { return known }
        return try await refresh()
    }
}

@Suite("AuthenticationInterceptor", .timeLimit(.minutes(1)))
struct AuthenticationInterceptorTests {
    /// A server that accepts one token and answers all others with 401.
    private static func server(accepting token: Int, clock: StepClock = StepClock()) -> ScriptedTransport {
        ScriptedTransport(clock: clock) { request in
            let isAccepted = request.head.headerFields[.authorization] == "Bearer \(token)"
            return .status(isAccepted ? 200 : 401, "for \(token)", to: request)
        }
    }

    private static func sent(_ transport: ScriptedTransport) -> [String?] {
        transport.heads.map { $0.headerFields[.authorization] }
    }

    @Test("applies the credential to each request")
    func adapts() async throws {
        let transport = Self.server(accepting: 1)
        let authenticator = InstantAuthenticator()
        let interceptor = AuthenticationInterceptor(authenticator: authenticator, credential: Token(1))
        let session = Session(transport: transport, interceptor: interceptor)
        #expect(try await session.request("http://api.test/").validate().serializingString().value == "for 1")
        #expect(authenticator.refreshed.values.isEmpty)
        #expect(interceptor.credential?.number == 1)
    }

    @Test("a coordinator returns another process's credential, or refreshes", arguments: [true, false])
    func coordinator(isKnown: Bool) async throws {
        let transport = Self.server(accepting: 2)
        let authenticator = InstantAuthenticator(answersTwice: true)
        let interceptor = AuthenticationInterceptor(
            authenticator: authenticator, credential: Token(1),
            coordinator: Fleet(known: isKnown ? Token(2) : nil))
        let session = Session(transport: transport, interceptor: interceptor)
        #expect(try await session.request("http://api.test/").validate().serializingString().value == "for 2")
        #expect(authenticator.refreshed.values == (isKnown ? [] : [1]))
        #expect(interceptor.credential?.number == 2)
    }

    @Test("a failed refresh with a coordinator fails the request with its error")
    func failingCoordinator() async throws {
        let authenticator = InstantAuthenticator { .failure(RefreshRefused(number: $0.number)) }
        let interceptor = AuthenticationInterceptor(
            authenticator: authenticator, credential: Token(1), coordinator: Fleet(known: nil))
        let session = Session(transport: Self.server(accepting: 2), interceptor: interceptor)
        let error = await session.request("http://api.test/").validate().serializingString().response.error
        guard case .requestRetryFailed(let reason, _)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(reason as? RefreshRefused == RefreshRefused(number: 1))
    }

    @Test("without a credential, requests fail before they are sent")
    func missingCredential() async {
        let transport = Self.server(accepting: 1)
        let interceptor = AuthenticationInterceptor(authenticator: InstantAuthenticator())
        let session = Session(transport: transport, interceptor: interceptor)
        let error = await session.request("http://api.test/").validate().serializingString().response.error
        #expect(error?.isRequestAdaptationError == true)
        #expect(error?.underlyingError as? AuthenticationError == .missingCredential)
        #expect(transport.heads.isEmpty)
    }

    @Test("an expired credential is refreshed before the request is sent")
    func expired() async throws {
        let transport = Self.server(accepting: 2)
        let authenticator = InstantAuthenticator()
        let credential = Token(1, requiresRefresh: true)
        let interceptor = AuthenticationInterceptor(authenticator: authenticator, credential: credential)
        let session = Session(transport: transport, interceptor: interceptor)
        let request = session.request("http://api.test/").validate()
        #expect(try await request.serializingString().value == "for 2")
        #expect(authenticator.refreshed.values == [1])
        #expect(request.retryCount == 0)
        #expect(Self.sent(transport) == ["Bearer 2"])
    }

    @Test("a rejected credential is refreshed, and the request retried")
    func refused() async throws {
        let transport = Self.server(accepting: 2)
        let authenticator = InstantAuthenticator()
        let interceptor = AuthenticationInterceptor(authenticator: authenticator, credential: Token(1))
        let session = Session(transport: transport, interceptor: interceptor)
        let request = session.request("http://api.test/").validate()
        #expect(try await request.serializingString().value == "for 2")
        #expect(Self.sent(transport) == ["Bearer 1", "Bearer 2"])
        #expect(request.retryCount == 1)
    }

    @Test("any number of rejected requests wait for one refresh")
    func oneRefresh() async throws {
        let transport = Self.server(accepting: 2)
        let authenticator = InstantAuthenticator()
        let interceptor = AuthenticationInterceptor(authenticator: authenticator, credential: Token(1))
        let session = Session(transport: transport, interceptor: interceptor)
        let texts = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<300 {
                group.addTask {
                    try await session.request("http://api.test/").validate().serializingString().value
                }
            }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(texts == Array(repeating: "for 2", count: 300))
        #expect(authenticator.refreshed.values == [1])
    }

    @Test("a late rejection of an older credential causes a retry with the current one, and no refresh")
    func lateRefusal() async throws {
        let transport = Self.server(accepting: 2)
        let authenticator = InstantAuthenticator()
        let interceptor = AuthenticationInterceptor(authenticator: authenticator, credential: Token(1))
        let session = Session(
            transport: ScriptedTransport(clock: StepClock()) { [transport] request throws(TransportError) in
                // The credential was replaced while the first attempt was under way.
                if request.head.headerFields[.authorization] == "Bearer 1" { interceptor.credential = Token(2) }
                return try await transport.send(request)
            }, interceptor: interceptor)
        #expect(try await session.request("http://api.test/").validate().serializingString().value == "for 2")
        #expect(authenticator.refreshed.values.isEmpty)
        #expect(Self.sent(transport) == ["Bearer 1", "Bearer 2"])
    }

    @Test("a failed refresh fails all waiting requests, rejected ones with both errors")
    func failedRefresh() async {
        let transport = Self.server(accepting: 2)
        let authenticator = InstantAuthenticator { .failure(RefreshRefused(number: $0.number)) }
        let expired = AuthenticationInterceptor(
            authenticator: authenticator, credential: Token(1, requiresRefresh: true))
        var session = Session(transport: transport, interceptor: expired)
        var error = await session.request("http://api.test/").validate().serializingString().response.error
        #expect(error?.isRequestAdaptationError == true)
        #expect(error?.underlyingError as? RefreshRefused == RefreshRefused(number: 1))
        #expect(transport.heads.isEmpty)

        let refused = AuthenticationInterceptor(authenticator: authenticator, credential: Token(1))
        session = Session(transport: transport, interceptor: refused)
        let request = session.request("http://api.test/").validate()
        _ = await request.response(completionHandler: { _ in }).serializingData().response
        error = request.error
        guard case .requestRetryFailed(let retryError, let originalError) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(retryError as? RefreshRefused == RefreshRefused(number: 1))
        #expect(originalError.asAFError?.responseCode == 401)
        #expect(request.retryCount == 0)
    }

    @Test("a failed refresh is not repeated when serializers pass on the failure")
    func failedRefreshOnce() async {
        let transport = Self.server(accepting: 2)
        let authenticator = InstantAuthenticator { .failure(RefreshRefused(number: $0.number)) }
        let interceptor = AuthenticationInterceptor(authenticator: authenticator, credential: Token(1))
        let session = Session(transport: transport, interceptor: interceptor)
        let request = session.request("http://api.test/").validate()
        let error = await request.serializingString().response.error
        _ = await request.serializingData().response
        #expect(error?.underlyingError as? RefreshRefused == RefreshRefused(number: 1))
        #expect(authenticator.refreshed.values == [1])
    }

    @Test("a refresh that fails during the adaptation of a second attempt ends the request")
    func failedRefreshOfRetry() async {
        let transport = Self.server(accepting: 9)
        let authenticator = InstantAuthenticator {
            $0.number == 1 ? .success(Token(2, requiresRefresh: true)) : .failure(RefreshRefused(number: $0.number))
        }
        let interceptor = AuthenticationInterceptor(authenticator: authenticator, credential: Token(1))
        let session = Session(transport: transport, interceptor: interceptor)
        let request = session.request("http://api.test/").validate()
        let error = await request.serializingString().response.error
        #expect(error?.isRequestAdaptationError == true, "\(String(describing: error))")
        #expect(request.retryCount == 1)
        #expect(transport.heads.count == 1)
    }

    @Test("refreshes without success end with the window", arguments: [(5, 5), (1, 1), (0, 0)])
    func excessive(maximum: Int, refreshes: Int) async {
        let transport = Self.server(accepting: -1)
        let authenticator = InstantAuthenticator()
        let interceptor = AuthenticationInterceptor(
            authenticator: authenticator,
            credential: Token(1),
            refreshWindow: .init(interval: 30, maximumAttempts: maximum)
        )
        let session = Session(transport: transport, interceptor: interceptor)
        let request = session.request("http://api.test/").validate()
        let error = await request.serializingString().response.error
        #expect(error?.isRequestRetryError == true)
        #expect(error?.underlyingError as? AuthenticationError == .excessiveRefresh)
        #expect(authenticator.refreshed.values.count == refreshes)
    }

    @Test("the window follows the transport's clock; without a window there is no limit")
    func window() async throws {
        let clock = StepClock()
        let transport = Self.server(accepting: -1, clock: clock)
        let authenticator = InstantAuthenticator()
        let interceptor = AuthenticationInterceptor(
            authenticator: authenticator,
            credential: Token(1),
            refreshWindow: .init(interval: 30, maximumAttempts: 2)
        )
        let session = Session(transport: transport, interceptor: interceptor)
        _ = await session.request("http://api.test/").validate().serializingString().response
        #expect(authenticator.refreshed.values.count == 2)
        clock.advance(by: .seconds(30))
        _ = await session.request("http://api.test/").validate().serializingString().response
        #expect(authenticator.refreshed.values.count == 2, "30 seconds ago is within the window")
        clock.advance(by: .seconds(1))
        _ = await session.request("http://api.test/").validate().serializingString().response
        #expect(authenticator.refreshed.values.count == 4)

        let unbound = AuthenticationInterceptor(
            authenticator: InstantAuthenticator(), credential: Token(1), refreshWindow: nil)
        let server = Self.server(accepting: 40)
        let other = Session(transport: server, interceptor: unbound)
        let text = try await other.request("http://api.test/").validate().serializingString().value
        #expect(text == "for 40")
    }

    @Test("a second answer of an authenticator is ignored")
    func answersTwice() async throws {
        let transport = Self.server(accepting: 3)
        let authenticator = InstantAuthenticator(answersTwice: true)
        let interceptor = AuthenticationInterceptor(authenticator: authenticator, credential: Token(1))
        let session = Session(transport: transport, interceptor: interceptor)
        #expect(try await session.request("http://api.test/").validate().serializingString().value == "for 3")
        #expect(authenticator.refreshed.values == [1, 2])
    }

    @Test("a credential that is set during a refresh remains, and the waiting requests use it")
    func setDuringRefresh() async throws {
        let transport = Self.server(accepting: 7)
        let authenticator = HeldAuthenticator()
        let interceptor = AuthenticationInterceptor(
            authenticator: authenticator, credential: Token(1, requiresRefresh: true))
        let session = Session(transport: transport, interceptor: interceptor)
        for result in [.success(Token(2)), .failure(RefreshRefused(number: 1))] as [Result<Token, any Error>] {
            interceptor.credential = Token(1, requiresRefresh: true)
            let task = session.request("http://api.test/").validate().serializingString()
            while authenticator.refreshes.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
            interceptor.credential = Token(7)
            authenticator.end(result)
            #expect(try await task.value == "for 7")
            #expect(interceptor.credential?.number == 7)
        }
    }

    @Test("other failures, and requests without a response, are left to other retriers", arguments: [500, nil])
    func otherFailures(status: Int?) async {
        let interceptor = AuthenticationInterceptor(authenticator: InstantAuthenticator(), credential: Token(1))
        let transport = ScriptedTransport(clock: StepClock()) { request throws(TransportError) in
            guard let status else { throw .failure(.connectionLost, .unknown) }
            return .status(status, to: request)
        }
        let session = Session(transport: transport, interceptor: interceptor)
        let request = session.request("http://api.test/").validate()
        _ = await request.serializingString().response
        #expect(request.retryCount == 0)
        #expect(request.error?.isRequestRetryError == false)
    }

    @Test("a request that is cancelled while it waits ends immediately, and the refresh continues for the others")
    func cancelled() async throws {
        let transport = Self.server(accepting: 2)
        let authenticator = HeldAuthenticator()
        let interceptor = AuthenticationInterceptor(
            authenticator: authenticator, credential: Token(1, requiresRefresh: true))
        let session = Session(transport: transport, interceptor: interceptor)
        let cancelled = session.request("http://api.test/").validate()
        let task = cancelled.serializingString()
        while authenticator.refreshes.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
        let other = session.request("http://api.test/").validate().serializingString()
        cancelled.cancel()
        #expect(await task.response.error?.isExplicitlyCancelledError == true)
        authenticator.end(.success(Token(2)))
        #expect(try await other.value == "for 2")
    }
}
