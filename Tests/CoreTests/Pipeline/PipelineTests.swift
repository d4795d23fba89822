import AirframeCore
import AirframeSerialization
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Synchronization
import Testing

@Suite("The pipeline", .timeLimit(.minutes(1)))
struct PipelineTests {
    @Test("a completion handler receives the decoded value")
    func completionHandler() async throws {
        let session = Session(transport: ClosureTransport { .text(#"{"id":7}"#, to: $0) })
        let response = await withCheckedContinuation { continuation in
            session.request("http://api.test/user").validate()
                .responseDecodable(of: User.self, queue: .global()) { continuation.resume(returning: $0) }
        }
        #expect(try response.result.get() == User(id: 7))
        #expect(response.response?.statusCode == 200)
        #expect(response.request?.url?.absoluteString == "http://api.test/user")
        #expect(response.metrics != nil)
    }

    @Test("an awaited chain returns the decoded value")
    func awaited() async throws {
        let session = Session(transport: ClosureTransport { .text(#"{"id":7}"#, to: $0) })
        let user = try await session.request("http://api.test/user").validate().serializingDecodable(User.self).value
        #expect(user == User(id: 7))
    }

    @Test("several handlers of one request receive the response in order")
    func severalHandlers() async throws {
        let transport = ScriptedTransport { .text("text", to: $0) }
        let session = Session(transport: transport)
        let request = session.request("http://api.test/")
        async let first = request.serializingString().value
        async let second = request.serializingData().value
        #expect(try await first == "text")
        #expect(try await second == Data("text".utf8))
        #expect(try await request.serializingString().value == "text", "a late handler gets it too")
        #expect(transport.heads.count == 1)
        #expect(request.isFinished)
    }

    @Test("a handler starts the request only if requests start automatically")
    func startsOnResume() async throws {
        let transport = ScriptedTransport { .text("text", to: $0) }
        let session = Session(transport: transport, startRequestsImmediately: false)
        let request = session.request("http://api.test/")
        let task = request.serializingString()
        try await Task.sleep(for: .milliseconds(20))
        #expect(transport.heads.isEmpty)
        #expect(request.isInitialized)
        request.resume()
        #expect(try await task.value == "text")
    }

    @Test("a status that validation rejects is an error with the data", arguments: [199, 300, 404, 500])
    func validation(status: Int) async throws {
        let session = Session(transport: ClosureTransport { .text("why", status: status, to: $0) })
        let response = await session.request("http://api.test/").validate(statusCode: 200..<300)
            .serializingString().response
        #expect(response.error?.responseCode == status)
        #expect(response.data == Data("why".utf8))
    }

    @Test(
        "invalid input fails with a specific error, and nothing is sent",
        arguments: [
            "", "http://", "no scheme", "http://[::1", "//host/path",
        ])
    func badURL(url: String) async throws {
        let transport = ScriptedTransport { .text(to: $0) }
        let session = Session(transport: transport)
        let error = await session.request(url).serializingData().response.error
        let isUnsupported = (error?.underlyingError as? URLError)?.code == .unsupportedURL
        #expect(error?.isInvalidURLError == true || isUnsupported, "\(String(describing: error))")
        #expect(transport.heads.isEmpty)
    }

    @Test(
        "a header field with CR or LF fails with an error that names it, and nothing is sent",
        arguments: [
            "a\r\nX-Injected: 1", "a\nb", "a\rb", "a\0b",
        ])
    func injection(value: String) async throws {
        let transport = ScriptedTransport { .text(to: $0) }
        let session = Session(transport: transport)
        let error = await session.request("http://api.test/", headers: ["X-Name": value])
            .serializingData().response.error
        #expect(error?.isCreateURLRequestError == true)
        #expect(error?.localizedDescription.contains("X-Name") == true)
        #expect(transport.heads.isEmpty)
    }

    @Test("cancelling before, during and after the run ends a request once, with one error")
    func cancellation() async throws {
        let endless = EndlessBody()
        let session = Session(
            transport: ClosureTransport { request in
                TransportResponse(head: .init(status: .ok), body: ResponseBody(endless), request: request.head)
            }
        )
        let before = session.request("http://api.test/").cancel()
        #expect(await before.serializingData().response.error?.isExplicitlyCancelledError == true)

        let running = session.request("http://api.test/")
        let task = running.serializingData()
        while running.data == nil { try await Task.sleep(for: .milliseconds(1)) }
        running.cancel()
        running.cancel()
        #expect(await task.response.error?.isExplicitlyCancelledError == true)
        #expect(running.isCancelled)
        let pulls = endless.pulls
        try await Task.sleep(for: .milliseconds(20))
        #expect(endless.pulls == pulls)
        running.cancel()
        #expect(running.isCancelled)
    }

    @Test("a suspended request pulls no more of the body until it is resumed")
    func suspension() async throws {
        let endless = EndlessBody()
        let session = Session(
            transport: ClosureTransport { request in
                TransportResponse(head: .init(status: .ok), body: ResponseBody(endless), request: request.head)
            }
        )
        let request = session.request("http://api.test/")
        let task = request.serializingData()
        while request.data == nil { try await Task.sleep(for: .milliseconds(1)) }
        request.suspend()
        try await Task.sleep(for: .milliseconds(20))
        let pulls = endless.pulls
        try await Task.sleep(for: .milliseconds(50))
        #expect(endless.pulls == pulls)
        request.resume()
        while endless.pulls == pulls { try await Task.sleep(for: .milliseconds(1)) }
        request.cancel()
        _ = await task.response
    }

    @Test("releasing a session ends its requests")
    func sessionDeinit() async throws {
        var session: Session? = Session(
            transport: ClosureTransport { request throws(TransportError) in
                do { try await Task.sleep(for: .seconds(60)) } catch {
                    throw .cancelled(in: .responseHead, processing: .unknown)
                }
                return .text(to: request)
            }
        )
        let task = session?.request("http://api.test/").serializingData()
        try await Task.sleep(for: .milliseconds(10))
        session = nil
        #expect(await task?.response.error?.isSessionDeinitializedError == true)
    }

    @Test("a retry adapts the request again")
    func retry() async throws {
        let attempts = Atomic<Int>(0)
        let transport = ScriptedTransport { request in
            let attempt = attempts.wrappingAdd(1, ordering: .relaxed).newValue
            return .text("\(attempt)", status: attempt < 3 ? 503 : 200, to: request)
        }
        let adapter = Adapter { request, _, completion in
            var request = request
            request.headers.add(name: "X-Attempt", value: "\(attempts.load(ordering: .relaxed))")
            completion(.success(request))
        }
        let retrier = Retrier { request, _, _, completion in
            completion(request.retryCount < 5 ? .retryWithDelay(0.001) : .doNotRetry)
        }
        let session = Session(transport: transport)
        let request = session.request("http://api.test/", interceptor: Interceptor(adapter: adapter, retrier: retrier))
            .validate()
        #expect(try await request.serializingString().value == "3")
        #expect(request.retryCount == 2)
        #expect(request.tasks.count == 3)
        #expect(transport.heads.map { $0.headerFields[.init("X-Attempt")!] } == ["0", "1", "2"])
    }

    @Test("redirects are followed by default, and the response has the last URL")
    func redirect() async throws {
        let transport = ClosureTransport { request in
            request.head.path == "/old"
                ? .text(status: 302, fields: [.location: "/new?x=1"], to: request) : .text("new", to: request)
        }
        let session = Session(transport: transport)
        let request = session.request("http://api.test/old").validate()
        let response = await request.serializingString().response
        #expect(try response.result.get() == "new")
        #expect(response.response?.url?.absoluteString == "http://api.test/new?x=1")
        #expect(request.performedRequests.map(\.url?.absoluteString) == ["http://api.test/new?x=1"])
        #expect(response.metrics?.redirectCount == 1)
    }

    @Test("a redirect handler may decline a redirect or change its target")
    func redirectHandler() async throws {
        let transport = ClosureTransport { request in
            request.head.path == "/old"
                ? .text(status: 302, fields: [.location: "/new"], to: request)
                : .text(request.head.path ?? "", to: request)
        }
        let session = Session(transport: transport)
        let declined = await session.request("http://api.test/old").redirect(using: .doNotFollow)
            .serializingString().response
        #expect(declined.response?.statusCode == 302)
        let changed = session.request("http://api.test/old")
            .redirect(
                using: .modify { _, request, _ in
                    var request = request
                    request.url = URL(string: "http://api.test/other")
                    return request
                })
        #expect(try await changed.serializingString().value == "/other")
    }

    @Test("a download is moved to its destination, and fails if the destination is not writable")
    func download() async throws {
        let session = Session(transport: ClosureTransport { .text("content", to: $0) })
        let directory = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: directory) }
        let target = directory.appendingPathComponent("a/b.txt")
        let url = try await session.download(
            "http://api.test/file",
            to: { _, _ in
                (target, [.createIntermediateDirectories, .removePreviousFile])
            }
        ).validate().serializingDownloadedFileURL().value
        #expect(url == target)
        #expect(try String(contentsOf: url, encoding: .utf8) == "content")

        let blocked = await session.download(
            "http://api.test/file",
            to: { _, _ in
                (target.appendingPathComponent("c"), [])
            }
        ).serializingDownloadedFileURL().response
        #expect(blocked.error?.isDownloadedFileMoveError == true)
        #expect(blocked.error?.destinationURL == target.appendingPathComponent("c"))
    }

    @Test("default fields are sent unless the request sets them; Accept-Encoding names the transport's codings")
    func defaultFields() async throws {
        let transport = ScriptedTransport { .text(to: $0) }
        let session = Session(transport: transport)
        _ = await session.request("http://api.test/", headers: [.userAgent("own")]).serializingData().response
        let fields = try #require(transport.heads.first).headerFields
        #expect(fields[.userAgent] == "own")
        #expect(fields[.acceptLanguage] != nil)
        #expect(fields[.acceptEncoding] == nil)
    }

    @Test("thousands of concurrent requests complete and leave the session")
    func many() async throws {
        let session = Session(transport: ClosureTransport { .text("x", to: $0) })
        let count = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<5_000 {
                group.addTask {
                    (try? await session.request("http://api.test/").serializingString().value) == "x" ? 1 : 0
                }
            }
            return await group.reduce(0, +)
        }
        #expect(count == 5_000)
        let left = await withCheckedContinuation { continuation in
            session.withAllRequests { continuation.resume(returning: $0.count) }
        }
        #expect(left == 0)
    }

    @Test("a finished request is released, regardless of its chain of calls")
    func noCycles() async throws {
        let session = Session(transport: ClosureTransport { .text("[1]", to: $0) })
        weak var data: DataRequest?
        weak var download: DownloadRequest?
        do {
            let request = session.request("http://api.test/", headers: [.accept("*/*")]).validate()
                .validate(contentType: ["text/*", "*/*"]).validate(statusCode: [200])
                .downloadProgress(queue: .global()) { _ in }
                .cURLDescription { _ in }
                .onHTTPResponse(on: .global()) { _ in }
                .redirect(using: .follow)
            data = request
            _ = try await request.serializingDecodable([Int].self).value
            let file = session.download("http://api.test/").validate()
            download = file
            let url = try await file.serializingDownloadedFileURL().value
            try FileManager.default.removeItem(at: url)
        }
        // The pipeline's task may retain the request shortly after the delivery.
        for _ in 0..<200 where data != nil || download != nil { try await Task.sleep(for: .milliseconds(5)) }
        #expect(data == nil)
        #expect(download == nil)
    }
}

private struct User: Codable, Equatable {
    let id: Int
}
