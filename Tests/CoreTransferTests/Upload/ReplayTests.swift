import Airframe
import AirframeMock
import Foundation
import HTTPTypes
import Testing

@Suite("Repeated uploads", .timeLimit(.minutes(5)))
struct ReplayTests {
    /// A body, and whether it can be sent a second time.
    enum Content: CaseIterable, Sendable {
        case data, file, stream, sequence, restartable, httpBodyStream

        var isReplayable: Bool { [.data, .file, .restartable].contains(self) }
    }

    private static let content = Data("some content".utf8)

    private static func pieces() -> AsyncStream<Data> {
        AsyncStream { continuation in
            continuation.yield(content)
            continuation.finish()
        }
    }

    private func upload(_ content: Content, _ session: Session, to url: String, _ folder: ScratchFolder) throws
        -> DataRequest
    {
        switch content {
        case .data: return session.upload(Self.content, to: url)
        case .file: return session.upload(try folder.file(content: Self.content), to: url)
        case .stream: return session.upload(InputStream(data: Self.content), to: url)
        case .sequence: return session.upload(Self.pieces(), to: url)
        case .restartable: return session.upload(.restartableSequence { Self.pieces() }, to: url)
        case .httpBodyStream:
            var request = try URLRequest(url: url, method: .post)
            request.httpBodyStream = InputStream(data: Self.content)
            return session.request(request)
        }
    }

    private func expect(_ response: AFDataResponse<Data>, _ mock: MockTransport, of content: Content) {
        if content.isReplayable {
            #expect(response.error == nil)
            #expect(mock.requests.map(\.body) == [Self.content, Self.content])
        } else {
            // Nothing, and not half of it, passes for the content.
            #expect(response.error?.transportError?.code == .bodyNotReplayable)
            #expect("\(response.error as Any)".contains("can be read only once"))
            #expect(!mock.requests.dropFirst().contains { $0.isComplete })
        }
    }

    @Test("a body appears as a stream, and is sent with its length")
    func body() async throws {
        let mock = MockTransport { Route(.post, "/").reply(.status(200)) }
        let session = Session(transport: mock)
        let length = Int64(Self.content.count)
        let request = session.upload(.restartableSequence(length: length) { Self.pieces() }, to: "http://api.test/")
        let response = await request.serializingData(emptyResponseCodes: [200]).response
        #expect(response.error == nil)
        guard case .stream = request.uploadable else {
            Issue.record("not a stream: \(String(describing: request.uploadable))")
            return
        }
        #expect(mock.requests.map(\.body) == [Self.content])
        #expect(request.task?.countOfBytesExpectedToSend == length)
    }

    @Test("a retry sends the content again, or fails if it cannot be read again", arguments: Content.allCases)
    func retry(content: Content) async throws {
        let folder = try ScratchFolder()
        let mock = MockTransport { Route(.post, "/").reply(.sequence([.status(503), .status(200)])) }
        let retrier = Retrier { request, _, _, completion in
            completion(request.retryCount == 0 ? .retry : .doNotRetry)
        }
        let session = Session(transport: mock, interceptor: Interceptor(retriers: [retrier]))
        let request = try upload(content, session, to: "http://api.test/", folder).validate()
        expect(await request.serializingData(emptyResponseCodes: [200]).response, mock, of: content)
    }

    @Test(
        "a redirect that keeps the method sends the content again, or fails if it cannot be read again (RFC 9110 §15.4.8)",
        arguments: Content.allCases)
    func redirect(content: Content) async throws {
        let folder = try ScratchFolder()
        let mock = MockTransport {
            Route(.post, "/").reply(.redirect(to: "/there", status: 307))
            Route(.post, "/there").reply(.status(200))
        }
        let session = Session(transport: mock)
        let request = try upload(content, session, to: "http://api.test/", folder)
        expect(await request.serializingData(emptyResponseCodes: [200]).response, mock, of: content)
    }

    @Test(
        "a redirect that turns POST into GET drops the content (RFC 9110 §15.4.4)", arguments: Content.allCases)
    func redirectToGet(content: Content) async throws {
        let folder = try ScratchFolder()
        let mock = MockTransport {
            Route(.post, "/").reply(.redirect(to: "/there", status: 303))
            Route(.get, "/there").reply(.status(200))
        }
        let session = Session(transport: mock)
        let response = await (try upload(content, session, to: "http://api.test/", folder))
            .serializingData(emptyResponseCodes: [200]).response
        #expect(response.error == nil)
        #expect(mock.requests.last?.body == Data())
    }
}
