import AirframeCore
import AirframeLogging
import AirframeMock
import AirframeSerialization
import AirframeTransport
import Foundation
import HTTPTypes
import Logging
import Testing

@Suite("The request logger", .timeLimit(.minutes(1)))
struct RequestLoggerTests {
    private static let unavailable = Reply.text("<p>first</p>", contentType: "text/html", status: .serviceUnavailable)

    private let mock = MockTransport {
        Route(.get, "/users").reply(.text("four"))
        Route(.get, "/page").reply(.text("<p>four</p>", contentType: "text/html"))
        Route(.get, "/missing").reply(.status(404))
        Route(.get, "/broken").reply(.status(503))
        Route(.get, "/flaky").reply(.sequence([.status(503), .text("ok")]))
        Route(.get, "/page-at-last").reply(
            .sequence([Self.unavailable, .text("<p>last</p>", contentType: "text/html")]))
        Route(.get, "/nothing-at-last").reply(.sequence([Self.unavailable, .status(204)]))
        Route(.get, "/old").reply(.redirect(to: "/users"))
        Route(.get, "/refused").reply(.fault(.connectionRefused))
        Route(.get, "/stalled").reply(.fault(.stall(in: .responseHead)))
        Route(.get, "/json").reply(.json(["name": "pilot", "token": "s3cret"]))
        Route(.get, "/binary").reply(.data(Data([0, 1, 2, 255])))
        Route(.post, "/login").reply(.text("welcome"))
    }

    private func session(_ logger: RequestLogger, retrying: Bool = false) -> Session {
        let retrier = Retrier { request, _, _, completion in completion(request.retryCount < 1 ? .retry : .doNotRetry) }
        return Session(
            transport: mock,
            interceptor: retrying ? Interceptor(retriers: [retrier]) : nil,
            eventMonitors: [logger]
        )
    }

    /// The lines that are logged of a request.
    private func log(
        _ path: String,
        at level: Logger.Level,
        bodies: BodyLogging = .none,
        retrying: Bool = false,
        _ change: (DataRequest) -> DataRequest = { $0 }
    ) async -> LogCollector {
        let collector = LogCollector()
        let logger = RequestLogger(collector.logger(level), bodies: bodies)
        let session = session(logger, retrying: retrying)
        let request = session.request("http://api.test\(path)")
        _ = await change(request).serializingData(emptyResponseCodes: Set(100...999)).response
        await logger.flush()
        return collector
    }

    // MARK: One line a request

    @Test("A request is one line at info, with its numbers in the metadata")
    func oneLine() async throws {
        let collector = await log("/users", at: .info)
        let line = try #require(collector.entries.first)
        #expect(collector.entries.count == 1)
        #expect(line.level == .info)
        #expect(line.message.hasPrefix("GET http://api.test/users 200 in "))
        #expect(line.message.hasSuffix(", 4 B"))
        #expect(line[LogKey.method] == "GET")
        #expect(line[LogKey.url] == "http://api.test/users")
        #expect(line[LogKey.statusCode] == "200")
        #expect(line[LogKey.responseBodySize] == "4")
        #expect(line[LogKey.protocolName] == "http/1.1")
        #expect(line[LogKey.requestID].flatMap(UUID.init(uuidString:)) != nil)
        #expect(line[LogKey.duration].flatMap(Double.init) != nil)
        #expect(line[LogKey.retryCount] == nil && line[LogKey.redirectCount] == nil && line[LogKey.errorType] == nil)
    }

    @Test(
        "The level follows the outcome: a failure is an error, a 5xx a warning, a 4xx neither",
        arguments: [("/users", .info), ("/missing", .info), ("/broken", .warning), ("/refused", .error)]
            as [(String, Logger.Level)]
    )
    func levels(path: String, level: Logger.Level) async {
        #expect(await log(path, at: .info).entries.map(\.level) == [level])
        let quieter = await log(path, at: .warning)
        #expect(quieter.entries.map(\.level) == (level >= .warning ? [level] : []))
    }

    @Test("A response that fails validation is a warning with the reason")
    func refused() async throws {
        let line = try #require(await log("/missing", at: .info) { $0.validate() }.entries.first)
        #expect(line.level == .warning)
        #expect(line[LogKey.statusCode] == "404")
        #expect(line[LogKey.errorType] == "responseValidationFailed")
    }

