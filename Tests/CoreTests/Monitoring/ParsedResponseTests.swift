import AirframeCore
import AirframeSerialization
import AirframeTransport
import Dispatch
import Foundation
import Testing

@Suite("Responses reported to monitors", .timeLimit(.minutes(1)))
struct ParsedResponseTests {
    /// A monitor that implements the functions for serialized values only.
    private final class ValueMonitor: EventMonitor {
        let values = Log<String>()
        let isCalledSynchronously = true

        func request<Value: Sendable>(_ request: DataRequest, didParseResponse response: DataResponse<Value, AFError>) {
            values.append("\(Value.self)")
        }

        func request<Value: Sendable>(
            _ request: DownloadRequest,
            didParseResponse response: DownloadResponse<Value, AFError>
        ) {
            values.append("\(Value.self)")
        }
    }

    private let transport = ClosureTransport { .text("text", to: $0) }

    /// Requests the data of a response, a file and a string, the first two without a serializer.
    private func run(_ monitors: [any EventMonitor]) async throws {
        let session = Session(transport: transport, eventMonitors: monitors)
        let data = await withCheckedContinuation { done in
            session.request("http://api.test/").response(queue: .global()) { done.resume(returning: $0) }
        }
        #expect(data.data == Data("text".utf8))
        let download = await withCheckedContinuation { done in
            session.download("http://api.test/").response(queue: .global()) { done.resume(returning: $0) }
        }
        let file = try #require(download.fileURL)
        try FileManager.default.removeItem(at: file)
        #expect(try await session.request("http://api.test/").serializingString().value == "text")
    }

    @Test("ClosureEventMonitor receives unserialized responses and downloads, and no serialized values")
    func closures() async throws {
        let parsed = Log<String>()
        let monitor = ClosureEventMonitor(queue: DispatchQueue(label: "monitor"))
        monitor.requestDidParseResponse = { parsed.append("\($1.data?.count ?? 0) bytes") }
        monitor.requestDidParseDownloadResponse = { parsed.append($1.fileURL == nil ? "no file" : "file") }
        try await run([monitor])
        monitor.queue.sync {}
        #expect(parsed.values == ["4 bytes", "file"])
    }

    @Test("a monitor with both functions receives each response once")
    func both() async throws {
        let monitor = RecordingMonitor()
        try await run([monitor])
        #expect(await monitor.events.filter { $0.hasPrefix("parsed") } == ["parsed", "parsed value"])
    }

    @Test("a monitor with the functions for values only receives unserialized responses there")
    func valuesOnly() async throws {
        let monitor = ValueMonitor()
        try await run([monitor])
        #expect(monitor.values.values == ["Optional<Data>", "Optional<URL>", "String"])
    }

    /// A monitor of the results of serializers.
    private final class ResultMonitor: EventMonitor {
        let isCalledSynchronously = true
        let monitoredEvents = MonitoredEvents.results
        let log: Log<String>

        init(_ log: Log<String>) { self.log = log }

        func request<Value: Sendable>(_ request: DataRequest, didParseResponse response: DataResponse<Value, AFError>) {
            let isSerialization = response.error?.isResponseSerializationError == true
            log.append(response.value.map { "\($0)" } ?? (isSerialization ? "serializer failed" : "another error"))
        }
    }

    /// Requests a number, which the server sends at the second attempt.
    private func number(
        _ result: RetryResult,
        _ log: Log<String>,
        on queue: DispatchQueue?
    ) async -> DataResponse<Int, AFError> {
        let attempts = Counter()
        let retrier = Retrier { _, _, _, completion in
            log.append("retrier")
            completion(result)
        }
        let session = Session(
            transport: ClosureTransport { .text(attempts.next() == 1 ? "no number" : "7", to: $0) },
            serializationQueue: queue,
            interceptor: Interceptor(retriers: [retrier]),
            eventMonitors: [ResultMonitor(log)]
        )
        return await session.request("http://api.test/").serializingDecodable(Int.self).response
    }

    @Test(
        "a serializer's failure is reported before the retriers are called, and so is the result of the retry",
        arguments: [false, true])
    func retried(hasQueue: Bool) async {
        let log = Log<String>()
        let queue = hasQueue ? DispatchQueue(label: "serialization") : nil
        #expect(await number(.retry, log, on: queue).value == 7)
        #expect(log.values == ["serializer failed", "retrier", "7"])
    }

    @Test("a monitor receives the serializer's error, and the handler that of the retrier that failed")
    func failedRetrier() async {
        struct Refusal: Error {}
        let log = Log<String>()
        let error = await number(.doNotRetryWithError(Refusal()), log, on: nil).error
        #expect(error?.isRequestRetryError == true)
        #expect(log.values == ["serializer failed", "retrier"])
    }
}
