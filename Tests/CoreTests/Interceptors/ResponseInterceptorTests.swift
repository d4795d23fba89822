import Airframe
import AirframeConformance
import AirframeMock
import AirframeTestSupport
import Foundation
import HTTPTypes
import Testing

@Suite("Response interceptors", .timeLimit(.minutes(1)))
struct ResponseInterceptorTests {
    private struct Adding: ResponseInterceptor {
        let text: String

        func intercept(_ response: TransportResponse, to request: Request) async throws -> TransportResponse {
            let data = try await response.body.collect(upTo: 1 << 20)
            return response.replacingContent(with: data + Data(text.utf8), contentType: "text/plain")
        }
    }

    private struct Refusal: Error {}

    @Test(
        "the session's are called before the request's, and Content-Length is that of the new content",
        arguments: TestedEngine.allCases)
    func order(engine: TestedEngine) async throws {
        let server = try ScriptedServer.responding { _ in "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody" }
        let session = engine.session { $0.responseInterceptors = [Adding(text: "-one"), Adding(text: "-two")] }
        let response = await session.request(server.origin).responseInterceptor(Adding(text: "-own"))
            .serializingString().response
        #expect(response.value == "body-one-two-own")
        #expect(response.response?.value(forHTTPHeaderField: "Content-Length") == "16")
        #expect(response.response?.receivedHeaders["Content-Length"] == "4")
        #expect(response.response?.mimeType == "text/plain")
    }

    @Test("validation sees the status that an interceptor has set")
    func status() async throws {
        let session = echoSession()
        let request = session.request("https://api.test/").interceptResponse { response, _ in
            var response = response
            response.head.status = .init(code: 503)
            return response
        }
        let error = await request.validate().serializingString().response.error
        #expect(error?.responseCode == 503)
    }

    @Test("an error of an interceptor fails the request, and retriers are called")
    func failure() async throws {
        let session = echoSession()
        let asked = Log<Bool>()
        let request = session.request(
            "https://api.test/",
            interceptor: Interceptor(
                adaptHandler: { request, _, completion in completion(.success(request)) },
                retryHandler: { _, _, error, completion in
                    asked.append((error as? AFError)?.underlyingError is Refusal)
                    completion(asked.values.count < 3 ? .retry : .doNotRetry)
                })
        ).interceptResponse { _, _ in throw Refusal() }
        let error = await request.serializingString().response.error
        #expect(error?.underlyingError is Refusal)
        // The retrier is called twice for the last failure: for the attempt, and for the serializer.
        #expect(asked.values == [true, true, true, true])
    }

    @Test("downloads and streams are intercepted too")
    func others() async throws {
        let session = echoSession { $0.responseInterceptors = [Adding(text: "!")] }
        #expect(try await session.download("https://api.test/").serializingString().value.hasSuffix("!"))
        var streamed = Data()
        for try await chunk in session.streamRequest("https://api.test/").bytes() { streamed += chunk }
        #expect(streamed.last == UInt8(ascii: "!"))
    }
}