    @Test("A failure has the transport's description")
    func failure() async throws {
        let line = try #require(await log("/refused", at: .error).entries.first)
        #expect(line.message.contains("failed: request to http://api.test:80 failed in connect"))
        #expect(line[LogKey.errorType] == "connectFailed")
        #expect(line[LogKey.errorMessage]?.contains("connect") == true)
    }

    @Test("A failed serialization is a separate error")
    func unreadable() async throws {
        let collector = LogCollector()
        let logger = RequestLogger(collector.logger(.info))
        let session = session(logger)
        _ = await session.request("http://api.test/users").serializingDecodable([Int].self).response
        await logger.flush()
        #expect(collector.entries.map(\.level) == [.info, .error])
        #expect(collector.entries.last?[LogKey.errorType] == "responseSerializationFailed")
    }

    @Test("A cancelled request is not an error")
    func cancelled() async throws {
        let collector = LogCollector()
        let logger = RequestLogger(collector.logger(.info))
        let session = session(logger)
        // Without a limit: the virtual clock would reach it while the test waits.
        let request = session.request("http://api.test/stalled", requestModifier: { $0.timeoutInterval = .infinity })
        let task = request.serializingData()
        for await _ in request.urlSessionTasks() { break }
        request.cancel()
        _ = await task.response
        await logger.flush()
        #expect(collector.entries.map(\.level) == [.info])
        #expect(collector.entries.first?.message.contains("was cancelled") == true)
    }

    @Test("Retries and redirects are on the line")
    func retriesAndRedirects() async throws {
        let flaky = try #require(await log("/flaky", at: .info, retrying: true) { $0.validate() }.entries.first)
        #expect(flaky[LogKey.retryCount] == "1")
        #expect(flaky.message.contains("200") && flaky.message.hasSuffix("1 retry"))
        let old = try #require(await log("/old", at: .info).entries.first)
        #expect(old[LogKey.redirectCount] == "1")
        #expect(old[LogKey.url] == "http://api.test/old")
    }

    @Test("An invalid URL is an error with the reason")
    func notMade() async throws {
        let collector = LogCollector()
        let logger = RequestLogger(collector.logger(.info))
        let session = session(logger)
        _ = await session.request("no url:s3cret@at all").serializingData().response
        await logger.flush()
        #expect(collector.entries.map(\.level) == [.error])
        #expect(collector.entries.first?[LogKey.errorType] == "invalidURL")
    }

    // MARK: More

    @Test("Phases and decisions are at debug, with their durations and reasons")
    func phases() async throws {
        let lines = await log("/old", at: .debug).entries(.debug)
        let phases = lines.compactMap { $0[LogKey.phase] }
        #expect(Set(phases).isSuperset(of: ["pool", "response head", "response body"]), "\(phases)")
        let decision = try #require(lines.first { $0[LogKey.decision] != nil })
        #expect(decision.message.hasPrefix("redirect 302 followed to http://api.test/users"))
        let head = try #require(lines.first { $0.message.hasPrefix("response head: response 200") })
        #expect(head[LogKey.phaseDuration] != nil)
        #expect(Set(lines.map { $0[LogKey.requestID] }).count == 1)
    }

    @Test("Heads are at trace, field by field, and not at debug")
    func heads() async throws {
        let lines = await log("/users", at: .trace).entries(.trace)
        let request = try #require(lines.first { $0.message == "> GET http://api.test/users" })
        #expect(request[LogKey.requestHeader]?.contains("User-Agent: ") == true)
        let response = try #require(lines.first { $0.message.hasPrefix("< 200") })
        #expect(response[LogKey.responseHeader]?.contains("Content-Length: 4") == true)
        #expect(await log("/users", at: .debug).entries(.trace).isEmpty)
    }

    @Test("Bodies are written if enabled, as text and up to the limit")
    func bodies() async throws {
        func content(_ path: String, _ bodies: BodyLogging) async -> [LogCollector.Entry] {
            await log(path, at: .trace, bodies: bodies).entries.filter { $0.message.contains("content, ") }
        }
        #expect(await content("/page", .none).isEmpty)
        #expect(await content("/page", .upTo(bytes: 100)).first?[LogKey.responseBody] == "<p>four</p>")
        let cut = try #require(await content("/page", .upTo(bytes: 5)).first)
        #expect(cut[LogKey.responseBody] == "<p>fo")
        #expect(cut.message == "response content, 11 B, cut off")
        let plain = try #require(await content("/users", .upTo(bytes: 100)).first)
        #expect(plain[LogKey.responseBody] == "••• (4 bytes)", "text without names may be a secret as a whole")
        let binary = try #require(await content("/binary", .upTo(bytes: 100)).first)
        #expect(binary[LogKey.responseBody] == nil)
        #expect(binary.message == "response content, 4 B, binary")
        let json = try #require(await content("/json", .upTo(bytes: 100)).first?[LogKey.responseBody])
        #expect(json.contains("pilot") && json.contains(#""token":"•••""#))
    }

