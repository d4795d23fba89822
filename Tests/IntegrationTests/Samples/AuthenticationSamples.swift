import Airframe
import AirframeTestSupport
import Foundation
import Testing

@Suite(
    "Samples: credentials, adapters and retriers", .enabled(if: Peers.areExpected), .overEachEngine,
    .timeLimit(.minutes(2)))
struct AuthenticationSamples {
    private static var origin: String {
        get throws { try Peers.required().http("hangar") }
    }

    /// Advanced usage of Alamofire 5, "Credentials".
    @Test("A request answers a challenge with a user's name and password")
    func authenticate() async throws {
        let session = try makeSession()
        let response = await withCheckedContinuation { continuation in
            session.request("\((try? Self.origin) ?? "")/basic-auth/user@example.domain/password")
                .authenticate(username: "user@example.domain", password: "password")
                .responseDecodable(of: Authenticated.self) { response in
                    continuation.resume(returning: response)
                }
        }
        #expect(response.value?.authenticated == true)
    }

    /// Advanced usage of Alamofire 5, "Credentials"; the label is `with` in Alamofire 5.
    @Test("A request answers a challenge with a credential")
    func credential() async throws {
        let session = try makeSession()
        let credential = URLCredential(user: "user", password: "password", persistence: .forSession)
        let value = try await session.request("\(try Self.origin)/digest-auth/auth/user/password")
            .authenticate(with: credential)
            .validate()
            .serializingDecodable(Authenticated.self).value
        #expect(value.authenticated)
    }

    /// Advanced usage of Alamofire 5, "RequestAdapter"; the field comes from `authorization(bearerToken:)`.
    @Test("An adapter adds a token to each request")
    func adapter() async throws {
        final class AccessTokenAdapter: RequestInterceptor {
            let accessToken: String

            init(accessToken: String) { self.accessToken = accessToken }

            func adapt(
                _ urlRequest: URLRequest,
                for session: Session,
                completion: @escaping (Result<URLRequest, any Error>) -> Void
            ) {
                var urlRequest = urlRequest
                urlRequest.headers.add(.authorization(bearerToken: accessToken))
                completion(.success(urlRequest))
            }
        }
        struct Bearer: Decodable { let token: String }
        let session = try makeSession()
        let request = session.request(
            "\(try Self.origin)/bearer",
            interceptor: AccessTokenAdapter(accessToken: "1234")
        )
        #expect(try await request.validate().serializingDecodable(Bearer.self).value.token == "1234")
    }

    @Test("An adapter adds parameters that all requests share, and leads elsewhere")
    func sharedParameters() async throws {
        final class SharedParameters: RequestAdapter {
            let target: URL
            init(target: URL) { self.target = target }
            func adapt(
                _ urlRequest: URLRequest,
                for session: Session,
                completion: @escaping (Result<URLRequest, any Error>) -> Void
            ) {
                var request = urlRequest
                request.url = target
                request.setValue("hibotoken", forHTTPHeaderField: "token")
                request.setValue("1.0.0", forHTTPHeaderField: "version")
                completion(.success(request))
            }
        }
        let target = try #require(URL(string: "\(try Self.origin)/get?elsewhere=yes"))
        let session = try makeSession()
        let echo = try await session.request("http://127.0.0.1:1/")
            .adapt(using: SharedParameters(target: target)).validate().serializingDecodable(Echo.self).value
        #expect(echo.args == ["elsewhere": "yes"])
        let headers = Dictionary(uniqueKeysWithValues: (echo.headers ?? [:]).map { ($0.key.lowercased(), $0.value) })
        #expect(headers["token"] == "hibotoken" && headers["version"] == "1.0.0")
    }

    @Test("A retrier counts its attempts, and waits between them")
    func retrier() async throws {
        final class MyRetrier: RequestRetrier {
            func retry(
                _ request: Request,
                for session: Session,
                dueTo error: any Error,
                completion: @escaping (RetryResult) -> Void
            ) {
                completion(request.retryCount < 3 ? .retryWithDelay(0.01) : .doNotRetry)
            }
        }
        let session = try makeSession()
        let request = session.request("\(try Self.origin)/status/404").validate().retry(using: MyRetrier())
        let response = await request.serializingData().response
        #expect(response.error?.responseCode == 404)
        #expect(request.retryCount == 3)
    }

    @Test("A session with a retry policy gets over failures that pass")
    func retryPolicy() async throws {
        let policy = RetryPolicy(exponentialBackoffScale: 0.01)
        let configuration = URLSessionConfiguration.af.default
        configuration.transportOptions.proxy = ProxyPolicy.none
        let session = Session(configuration: configuration, interceptor: policy)
        struct Reply: Decodable { let succeeded: Bool }
        let url = "\(try Self.origin)/fail-then-succeed/\(UUID().uuidString)?failures=2"
        let request = session.request(url).validate()
        #expect(try await request.serializingDecodable(Reply.self).value.succeeded)
        #expect(request.retryCount == 2)
    }

    @Test("An interceptor after OAuth 2 refreshes its token once for all requests")
    func oauth() async throws {
        struct OAuthCredential: AuthenticationCredential, Sendable {
            let accessToken: String
            let refreshToken: String
            let expiration: Date
            // Refreshed a little before it expires.
            var requiresRefresh: Bool { Date(timeIntervalSinceNow: 60 * 5) > expiration }
        }
        final class OAuthAuthenticator: Authenticator {
            func apply(_ credential: OAuthCredential, to urlRequest: inout URLRequest) {
                urlRequest.headers.add(.authorization(bearerToken: credential.accessToken))
            }
            func refresh(
                _ credential: OAuthCredential,
                for session: Session,
                completion: @escaping @Sendable (Result<OAuthCredential, any Error>) -> Void
            ) {
                let refreshed = OAuthCredential(
                    accessToken: "second",
                    refreshToken: credential.refreshToken,
                    expiration: Date(timeIntervalSinceNow: 60 * 60)
                )
                completion(.success(refreshed))
            }
            func didRequest(
                _ urlRequest: URLRequest,
                with response: HTTPURLResponse,
                failDueToAuthenticationError error: any Error
            ) -> Bool {
                response.statusCode == 401
            }
            func isRequest(_ urlRequest: URLRequest, authenticatedWith credential: OAuthCredential) -> Bool {
                urlRequest.headers["Authorization"]
                    == HTTPHeader.authorization(bearerToken: credential.accessToken).value
            }
        }
        let credential = OAuthCredential(
            accessToken: "first", refreshToken: "r", expiration: Date(timeIntervalSinceNow: 60))
        let interceptor = AuthenticationInterceptor(authenticator: OAuthAuthenticator(), credential: credential)
        struct Bearer: Decodable { let token: String }
        let session = try makeSession()
        let url = "\(try Self.origin)/bearer"
        let tokens = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<10 {
                group.addTask {
                    try await session.request(url, interceptor: interceptor).validate()
                        .serializingDecodable(Bearer.self).value.token
                }
            }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(tokens == ["second"])
    }
}
