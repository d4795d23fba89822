import Airframe
import AirframeTestSupport
import Foundation
import Testing

@Suite("Samples: the life of a request", .enabled(if: Peers.areExpected), .overEachEngine, .timeLimit(.minutes(2)))
struct LifecycleSamples {
    /// Advanced usage of Alamofire 5, "State".
    @Test("A request is initialized, then resumed, then finished; a late handler still gets its response")
    func states() async throws {
        let session = try makeSession()
        let request = session.request(try hangar("/get"))
        #expect(request.state == .initialized)
        let first: AFDataResponse<Data?> = await handled { done in
            request.response { response in done(response) }
        }
        #expect(first.error == nil)
        let late: AFDataResponse<String> = await handled { done in
            request.responseString { response in done(response) }
        }
        #expect(late.value?.isEmpty == false)
        #expect(request.tasks.count == 1)
    }

    /// Advanced usage of Alamofire 5, "State".
    @Test("A suspended request continues when it is resumed, a cancelled one does not")
    func suspendAndCancel() async throws {
        let session = try makeSession()
        let url = try hangar("/get")
        let request = session.request(url).suspend()
        #expect(request.isSuspended)
        let response: AFDataResponse<Data?> = await handled { done in
            request.response { response in done(response) }
            request.resume()
        }
        #expect(response.error == nil)

        let cancelled = session.request(url).cancel()
        #expect(cancelled.isCancelled)
        cancelled.resume()
        cancelled.suspend()
        #expect(cancelled.isCancelled)
        let error = await cancelled.serializingData().response.error
        #expect(error?.isExplicitlyCancelledError == true)
        #expect(cancelled.error?.isExplicitlyCancelledError == true)
    }

    /// Advanced usage of Alamofire 5, "Progress".
    @Test("Progress is followed both ways before the handler is called")
    func progress() async throws {
        let session = try makeSession()
        let request = session.request(try hangar("/post"), method: .post, parameters: ["foo": "bar"])
            .uploadProgress { progress in
                #expect(progress.fractionCompleted <= 1)
            }
            .downloadProgress { progress in
                #expect(progress.fractionCompleted <= 1)
            }
        let response: AFDataResponse<EchoedRequest> = await handled { done in
            request.responseDecodable(of: EchoedRequest.self) { response in
                debugPrint(response)
                done(response)
            }
        }
        let length = Int64(response.data?.count ?? 0)
        #expect(length > 0 && request.downloadProgress.totalUnitCount == length)
        #expect(request.uploadProgress.completedUnitCount == Int64("foo=bar".utf8.count))
    }

    /// Advanced usage of Alamofire 5, "A Request's URLRequests", "URLSessionTasks" and "Response".
    @Test("A request keeps its original and adapted URL requests, and a task and metrics for each attempt")
    func requestsAndTasks() async throws {
        let adapter = Adapter { urlRequest, _, completion in
            var urlRequest = urlRequest
            urlRequest.headers.add(name: "X-Adapted", value: "yes")
            completion(.success(urlRequest))
        }
        let retrier = Retrier { request, _, _, completion in
            completion(request.retryCount == 0 ? .retry : .doNotRetry)
        }
        let session = try makeSession()
        let url = try hangar("/fail-then-succeed/\(UUID().uuidString)?failures=1&status=503")
        let request = session.request(url, interceptor: Interceptor(adapter: adapter, retrier: retrier)).validate()
        let response = await request.serializingData().response
        #expect(response.error == nil && request.retryCount == 1)
        #expect(request.requests.map { $0.headers["X-Adapted"] } == [nil, "yes", nil, "yes"])
        #expect(request.tasks.map { $0.response?.statusCode } == [503, 200])
        #expect(request.response?.statusCode == 200)
        #expect(request.allMetrics.count == 2)
    }

    /// Advanced usage of Alamofire 5, "URLSessionTaskMetrics"; migration to Alamofire 4, "Task Metrics".
    @Test("A response has the metrics of its request, and the time line that Alamofire 3 and 4 had")
    func metrics() async throws {
        let session = try makeSession()
        let url = try hangar("/get")
        let response: AFDataResponse<EchoedRequest> = await handled { done in
            session.request(url).responseDecodable(of: EchoedRequest.self) { response in
                debugPrint(response.metrics as Any)
                done(response)
            }
        }
        let metrics = try #require(response.metrics)
        #expect(metrics.taskInterval.duration > 0)
        let transaction = try #require(metrics.transactionMetrics.last)
        #expect(transaction.requestStartDate != nil && transaction.responseEndDate != nil)
        let timeline = response.timeline
        #expect(timeline.requestStartTime <= timeline.initialResponseTime)
        #expect(timeline.initialResponseTime <= timeline.requestCompletedTime)
        #expect(timeline.requestCompletedTime <= timeline.serializationCompletedTime)
        #expect(timeline.totalDuration >= timeline.requestDuration)
        #expect(timeline.description.contains("latency"))
    }

    /// Learning Alamofire 3.4.1, "Notifications"; tasks and requests have their own names since Alamofire 5.
    @Test("Notifications report that a request was resumed and that it finished")
    func notifications() async throws {
        let session = try makeSession()
        let request = session.request(try hangar("/get"))
        let names: [Notification.Name] = [
            Request.didResumeNotification, Request.didResumeTaskNotification, Request.didCompleteTaskNotification,
            Request.didFinishNotification,
        ]
        let (posted, post) = AsyncStream.makeStream(of: Notification.Name.self)
        let observers = names.map { name in
            NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { notification in
                if notification.request === request { post.yield(notification.name) }
            }
        }
        defer { for observer in observers { NotificationCenter.default.removeObserver(observer) } }
        _ = await request.serializingData().response
        var seen: Set<Notification.Name> = []
        for await name in posted {
            seen.insert(name)
            if seen.count == names.count { break }
        }
        #expect(seen == Set(names))
    }

    @Test("A request is described as a cURL command that asks for the same, without its secrets")
    func curl() async throws {
        let session = try makeSession()
        let url = try hangar("/post")
        let headers: HTTPHeaders = [.authorization(bearerToken: "secret")]
        let parameters = ["foo": "it's"]
        let description: String = await handled { done in
            session.request(url, method: .post, parameters: parameters, encoder: .json, headers: headers)
                .cURLDescription { description in done(description) }
                .response { _ in }
        }
        #expect(description.hasPrefix("$ curl"))
        #expect(description.contains("-X POST") && description.contains(url))
        #expect(!description.contains("secret"))
    }
}