    @Test("The content of a response is that of the last attempt")
    func contentOfRetry() async {
        func content(_ path: String) async -> [String] {
            await log(path, at: .trace, bodies: .upTo(bytes: 100), retrying: true) { $0.validate() }.entries
                .filter { $0.message.hasPrefix("response content, ") }.compactMap { $0[LogKey.responseBody] }
        }
        #expect(await content("/page-at-last") == ["<p>last</p>"])
        #expect(await content("/nothing-at-last") == [])
    }

    @Test("A sent form is written without its secrets")
    func form() async throws {
        let collector = LogCollector()
        let logger = RequestLogger(collector.logger(.trace), bodies: .upTo(bytes: 1000))
        let session = session(logger)
        let request = session.request("http://api.test/login", method: .post) {
            $0.httpBody = Data("user=pilot&password=s3cret".utf8)
            $0.setValue("application/x-www-form-urlencoded", forHTTPHeaderField: "Content-Type")
        }
        _ = await request.serializingData().response
        await logger.flush()
        #expect(collector.entries.compactMap { $0[LogKey.requestBody] } == ["user=pilot&password=•••"])
    }

    @Test("Text from the network cannot break lines or control the terminal")
    func controlCharacters() async throws {
        mock.on(.get, "/evil") { _ in .text("a\u{1B}[2J\nb\u{202E}", contentType: "text/plain") }
        let lines = await log("/evil", at: .trace, bodies: .upTo(bytes: 100)).entries
        #expect(lines.compactMap { $0[LogKey.responseBody] } == [])
        mock.on(.get, "/lines") { _ in .text("<a>\nb\u{202E}", contentType: "text/html") }
        let escaped = await log("/lines", at: .trace, bodies: .upTo(bytes: 100)).entries
        #expect(escaped.compactMap { $0[LogKey.responseBody] } == [#"<a>\nb\u{202e}"#])
    }

    // MARK: Whose logger

    @Test("Without its own logger it writes to the task-local one of the request's creator")
    func taskLocal() async throws {
        let (one, other) = (LogCollector(), LogCollector())
        let logger = RequestLogger()
        let session = session(logger)
        let request = withLogger(one.logger(.info, metadata: ["trip": "4711"])) { _ in
            session.request("http://api.test/users")
        }
        // Resumed in another task, with another logger: that is not whose request it is.
        _ = await withLogger(other.logger(.info)) { _ in await request.serializingData().response }
        await logger.flush()
        #expect(one.entries.map { $0["trip"] } == ["4711"])
        #expect(other.entries.isEmpty)
    }

    private enum Local { @TaskLocal static var trace = "none" }

    @Test("A provider's metadata is read in the task that created the request")
    func provider() async throws {
        let collector = LogCollector()
        let provider = Logger.MetadataProvider { ["trace": "\(Local.trace)"] }
        let logger = RequestLogger(collector.logger(.info, provider: provider))
        let session = session(logger)
        let request = Local.$trace.withValue("4711") { session.request("http://api.test/users") }
        _ = await request.serializingData().response
        await logger.flush()
        #expect(collector.entries.map { $0["trace"] } == ["4711"])
    }

    @Test("A request without loggable events has no monitor", arguments: [true, false])
    func nothing(isTaskLocal: Bool) {
        let quiet = LogCollector().logger(.critical)
        let session = session(RequestLogger(isTaskLocal ? nil : quiet))
        let request = withLogger(quiet) { _ in session.request("http://api.test/users") }
        #expect(request.eventMonitor == nil)
    }

    @Test("Levels are configurable")
    func ownLevels() async throws {
        var levels = RequestLogger.Levels()
        levels.success = .debug
        levels.failure = .critical
        let collector = LogCollector()
        let logger = RequestLogger(collector.logger(.info), levels: levels)
        let session = session(logger)
        _ = await session.request("http://api.test/users").serializingData().response
        _ = await session.request("http://api.test/refused").serializingData().response
        await logger.flush()
        #expect(collector.entries.map(\.level) == [.critical])
    }
}
