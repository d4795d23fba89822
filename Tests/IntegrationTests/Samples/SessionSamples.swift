import Airframe
import AirframeTestSupport
import Foundation
import Testing

@Suite("Samples: sessions and event monitors", .enabled(if: Peers.areExpected), .timeLimit(.minutes(2)))
struct SessionSamples {
    /// The default configuration, without a proxy that the environment may name.
    private var configuration: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.af.default
        configuration.transportOptions.proxy = ProxyPolicy.none
        return configuration
    }

    /// Advanced usage of Alamofire 5, "Creating a Session with a URLSessionConfiguration".
    @Test("A session has its configuration, and later changes of it have no effect")
    func configured() async throws {
        let configuration = configuration
        configuration.allowsCellularAccess = false
        configuration.headers.add(name: "X-Own", value: "before")

        let session = Session(configuration: configuration)
        configuration.headers.update(name: "X-Own", value: "after")
        let echo = try await session.request(try hangar("/get")).validate().serializingDecodable(EchoedRequest.self)
            .value
        #expect(echo.header("X-Own") == "before")
        #expect(!session.sessionConfiguration.allowsCellularAccess)
    }

    /// Advanced usage of Alamofire 5, "startRequestsImmediately".
    @Test("A session that does not start requests waits for resume()")
    func startRequestsImmediately() async throws {
        let session = Session(configuration: configuration, startRequestsImmediately: false)
        let url = try hangar("/get")
        let request = session.request(url)
        let response: AFDataResponse<Data?> = await handled { done in
            request.response { response in done(response) }
            #expect(request.isInitialized && request.tasks.isEmpty)
            request.resume()
        }
        #expect(response.error == nil)
    }

    /// Advanced usage of Alamofire 5, "A Session's DispatchQueues".
    @Test("A session has queues for requests and for serialization")
    func queues() async throws {
        let rootQueue = DispatchQueue(label: "com.app.session.rootQueue")
        let requestQueue = DispatchQueue(label: "com.app.session.requestQueue")
        let serializationQueue = DispatchQueue(label: "com.app.session.serializationQueue")

        let session = Session(
            configuration: configuration,
            rootQueue: rootQueue,
            requestQueue: requestQueue,
            serializationQueue: serializationQueue
        )

        struct Router: URLRequestConvertible {
            let url: String
            let queue: DispatchQueue
            func asURLRequest() throws -> URLRequest {
                dispatchPrecondition(condition: .onQueue(queue))
                return URLRequest(url: try url.asURL())
            }
        }
        struct QueueSerializer: DataResponseSerializerProtocol {
            let queue: DispatchQueue
            func serialize(
                request: URLRequest?, response: HTTPURLResponse?, data: Data?, error: (any Error)?
            ) throws -> Int? {
                dispatchPrecondition(condition: .onQueue(queue))
                return response?.statusCode
            }
        }
        let status = try await session.request(Router(url: hangar("/get"), queue: requestQueue))
            .serializingResponse(using: QueueSerializer(queue: serializationQueue)).value
        #expect(status == 200)
        #expect(session.rootQueue === rootQueue)
    }

    /// Advanced usage of Alamofire 5, "Adding EventMonitors".
    @Test("A monitor of closures receives the end of a task")
    func closureMonitor() async throws {
        let (ends, end) = AsyncStream.makeStream(of: (Request, URLSessionTask, AFError?).self)
        let monitor = ClosureEventMonitor()
        monitor.requestDidCompleteTaskWithError = { (request, task, error) in
            debugPrint(request)
            end.yield((request, task, error))
        }
        let session = Session(configuration: configuration, eventMonitors: [monitor])
        let request = session.request(try hangar("/get"))
        _ = await request.serializingData().response
        var iterator = ends.makeAsyncIterator()
        let seen = await iterator.next()
        #expect(seen?.0 === request && seen?.1 === request.task)
        #expect(seen.map { $0.2 == nil } == true)
    }

    /// Advanced usage of Alamofire 5, "Logging".
    @Test("A logging monitor receives that a request was resumed and its response parsed")
    func logger() async throws {
        final class Logger: EventMonitor {
            let queue = DispatchQueue(label: "org.example.logger")
            let lines: AsyncStream<String>
            private let output: AsyncStream<String>.Continuation

            init() { (lines, output) = AsyncStream.makeStream() }

            // Event called when any type of Request is resumed.
            func requestDidResume(_ request: Request) {
                output.yield("Resuming: \(request)")
            }

            // Event called whenever a DataRequest has parsed a response.
            func request<Value>(_ request: DataRequest, didParseResponse response: DataResponse<Value, AFError>) {
                output.yield("Finished: \(response)")
            }
        }
        let logger = Logger()
        let session = Session(configuration: configuration, eventMonitors: [logger])
        _ = await session.request(try hangar("/get")).serializingDecodable(EchoedRequest.self).response
        var lines: [String] = []
        for await line in logger.lines {
            lines.append(line)
            if lines.count == 2 { break }
        }
        #expect(lines.first?.hasPrefix("Resuming: ") == true && lines.last?.hasPrefix("Finished: ") == true, "\(lines)")
    }

    /// Advanced usage of Alamofire 5, "ServerTrustManager": hosts without an evaluator are refused.
    @Test("A session with a trust manager rejects hosts without an evaluator; plain HTTP is not evaluated")
    func serverTrustManager() async throws {
        let manager = ServerTrustManager(evaluators: ["httpbin.org": PinnedCertificatesTrustEvaluator()])
        let session = Session(configuration: configuration, serverTrustManager: manager)
        let response = await session.request(try hangar("/get")).validate().serializingData().response
        #expect(response.error == nil)
        #expect(throws: AFError.self) { try manager.serverTrustEvaluator(forHost: "api.test") }
        #expect(try manager.serverTrustEvaluator(forHost: "httpbin.org") is PinnedCertificatesTrustEvaluator)
    }

    @Test("All requests of a session are cancelled together")
    func cancelAll() async throws {
        let session = Session(configuration: configuration)
        let url = try hangar("/delay/100")
        let requests = (0..<3).map { _ in session.request(url) }
        let tasks = requests.map { $0.serializingData(automaticallyCancelling: false) }
        for request in requests {
            for await _ in request.urlSessionTasks() { break }
        }
        session.cancelAllRequests()
        for task in tasks {
            #expect(await task.response.error?.isExplicitlyCancelledError == true)
        }
        #expect(requests.allSatisfy { $0.isCancelled })
    }
}
