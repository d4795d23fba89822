import AirframeCore
import AirframeLogging
import AirframeMock
import AirframeSerialization
import AirframeTransport
import Foundation
import HTTPTypes
import Logging
import Testing

@Suite("The cURL logger", .timeLimit(.minutes(1)))
struct CURLLoggerTests {
    private let mock = MockTransport {
        Route(.get, "/").reply(.sequence([.status(503), .text("text")], then: .startOver))
        Route(.post, "/").reply(.text("text"))
    }

    private func commands(
        _ redaction: RedactionPolicy = .standard,
        interceptor: Interceptor? = nil,
        _ make: (Session) -> DataRequest
    ) async -> [String] {
        let lines = LineCollector()
        let logger = CURLLogger(redaction: redaction, to: lines.sink)
        let session = Session(transport: mock, interceptor: interceptor, eventMonitors: [logger])
        _ = await make(session).validate().serializingString().response
        await logger.flush()
        return lines.lines
    }

    private static func login(_ session: Session) -> DataRequest {
        session.request("http://u:s3cret@api.test/?token=s3cret", method: .post, headers: ["X-Api-Key": "s3cret"]) {
            $0.httpBody = Data("user=pilot&password=s3cret".utf8)
            $0.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
        }.authenticate(username: "pilot", password: "s3cret")
    }

    @Test("it writes one line for each request, without secrets")
    func redacted() async throws {
        let command = try #require(await commands { Self.login($0) }.first)
        #expect(command.hasPrefix("curl -X POST -u 'pilot:•••' "))
        #expect(command.contains("-H 'X-Api-Key: •••'"))
        #expect(command.contains("-d 'user=pilot&password=•••'"))
        #expect(command.hasSuffix("'http://u:•••@api.test/?token=•••'"))
        #expect(!command.contains("\n") && !command.contains("s3cret"))
    }

    @Test("it writes the complete command if redaction is disabled")
    func complete() async throws {
        let command = try #require(await commands(.none) { Self.login($0) }.first)
        #expect(command.contains("-u 'pilot:s3cret'") && command.contains("-d 'user=pilot&password=s3cret'"))
        #expect(command.hasSuffix("'http://u:s3cret@api.test/?token=s3cret'"))
    }

    @Test("it writes a retry only if the command differs")
    func retries() async {
        let again = Retrier { request, _, _, completion in completion(request.retryCount < 1 ? .retry : .doNotRetry) }
        let same = await commands(interceptor: Interceptor(retriers: [again])) { $0.request("http://api.test/") }
        #expect(same.count == 1)
        let stamp = Adapter { request, _, completion in
            var request = request
            request.setValue("\(UUID())", forHTTPHeaderField: "X-Attempt")
            completion(.success(request))
        }
        let other = await commands(interceptor: Interceptor(adapters: [stamp], retriers: [again])) {
            $0.request("http://api.test/")
        }
        #expect(other.count == 2)
    }

    @Test("it writes to swift-log at the given level")
    func toLogger() async {
        let collector = LogCollector()
        let logger = CURLLogger(collector.logger(.trace), level: .notice)
        let session = Session(transport: mock, eventMonitors: [logger])
        _ = await session.request("http://api.test/", method: .post).serializingString().response
        await logger.flush()
        #expect(collector.entries.map(\.level) == [.notice])
        #expect(collector.entries.first?.message.hasPrefix("curl -X POST ") == true)
    }
}
