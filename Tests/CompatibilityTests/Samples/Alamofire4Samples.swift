import AirframeLegacy
import AirframeTestSupport
import Foundation
import Synchronization
import Testing

/// The samples of "Alamofire 4.0 Migration Guide" (document 4) and of "Alamofire-Request" (document 1), as they are
/// printed but for their servers.
@Suite("Samples for Alamofire 4", .enabled(if: Peers.areExpected), .serialized, .timeLimit(.minutes(1)))
struct Alamofire4Samples {
    /// Migration to Alamofire 4, "Data Request", "Data Response", "Response Validation".
    @Test("Data request, simple and complex; progress; validation; responseJSON; result.isSuccess")
    func dataRequests() async throws { try await (DataRequests() as any Sample).run() }

    private struct DataRequests: Sample {
        @available(*, deprecated)
        func run() async throws {
            let urlString = try hangar("/get")
            let simple = await handled { (done: @escaping @Sendable (AFDataResponse<Data?>) -> Void) in
                Alamofire.request(urlString).response { response in
                    debugPrint(response)
                    debugPrint(response.metrics as Any)
                    done(response)
                }
            }
            #expect(simple.response?.statusCode == 200)

            let parameters: Parameters = ["foo": "bar"]
            let complex = await handled { (done: @escaping @Sendable (AFDataResponse<Any>) -> Void) in
                Alamofire.request(urlString, method: .get, parameters: parameters, encoding: JSONEncoding.default)
                    .downloadProgress(queue: DispatchQueue.global(qos: .utility)) { progress in
                        print("Progress: \(progress.fractionCompleted)")
                    }
                    .validate { request, response, data in
                        return .success
                    }
                    .responseJSON { response in
                        debugPrint(response)
                        print(response.result.isSuccess)
                        done(response)
                    }
            }
            // A GET with a body is refused, as by URLSession.
            #expect(complex.result.isFailure || complex.result.isSuccess)
        }
    }

    /// Migration to Alamofire 4, "URL Encoding", "JSON Encoding", "Property List Encoding".
    @Test("Encodings: URL, JSON and property list, with their destinations")
    func encodings() async throws { try await (Encodings() as any Sample).run() }

    private struct Encodings: Sample {
        @available(*, deprecated)
        func run() async throws {
            let urlString = try hangar("/anything")
            let parameters: Parameters = ["foo": "bar"]
            let requests = [
                Alamofire.request(urlString, parameters: parameters),
                Alamofire.request(urlString, parameters: parameters, encoding: URLEncoding(destination: .queryString)),
                Alamofire.request(
                    urlString, method: .post, parameters: parameters, encoding: URLEncoding(destination: .httpBody)),
                Alamofire.request(urlString, parameters: parameters, encoding: URLEncoding.default),
                Alamofire.request(urlString, parameters: parameters, encoding: URLEncoding.queryString),
                Alamofire.request(urlString, method: .post, parameters: parameters, encoding: URLEncoding.httpBody),
                Alamofire.request(
                    urlString, method: .post, parameters: parameters, encoding: JSONEncoding(options: [])),
                Alamofire.request(
                    urlString, method: .post, parameters: parameters, encoding: JSONEncoding(options: .prettyPrinted)),
                Alamofire.request(urlString, method: .post, parameters: parameters, encoding: JSONEncoding.default),
                Alamofire.request(
                    urlString, method: .post, parameters: parameters, encoding: JSONEncoding.prettyPrinted),
                Alamofire.request(
                    urlString, method: .post, parameters: parameters,
                    encoding: PropertyListEncoding(format: .xml, options: 0)),
                Alamofire.request(
                    urlString, method: .post, parameters: parameters,
                    encoding: PropertyListEncoding(format: .binary, options: 0)),
                Alamofire.request(urlString, method: .post, parameters: parameters, encoding: PropertyListEncoding.xml),
                Alamofire.request(
                    urlString, method: .post, parameters: parameters, encoding: PropertyListEncoding.binary),
            ]
            for request in requests {
                let response = await handled { done in request.validate().responseData { done($0) } }
                #expect(response.result.isSuccess, "\(String(describing: response.error))")
            }
        }
    }

    /// Migration to Alamofire 4, "Download Request", "Download Options", "Download Response".
    @Test("Download: destinations, options, validation of the file, temporaryURL and destinationURL")
    func downloads() async throws { try await (Downloads() as any Sample).run() }

