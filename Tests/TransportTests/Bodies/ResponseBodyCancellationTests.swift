import AirframeTransport
import FoundationEssentials
import HTTPTypes
import Testing

@Suite("Ending a response's body early", .timeLimit(.minutes(1)))
struct ResponseBodyCancellationTests {
    @Test("Dropping a body that was not read to its end ends the exchange, once")
    func drop() async throws {
        let source = ScriptedSource(chunks: [[1], [2]])
        do {
            let body = ResponseBody(source)
            _ = try await body.next()
            #expect(source.cancellations == 0)
        }
        #expect(source.cancellations == 1)
    }

    @Test("Dropping an unread body ends the exchange")
    func dropUnread() {
        let source = ScriptedSource(chunks: [[1]])
        _ = ResponseBody(source)
        #expect(source.cancellations == 1)
    }

    @Test("Dropping a body that has ended, or has failed, ends nothing", arguments: [true, false])
    func dropEnded(fails: Bool) async throws {
        let source = ScriptedSource([.bytes([1]), fails ? .fail(lost) : .end])
        do {
            let body = ResponseBody(source)
            _ = try? await body.collect(upTo: 10)
        }
        #expect(source.cancellations == 0)
    }

    @Test("Leaving a loop and dropping the body ends the exchange")
    func leaveLoop() async throws {
        let source = ScriptedSource(chunks: [[1], [2]])
        for try await _ in ResponseBody(source) { break }
        #expect(source.cancellations == 1)
    }

    @Test("Cancelling, cancelling again and dropping end the exchange once")
    func exactlyOnce() {
        let source = ScriptedSource(chunks: [[1]])
        do {
            let body = ResponseBody(source)
            body.cancel()
            body.cancel()
        }
        #expect(source.cancellations == 1)
    }

    @Test("A cancelled body throws for a later reader and does not call its source")
    func readAfterwards() async {
        let source = ScriptedSource(chunks: [[1]])
        let body = ResponseBody(source)
        body.cancel()
        for _ in 1...2 {
            let error = await #expect(throws: TransportError.self) { try await body.next() }
            #expect(error?.isCancellation == true)
        }
        #expect(source.reads == 0)
        #expect(body.trailers == nil)
    }

    @Test("A body in memory is discarded when it is cancelled, like any other")
    func whole() async {
        let body = ResponseBody(Data([1]))
        body.cancel()
        let error = await #expect(throws: TransportError.self) { try await body.collect(upTo: 10) }
        #expect(error?.isCancellation == true)
    }

    @Test("Cancelling a body that has ended has no effect, and keeps its trailers")
    func afterTheEnd() async throws {
        let source = ScriptedSource([.end], trailers: [.eTag: "x"])
        let body = ResponseBody(source)
        _ = try await body.next()
        body.cancel()
        #expect(try await body.next() == nil)
        #expect(body.trailers == [.eTag: "x"])
        #expect(source.cancellations == 0)
    }

    @Test(
        "A waiting reader receives an error, however its source handles the cancellation",
        arguments: [ScriptedSource.Step.end, .bytes([1]), .fail(.cancelled(in: .responseBody, processing: .unknown))]
    )
    func whileReading(step: ScriptedSource.Step) async throws {
        let source = ScriptedSource([.wait, step])
        let body = ResponseBody(source)
        let reader = Task { try await body.next() }
        await source.hasReader()
        body.cancel()
        let error = await #expect(throws: TransportError.self) { try await reader.value }
        #expect(error?.isCancellation == true)
        #expect(source.cancellations == 1)
        #expect(body.trailers == nil)
    }

    @Test("Readers, cancellations and drops that race end the exchange at most once and never trap", arguments: 0..<50)
    func race(round: Int) async {
        let source = ScriptedSource(chunks: Array(repeating: [1], count: round))
        await withTaskGroup(of: Void.self) { group in
            let body = ResponseBody(source)
            for _ in 0..<3 {
                group.addTask { while (try? await body.next()) != nil {} }
                group.addTask { body.cancel() }
            }
        }
        #expect(source.cancellations <= 1)
    }
}
