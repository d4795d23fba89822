import Airframe
import AirframeTestSupport
import Foundation
import Testing

@Suite(
    "Samples: requests and what they are made from", .enabled(if: Peers.areExpected), .overEachEngine,
    .timeLimit(.minutes(2)))
struct RequestSamples {
    /// Advanced usage of Alamofire 5, "Session".
    @Test("AF is the default session")
    func defaultSession() {
        let session = Session.default
        #expect(AF === session)
    }

    /// Migration to Alamofire 4, "Data Request - Simple with URL string"; `Alamofire.request` is `AF.request` in 5.
    @Test("A request for a URL in a string is a GET; its response has request, head, data and metrics")
    func simple() async throws {
        let session = try makeSession()
        let urlString = try hangar("/get")
        let response: AFDataResponse<Data?> = await handled { done in
            session.request(urlString).response { response in
                dispatchPrecondition(condition: .onQueue(.main))
                done(response)
            }
        }
        #expect(response.request?.method == .get)
        #expect(response.request?.url?.absoluteString == urlString)
        #expect(response.response?.statusCode == 200)
        #expect(response.data?.isEmpty == false && response.value == response.data)
        #expect(response.error == nil)
        #expect(response.metrics?.transactionMetrics.isEmpty == false)
        #expect(response.debugDescription.contains("/get"))
    }

    /// Reading the source of Alamofire 5, "Using Alamofire".
    @Test("A handler is added to a request that is kept")
    func kept() async throws {
        let session = try makeSession()
        let url = try hangar("/post")
        let response: AFDataResponse<String> = await handled { requestComplete in
            let request = session.request(url, method: .post)
            request.responseString { response in
                requestComplete(response)
            }
        }
        #expect(response.response?.statusCode == 200)
        #expect(try response.result.get().contains(#""method""#))
    }

    /// Learning Alamofire 3.4.1: `Alamofire.request(.GET, …)` takes the URL first since 4.
    @Test("A request is validated and read as JSON in one chain")
    func chain() async throws {
        let session = try makeSession()
        let url = try hangar("/get")
        let response: AFDataResponse<any Sendable> = await handled { done in
            let asking: any JSONResponding = session.request(url).validate()
            asking.respondJSON { response in done(response) }
        }
        switch response.result {
        case .success(let json): #expect((json as? [String: Any])?["url"] as? String == url)
        case .failure(let error): Issue.record(error)
        }
    }

    /// Advanced usage of Alamofire 5, "URLConvertible".
    @Test("Strings, URLs and components are all URLs to request")
    func urlConvertible() async throws {
        let session = try makeSession()
        let urlString = try hangar("/get?a=1")
        let url = try #require(URL(string: urlString))
        let urlComponents = try #require(URLComponents(url: url, resolvingAgainstBaseURL: true))
        for request in [session.request(urlString), session.request(url), session.request(urlComponents)] {
            let echo = try await request.validate().serializingDecodable(EchoedRequest.self).value
            #expect(echo.args == ["a": "1"])
        }
    }

    /// Advanced usage of Alamofire 5, "URLConvertible": an application's own type.
    @Test("A type of the application's own is a URL to request")
    func ownURLConvertible() async throws {
        enum Resource: URLConvertible {
            case item(Int)
            func asURL() throws -> URL {
                switch self {
                case .item(let number): try hangar("/anything/items/\(number)").asURL()
                }
            }
        }
        let session = try makeSession()
        let response = await session.request(Resource.item(7)).validate().serializingData().response
        #expect(response.response?.url?.path() == "/anything/items/7" && response.error == nil)
    }

    /// Migration to Alamofire 4, "URLConvertible": an invalid URL is an error, not a crash.
    @Test("A string that is not a URL fails the request, and the error contains the string")
    func invalidURL() async throws {
        let session = try makeSession()
        let response: AFDataResponse<Data?> = await handled { done in
            session.request("").response { response in done(response) }
        }
        guard case .failure(.invalidURL(let url)) = response.result else {
            Issue.record("\(response.result)")
            return
        }
        #expect(url as? String == "")
        #expect(response.error?.isInvalidURLError == true)
    }