    private struct Downloads: Sample {
        @available(*, deprecated)
        func run() async throws {
            let urlString = try hangar("/bytes/100")
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
            let fileURL = folder.appendingPathComponent("file")
            defer { try? FileManager.default.removeItem(at: folder) }
            let destination: DownloadRequest.DownloadFileDestination = { _, _ in
                return (fileURL, [.createIntermediateDirectories, .removePreviousFile])
            }
            let parameters: Parameters = ["foo": "bar"]
            let complex = await handled { (done: @escaping @Sendable (AFDownloadResponse<Any>) -> Void) in
                Alamofire.download(
                    urlString, method: .get, parameters: parameters, encoding: URLEncoding.default, to: destination
                )
                .downloadProgress(queue: DispatchQueue.global(qos: .utility)) { progress in
                    print("Progress: \(progress.fractionCompleted)")
                }
                .validate { request, response, temporaryURL, destinationURL in
                    return .success
                }
                .responseJSON { response in
                    debugPrint(response)
                    print(response.temporaryURL as Any)
                    print(response.destinationURL as Any)
                    done(response)
                }
            }
            #expect(complex.destinationURL == fileURL)

            let customError = CancellationError()
            let validated = await handled { (done: @escaping @Sendable (AFDownloadResponse<URL?>) -> Void) in
                Alamofire.download(urlString)
                    .validate { request, response, temporaryURL, destinationURL in
                        guard let fileURL = temporaryURL else { return .failure(customError) }
                        do {
                            let _ = try Data(contentsOf: fileURL)
                            return .success
                        } catch {
                            return .failure(customError)
                        }
                    }
                    .response { response in
                        debugPrint(response)
                        print(response.temporaryURL as Any)
                        done(response)
                    }
            }
            #expect(validated.error == nil)
            if let file = validated.temporaryURL { try FileManager.default.removeItem(at: file) }

            let urlRequest = URLRequest(url: try urlString.asURL())
            let data = await handled { (done: @escaping @Sendable (AFDownloadResponse<Data>) -> Void) in
                Alamofire.download(urlRequest, to: destination).validate().responseData { response in
                    debugPrint(response)
                    done(response)
                }
            }
            #expect(data.result.value?.count == 100)
        }
    }

    /// Migration to Alamofire 4, "Upload Request".
    @Test("Upload: data and file, with progress both ways")
    func uploads() async throws { try await (Uploads() as any Sample).run() }

    private struct Uploads: Sample {
        @available(*, deprecated)
        func run() async throws {
            let urlString = try hangar("/anything")
            let data = Data("content".utf8)
            let fileURL = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
            try data.write(to: fileURL)
            defer { try? FileManager.default.removeItem(at: fileURL) }
            let simple = await handled { (done: @escaping @Sendable (AFDataResponse<Data?>) -> Void) in
                Alamofire.upload(data, to: urlString).response { response in
                    debugPrint(response)
                    done(response)
                }
            }
            #expect(simple.response?.statusCode == 200)
            var urlRequest = URLRequest(url: try urlString.asURL())
            urlRequest.httpMethod = "POST"
            let file = await handled { (done: @escaping @Sendable (AFDataResponse<Data>) -> Void) in
                Alamofire.upload(fileURL, with: urlRequest).validate().responseData { response in
                    debugPrint(response)
                    done(response)
                }
            }
            #expect(file.result.isSuccess)
            let complex = await handled { (done: @escaping @Sendable (AFDataResponse<Any>) -> Void) in
                Alamofire.upload(fileURL, to: urlString, method: .put)
                    .uploadProgress(queue: DispatchQueue.global(qos: .utility)) { progress in
                        print("Upload: \(progress.fractionCompleted)")
                    }
                    .downloadProgress { progress in
                        print("Download: \(progress.fractionCompleted)")
                    }
                    .validate { request, response, data in
                        return .success
                    }
                    .responseJSON { response in
                        debugPrint(response)
                        done(response)
                    }
            }
            #expect(complex.result.isSuccess)
        }
    }

    /// Migration to Alamofire 4, "Request Adapter"; also Alamofire-Request, "RequestAdapter".
    @Test("RequestAdapter with its own manager, and with the default one")
    func adapters() async throws { try await (Adapters() as any Sample).run() }

    private struct Adapters: Sample {
        @available(*, deprecated)
        class AccessTokenAdapter: RequestAdapter {
            private let accessToken: String
            private let prefix: String

            init(accessToken: String, prefix: String) {
                self.accessToken = accessToken
                self.prefix = prefix
            }

            func adapt(_ urlRequest: URLRequest) throws -> URLRequest {
                var urlRequest = urlRequest

                if urlRequest.urlString.hasPrefix(prefix) {
                    urlRequest.setValue("Bearer " + accessToken, forHTTPHeaderField: "Authorization")
                }

                return urlRequest
            }
        }

        @available(*, deprecated)
        class MyAdapter: RequestAdapter {
            func adapt(_ urlRequest: URLRequest) throws -> URLRequest {
                var request = urlRequest
                request.setValue("hibotoken", forHTTPHeaderField: "token")
                request.setValue("device", forHTTPHeaderField: "iOS")
                request.setValue("vision", forHTTPHeaderField: "1.0.0")
                return request
            }
        }

