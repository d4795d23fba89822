import Airframe
import AirframeTestSupport
import Foundation
import Testing

@Suite(
    "Samples: handlers of a session, and serializers", .enabled(if: Peers.areExpected), .overEachEngine,
    .timeLimit(.minutes(2)))
struct AdvancedSamples {
    private func makeSession(
        cache: URLCache? = nil,
        interceptor: (any RequestInterceptor)? = nil,
        redirectHandler: (any RedirectHandler)? = nil,
        cachedResponseHandler: (any CachedResponseHandler)? = nil
    ) -> Session {
        let configuration = URLSessionConfiguration.af.default
        configuration.transportOptions.proxy = ProxyPolicy.none
        configuration.urlCache = cache
        return Session(
            transport: EachEngineTrait.current.transport,
            configuration: configuration,
            interceptor: interceptor,
            redirectHandler: redirectHandler,
            cachedResponseHandler: cachedResponseHandler
        )
    }

    /// Advanced usage of Alamofire 5, "Adding a RequestInterceptor".
    @Test("A session with a retry policy sends a request again until it succeeds")
    func retryPolicy() async throws {
        let policy = RetryPolicy(exponentialBackoffScale: 0.01)
        let session = makeSession(interceptor: policy)
        let request = session.request(try hangar("/fail-then-succeed/\(UUID().uuidString)?failures=2")).validate()
        let response = await request.serializingData().response
        #expect(response.response?.statusCode == 200)
        #expect(request.retryCount == 2)
    }

    /// Advanced usage of Alamofire 5, "Adding a RedirectHandler".
    @Test("A session with a redirector follows redirects")
    func redirector() async throws {
        let redirector = Redirector(behavior: .follow)
        let session = makeSession(redirectHandler: redirector)
        let response = await session.request(try hangar("/redirect/2")).validate().serializingData().response
        #expect(response.response?.url?.path() == "/get")
    }

    /// Advanced usage of Alamofire 5, "Handling redirects".
    @Test("A request with a redirector follows it instead of the session's")
    func redirectorOfARequest() async throws {
        let session = makeSession(redirectHandler: Redirector(behavior: .doNotFollow))
        let redirector = Redirector(behavior: .follow)
        let url = try hangar("/redirect/1")
        let response: AFDataResponse<EchoedRequest> = await handled { done in
            session.request(url)
                .redirect(using: redirector)
                .responseDecodable(of: EchoedRequest.self) { response in
                    debugPrint(response)
                    done(response)
                }
        }
        #expect(response.value?.method == "GET")
    }

    /// Advanced usage of Alamofire 5, "Adding a CachedResponseHandler, Customizing caching".
    @Test("A session's cacher stores responses, and a request's cacher is asked instead of it")
    func cacher() async throws {
        let cacher = ResponseCacher(behavior: .cache)
        let cache = URLCache(memoryCapacity: 1 << 20, diskCapacity: 0)
        let session = makeSession(cache: cache, cachedResponseHandler: cacher)
        let fresh = try hangar("/response-headers?Cache-Control=max-age%3D60")
        let stored = try URLRequest(url: fresh + "&Name=stored", method: .get)
        _ = try await session.request(stored).serializingData().value
        #expect(cache.cachedResponse(for: stored) != nil)

        let other = try URLRequest(url: fresh + "&Name=other", method: .get)
        let response: AFDataResponse<[String: String]> = await handled { done in
            session.request(other)
                .cacheResponse(using: ResponseCacher(behavior: .doNotCache))
                .responseDecodable(of: [String: String].self) { response in
                    debugPrint(response)
                    done(response)
                }
        }
        #expect(response.error == nil)
        #expect(cache.cachedResponse(for: other) == nil)
    }

    /// Advanced usage of Alamofire 5, "Creating a Session with a URLSession".
    @Test("A session is created from a URLSession, its delegate and its queue")
    func urlSession() async throws {
        let rootQueue = DispatchQueue(label: "org.alamofire.customQueue")
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        queue.underlyingQueue = rootQueue
        let delegate = SessionDelegate()
        let configuration = URLSessionConfiguration.af.default
        configuration.transportOptions.proxy = ProxyPolicy.none
        let urlSession = URLSession(configuration: configuration, delegate: delegate, delegateQueue: queue)
        let session = Session(session: urlSession, delegate: delegate, rootQueue: rootQueue)
        let value = try await session.request(try hangar("/get?from=handle")).serializingDecodable(EchoedRequest.self)
            .value
        #expect(value.args == ["from": "handle"])
        #expect(session.session === urlSession)
    }

    /// Advanced usage of Alamofire 5, "Creating a custom response serializer".
    @Test("A serializer of the application calls the string serializer, and its strings are the response's value")
    func commaDelimited() async throws {
        struct CommaDelimitedSerializer: ResponseSerializer {
            func serialize(
                request: URLRequest?,
                response: HTTPURLResponse?,
                data: Data?,
                error: (any Error)?
            ) throws -> [String] {
                // Call the existing StringResponseSerializer to get many behaviors automatically.
                let string = try StringResponseSerializer().serialize(
                    request: request,
                    response: response,
                    data: data,
                    error: error
                )

                return Array(string.split(separator: ",")).map(String.init)
            }
        }
        let session = makeSession()
        let request = session.request(try hangar("/robots.txt")).validate()
        let text = try await request.serializingString().value
        let parts = try await request.serializingResponse(using: CommaDelimitedSerializer()).value
        #expect(parts.joined(separator: ",") == text)
    }

    /// Advanced usage of Alamofire 5, "NetworkReachabilityManager"; the host is the test server's.
    @Test("A reachability manager reports the status of a host to its listener")
    func reachability() async throws {
        let manager = NetworkReachabilityManager(host: "127.0.0.1")
        typealias Status = NetworkReachabilityManager.NetworkReachabilityStatus
        let (statuses, continuation) = AsyncStream<Status>.makeStream()
        manager?.startListening { status in
            print("Network Status Changed: \(status)")
            continuation.yield(status)
        }
        let first = await statuses.first { _ in true }
        #expect(first != nil && first == manager?.status)
        manager?.stopListening()
    }
}
