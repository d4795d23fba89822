import Airframe
import AirframeTestSupport
import Foundation
import Testing

@Suite("Samples: interceptors of the older guides", .enabled(if: Peers.areExpected), .timeLimit(.minutes(2)))
struct InterceptorSamples {
    private static func session(_ interceptor: any RequestInterceptor) -> Session {
        let configuration = URLSessionConfiguration.af.default
        configuration.transportOptions.proxy = ProxyPolicy.none
        return Session(configuration: configuration, interceptor: interceptor)
    }

    /// Migration to Alamofire 4, "Request Adapter"; `SessionManager.adapter` is the session's interceptor in 5, and
    /// `adapt` answers by its completion.
    @Test("A session's adapter adds a token to requests to one server alone")
    func accessTokenAdapter() async throws {
        final class AccessTokenAdapter: RequestInterceptor {
            private let accessToken: String
            private let prefix: String

            init(accessToken: String, prefix: String) {
                self.accessToken = accessToken
                self.prefix = prefix
            }

            func adapt(
                _ urlRequest: URLRequest,
                for session: Session,
                completion: @escaping (Result<URLRequest, any Error>) -> Void
            ) {
                var urlRequest = urlRequest

                if urlRequest.url?.absoluteString.hasPrefix(prefix) == true {
                    urlRequest.setValue("Bearer " + accessToken, forHTTPHeaderField: "Authorization")
                }

                completion(.success(urlRequest))
            }
        }
        let origin = try hangar()
        let session = Self.session(AccessTokenAdapter(accessToken: "1234", prefix: origin + "/anything"))
        let with = try await session.request(origin + "/anything").serializingDecodable(EchoedRequest.self).value
        #expect(with.header("Authorization") == "Bearer 1234")
        let without = try await session.request(origin + "/get").serializingDecodable(EchoedRequest.self).value
        #expect(without.header("Authorization") == nil)
    }

    /// Migration to Alamofire 4, "Request Adapter": an adapter's error is passed to the request's handlers.
    @Test("An adapter's error is the request's, and nothing is sent")
    func adapterThatFails() async throws {
        let session = Self.session(
            Adapter { _, _, completion in completion(.failure(CustomError(words: "no token"))) })
        let request = session.request(try hangar("/get"))
        let error = await request.serializingData().response.error
        guard case .requestAdaptationFailed(let cause) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(cause as? CustomError == CustomError(words: "no token"))
        #expect(request.tasks.isEmpty)
    }

    /// Migration to Alamofire 4, "Request Retrier"; `should(_:retry:with:completion:)` is `retry` in 5.
    @Test("A handler of OAuth 2 retries a request that failed with 401, with a token")
    func oauth2Handler() async throws {
        final class OAuth2Handler: RequestInterceptor {
            func retry(
                _ request: Request,
                for session: Session,
                dueTo error: any Error,
                completion: @escaping (RetryResult) -> Void
            ) {
                if let response = request.task?.response, response.statusCode == 401, request.retryCount < 2 {
                    completion(.retryWithDelay(0.01))
                } else {
                    completion(.doNotRetry)
                }
            }
        }
        let session = Self.session(OAuth2Handler())
        let refused = session.request(try hangar("/bearer")).validate()
        let response = await refused.serializingData().response
        #expect(response.error?.responseCode == 401 && refused.retryCount == 2)
        let missing = session.request(try hangar("/status/404")).validate()
        _ = await missing.serializingData().response
        #expect(missing.retryCount == 0)
    }

    /// Advanced usage of Alamofire 5, "The request pipeline": a retrier's own error is not retried.
    @Test("A retrier's error ends the request, with the error that it was asked about")
    func retrierThatFails() async throws {
        let session = Self.session(
            Retrier { _, _, _, completion in completion(.doNotRetryWithError(CustomError(words: "hopeless"))) })
        let request = session.request(try hangar("/status/404")).validate()
        let response: AFDataResponse<Data?> = await handled { done in
            request.response { response in done(response) }
        }
        let error = response.error
        guard case .requestRetryFailed(let retryError, let originalError) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(retryError as? CustomError == CustomError(words: "hopeless"))
        #expect(originalError.asAFError?.responseCode == 404)
        #expect(request.retryCount == 0)
    }

    /// Advanced usage of Alamofire 5, "The request pipeline": the pipeline runs anew for a retry.
    @Test("Errors of serialization are retried too, through the whole pipeline")
    func serializationErrors() async throws {
        let session = Self.session(
            Retrier { request, _, error, completion in
                let isSerialization = error.asAFError?.isResponseSerializationError == true
                completion(isSerialization && request.retryCount == 0 ? .retry : .doNotRetry)
            })
        let request = session.request(try hangar("/html"))
        let response = await request.serializingDecodable(EchoedRequest.self).response
        #expect(response.error?.isResponseSerializationError == true)
        #expect(request.retryCount == 1 && request.tasks.count == 2)
    }
}
