import Airframe
import AirframeTestSupport
import Foundation
import Testing

@Suite("Events of a request's preparation", .timeLimit(.minutes(1)))
struct PreparationEventTests {
    private let monitor = RecordingMonitor()

    private func session(_ adapt: @escaping @Sendable (inout URLRequest) -> Void = { _ in }) -> Session {
        let adapter = Adapter { request, _, completion in
            var request = request
            adapt(&request)
            completion(.success(request))
        }
        return Session(
            transport: ClosureTransport { .text("text", to: $0) },
            interceptor: Interceptor(adapters: [adapter]),
            eventMonitors: [monitor]
        )
    }

    @Test("a GET with a body is neither recorded nor announced, and fails as a request that could not be made")
    func invalid() async throws {
        var urlRequest = try URLRequest(url: "http://api.test/", method: .get)
        urlRequest.httpBody = Data("body".utf8)
        let session = session()
        let request = session.request(urlRequest)
        let error = await request.serializingString().response.error
        guard case .urlRequestValidationFailed(.bodyDataInGETRequest) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(await monitor.events == ["resume", "no request", "finish", "parsed value"])
        #expect(request.request == nil && request.requests.isEmpty)
    }

    @Test("a GET to which an adapter adds a body is neither recorded nor announced as adapted")
    func invalidAdaptation() async throws {
        let session = self.session { $0.httpBody = Data("body".utf8) }
        let request = session.request("http://api.test/")
        let error = await request.serializingString().response.error
        guard case .requestAdaptationFailed(let cause) = error,
            case .urlRequestValidationFailed(.bodyDataInGETRequest) = cause as? AFError
        else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(await monitor.events == ["resume", "initial request", "not adapted", "finish", "parsed value"])
        #expect(request.requests.map(\.httpBody) == [nil])
    }

    @Test("a request that is cancelled while an adapter is pending has no failed adaptation")
    func cancelledAdaptation() async throws {
        let asked = Counter()
        let session = Session(
            transport: ClosureTransport { .text("text", to: $0) },
            interceptor: Interceptor(adapters: [Adapter { _, _, _ in asked.next() }]),
            eventMonitors: [monitor]
        )
        let request = session.request("http://api.test/")
        let task = request.serializingString()
        try await eventually("the adapter") { asked.value > 0 }
        request.cancel()
        #expect(await task.response.error?.isExplicitlyCancelledError == true)
        #expect(await monitor.events == ["resume", "initial request", "cancel", "finish", "parsed value"])
    }

    /// The content of an upload.
    enum Content: CaseIterable, Sendable {
        case data, file, stream, body, form
    }

    private func upload(_ content: Content, _ session: Session, file: URL) throws -> UploadRequest {
        let data = Data("content".utf8)
        switch content {
        case .data: return session.upload(data, to: "http://api.test/")
        case .file:
            try data.write(to: file)
            return session.upload(file, to: "http://api.test/")
        case .stream: return session.upload(InputStream(data: data), to: "http://api.test/")
        case .body: return session.upload(RequestBody.bytes(data), to: "http://api.test/")
        case .form:
            let form = MultipartFormData()
            form.append(data, withName: "a")
            return session.upload(multipartFormData: form, to: "http://api.test/")
        }
    }

    @Test(
        "the content of an upload is made after adaptation and before the request is ready",
        arguments: Content.allCases)
    func order(content: Content) async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: file) }
        let session = session()
        _ = try await upload(content, session, file: file).serializingString().value
        let expected = ["resume", "initial request", "adapted", "content", "request", "task", "resume task"]
        #expect(await monitor.events.prefix(expected.count) == expected[...])
    }

    @Test("content that cannot be made fails the request alone, and the request is described")
    func missingContent() async throws {
        let described = Log<String>()
        let form = MultipartFormData()
        form.append(URL(fileURLWithPath: "/nonexistent/photo.png"), withName: "a")
        let session = session()
        let request = session.upload(multipartFormData: form, to: "http://api.test/")
            .cURLDescription { described.append($0) }
        #expect(await request.serializingString().response.error?.isMultipartEncodingError == true)
        let expected = ["resume", "initial request", "adapted", "no content", "finish", "parsed value"]
        #expect(await monitor.events == expected)
        #expect(described.values.count == 1)
    }
}