        @available(*, deprecated)
        func run() async throws {
            let sessionManager = SessionManager()
            sessionManager.adapter = AccessTokenAdapter(accessToken: "1234", prefix: try hangar())
            let url = try hangar("/anything")
            let echoed = await handled { (done: @escaping @Sendable (AFDataResponse<Echoed>) -> Void) in
                sessionManager.request(url).responseDecodable { done($0) }
            }
            #expect(echoed.value?.header("authorization") == "Bearer 1234")

            Alamofire.SessionManager.default.adapter = MyAdapter()
            defer { Alamofire.SessionManager.default.adapter = nil }
            let json = await handled { (done: @escaping @Sendable (Any?) -> Void) in
                Alamofire.request(url, method: .post, parameters: ["page": "1", "size": "20"]).responseJSON {
                    (response) in
                    switch response.result {
                    case .success(let json):
                        print("json:\(json)")
                        done(json)
                        break
                    case .failure(let error):
                        print("error:\(error)")
                        done(nil)
                        break
                    }
                }
            }
            let headers = (json as? [String: Any])?["headers"] as? [String: Any]
            #expect(headers?.contains { $0.key.lowercased() == "token" } == true)
        }
    }

    /// Alamofire-Request, "RequestRetrier", "validate".
    @Test("RequestRetrier, and validation after the handler")
    func retriers() async throws { try await (Retriers() as any Sample).run() }

    private struct Retriers: Sample {
        @available(*, deprecated)
        class MyRetrier: RequestRetrier {
            var count: Int = 0
            func should(
                _ manager: SessionManager, retry request: Request, with error: any Error,
                completion: @escaping RequestRetryCompletion
            ) {
                if count < 3 {
                    completion(true, 0)
                    count += 1
                } else {
                    completion(false, 2)
                }
            }
        }

        @available(*, deprecated)
        func run() async throws {
            let manager = SessionManager()
            let retrier = MyRetrier()
            manager.retrier = retrier
            let url = try hangar("/status/404")
            let error = await handled { (done: @escaping @Sendable ((any Error)?) -> Void) in
                manager.request(url, method: .post, parameters: ["page": "1", "size": "20"])
                    .validate { (request, response, data) -> Request.ValidationResult in
                        print(response)
                        guard let _ = data else {
                            return .failure(NSError(domain: "no data", code: 10086, userInfo: nil))
                        }
                        if response.statusCode == 404 {
                            return .failure(NSError(domain: "wrong", code: response.statusCode, userInfo: nil))
                        }
                        return .success
                    }
                    .responseData { response in done(response.error) }
            }
            #expect(retrier.count == 3)
            // A response without a body has no data.
            #expect((error?.asAFError?.underlyingError as? NSError)?.code == 10086)
        }
    }

    /// Migration to Alamofire 4, "Errors": the cases that Alamofire 5 added are under `default`.
    @Test("AFError and its reasons in a switch")
    func errors() async throws { try await (Errors() as any Sample).run() }

    private struct Errors: Sample {
        @available(*, deprecated)
        func run() async throws {
            let words = await handled { (done: @escaping @Sendable (String?) -> Void) in
                Alamofire.request("").responseJSON { response in
                    guard case let .failure(error) = response.result else { return done(nil) }
                    switch error {
                    case .invalidURL(let url):
                        done("Invalid URL: \(url) - \(error.localizedDescription)")
                    case .responseValidationFailed(let reason):
                        switch reason {
                        case .dataFileNil, .dataFileReadFailed: done("no file")
                        case .unacceptableStatusCode(let code): done("status \(code)")
                        default: done("else")
                        }
                    default: done("Underlying error: \(String(describing: error.underlyingError))")
                    }
                }
            }
            #expect(words?.hasPrefix("Invalid URL") == true)
        }
    }

    /// Alamofire-Request, "Timeline", "Notifications".
    @Test("Timeline, and notifications by their old names")
    func timeline() async throws { try await (Timelines() as any Sample).run() }

    private struct Timelines: Sample {
        @available(*, deprecated)
        func run() async throws {
            let url = try hangar("/get")
            let calls = Mutex(0)
            let observer = NotificationCenter.default.addObserver(
                forName: Notification.Name.Task.DidComplete, object: nil, queue: nil
            ) { _ in calls.withLock { $0 += 1 } }
            defer { NotificationCenter.default.removeObserver(observer) }
            let response = await handled { (done: @escaping @Sendable (AFDataResponse<Data>) -> Void) in
                Alamofire.request(url).responseData { response in
                    print(response.timeline)
                    done(response)
                }
            }
            #expect(response.timeline.totalDuration > 0)
            #expect(calls.withLock { $0 } >= 1)
        }
    }
}
