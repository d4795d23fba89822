import AirframeCore
import AirframeLogging
import AirframeMock
import AirframeSerialization
import Dispatch
import Foundation
import HTTPTypes
import Logging
import Testing

@Suite("A slow sink", .timeLimit(.minutes(1)))
struct SlowSinkTests {
    private let mock = MockTransport { Route(.get, "/").reply(.text("text")) }

    @Test("it blocks no request; waiting lines are bounded, and dropped lines are reported")
    func logger() async throws {
        let collector = LogCollector()
        // The handler is stuck in the first line until all requests are over.
        let gate = DispatchSemaphore(value: 0)
        let (stuck, isStuck) = AsyncStream.makeStream(of: Void.self)
        let base = collector.logger(.info) {
            isStuck.yield()
            gate.wait()
            gate.signal()
        }
        let logger = RequestLogger(base, capacity: 10)
        let session = Session(transport: mock, eventMonitors: [logger])
        defer { gate.signal() }
        let first = await session.request("http://api.test/").serializingString().response
        #expect(first.value == "text")
        for await _ in stuck { break }
        for _ in 0..<50 {
            let response = await session.request("http://api.test/").serializingString().response
            #expect(response.value == "text")
        }
        #expect(collector.entries.isEmpty)
        gate.signal()
        await logger.flush()
        let lines = collector.entries
        #expect(lines.count { $0.message.hasPrefix("GET ") } == 11)
        #expect(lines.last?.message == "40 lines about requests were dropped: the log handler is too slow")
        #expect(lines.last?.level == .warning)
    }

    @Test("a slow console blocks no request")
    func console() async throws {
        let gate = DispatchSemaphore(value: 0)
        let lines = LineCollector()
        let (stuck, isStuck) = AsyncStream.makeStream(of: Void.self)
        let sink = LineSink { line in
            isStuck.yield()
            gate.wait()
            gate.signal()
            lines.sink(line)
        }
        let console = ConsoleLogger(.requests, style: .plain, to: sink, capacity: 1)
        let session = Session(transport: mock, eventMonitors: [console])
        _ = await session.request("http://api.test/").serializingString().response
        for await _ in stuck { break }
        for _ in 0..<3 { _ = await session.request("http://api.test/").serializingString().response }
        gate.signal()
        await console.flush()
        #expect(lines.lines.count == 3)
        #expect(lines.lines.last == "(2 lines were dropped: the sink is too slow)")
    }
}