    /// Migration to Alamofire 4, "URLRequest Conformance".
    @Test("A URLRequest is asked for its URL's text")
    func urlText() throws {
        let urlRequest = URLRequest(url: try #require(URL(string: "https://httpbin.org/get")))
        let urlString = urlRequest.url?.absoluteString
        #expect(urlString == "https://httpbin.org/get")
    }

    /// Advanced usage of Alamofire 5, "URLRequestConvertible".
    @Test("A URLRequest with a method, a body and a field is sent as it is")
    func urlRequest() async throws {
        let session = try makeSession()
        let url = try #require(URL(string: try hangar("/post")))
        var urlRequest = URLRequest(url: url)
        urlRequest.method = .post

        let parameters = ["foo": "bar"]

        do {
            urlRequest.httpBody = try JSONEncoder().encode(parameters)
        } catch {
            Issue.record(error)
        }

        urlRequest.headers.add(.contentType("application/json"))

        let echo = try await session.request(urlRequest).validate().serializingDecodable(EchoedRequest.self).value
        #expect(echo.json == parameters && echo.method == "POST")
        #expect(echo.header("Content-Type") == "application/json")
    }

    /// Advanced usage of Alamofire 5, "Routing requests": a simple router.
    @Test("A router names the server's places")
    func simpleRouter() async throws {
        enum Router: URLRequestConvertible {
            case get, post

            var baseURL: URL {
                get throws { try hangar().asURL() }
            }

            var method: HTTPMethod {
                switch self {
                case .get: return .get
                case .post: return .post
                }
            }

            var path: String {
                switch self {
                case .get: return "get"
                case .post: return "post"
                }
            }

            func asURLRequest() throws -> URLRequest {
                let url = try baseURL.appendingPathComponent(path)
                var request = URLRequest(url: url)
                request.method = method

                return request
            }
        }
        let session = try makeSession()
        #expect(try await session.request(Router.get).serializingDecodable(EchoedRequest.self).value.method == "GET")
        #expect(try await session.request(Router.post).serializingDecodable(EchoedRequest.self).value.method == "POST")
    }

    /// Advanced usage of Alamofire 5, "Routing requests": a router with parameters.
    @Test("A router encodes the parameters of its places")
    func routerWithParameters() async throws {
        enum Router: URLRequestConvertible {
            case get([String: String]), post([String: String])

            var baseURL: URL {
                get throws { try hangar().asURL() }
            }

            var method: HTTPMethod {
                switch self {
                case .get: return .get
                case .post: return .post
                }
            }

            var path: String {
                switch self {
                case .get: return "get"
                case .post: return "post"
                }
            }

            func asURLRequest() throws -> URLRequest {
                let url = try baseURL.appendingPathComponent(path)
                var request = URLRequest(url: url)
                request.method = method

                switch self {
                case let .get(parameters):
                    request = try URLEncodedFormParameterEncoder().encode(parameters, into: request)
                case let .post(parameters):
                    request = try JSONParameterEncoder().encode(parameters, into: request)
                }

                return request
            }
        }
        let session = try makeSession()
        let parameters = ["foo": "bar & baz"]
        #expect(
            try await session.request(Router.get(parameters)).serializingDecodable(EchoedRequest.self).value.args
                == parameters)
        #expect(
            try await session.request(Router.post(parameters)).serializingDecodable(EchoedRequest.self).value.json
                == parameters)
    }

    /// Migration to Alamofire 4, "URLRequestConvertible": the router's errors fail the request.
    @Test("What a router throws is the request's error, and nothing is sent")
    func routerThatThrows() async throws {
        struct Router: URLRequestConvertible {
            func asURLRequest() throws -> URLRequest { throw CustomError(words: "no such place") }
        }
        let session = try makeSession()
        let request = session.request(Router())
        let response = await request.serializingData().response
        #expect(response.error?.isCreateURLRequestError == true)
        #expect(response.error?.underlyingError as? CustomError == CustomError(words: "no such place"))
        #expect(request.tasks.isEmpty)
    }
}
