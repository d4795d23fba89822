import AirframeCore
import AirframeMock
import AirframeTransport
import Foundation
import HTTPTypes
import Synchronization
import Testing

@testable import AirframeSerialization

@Suite("Event sources", .timeLimit(.minutes(1)))
struct EventSourceTests {
    private static func stream(_ text: String) -> Reply {
        .data(Data(text.utf8), contentType: "text/event-stream")
    }

    private func source(
        _ mock: MockTransport,
        lastEventID: String? = nil,
        reconnection: EventSource.Reconnection = .init()
    ) -> EventSource {
        Session(transport: mock).eventSource("http://api.test/", lastEventID: lastEventID, reconnection: reconnection)
    }

    private func lastEventID(_ request: RecordedRequest) -> String? {
        HTTPField.Name("Last-Event-ID").flatMap { request.headerFields[$0] }
    }

    @Test("the source reconnects with the last identifier until the server answers 204 (WHATWG HTML §9.2.3)")
    func reconnection() async throws {
        let mock = MockTransport {
            Route(.get, "/").reply(
                .sequence([
                    Self.stream("id: 1\ndata: a\n\nid: 2\ndata: b\n\n"), Self.stream("retry: 500\ndata: c\n\n"),
                    Self.stream("data: d\nid\n\ndata: lost"), Self.stream(""), .status(204),
                ]))
        }
        var events: [ServerSentEvent] = []
        for try await event in source(mock) { events.append(event) }
        #expect(events.map(\.data) == ["a", "b", "c", "d"])
        #expect(events.map(\.id) == ["1", "2", "2", ""])
        #expect(mock.requests.map(lastEventID) == [nil, "2", "2", nil, nil])
        #expect(mock.requests.allSatisfy { $0.headerFields[.accept] == "text/event-stream" })
        #expect(mock.requests.allSatisfy { $0.headerFields[.cacheControl] == "no-store" })
        let pauses = zip(mock.requests, mock.requests.dropFirst()).map { $0.instant.duration(to: $1.instant) }
        #expect(pauses.count == 4)
        #expect(pauses[0] >= .seconds(3))
        #expect(pauses[1] >= .milliseconds(500) && pauses[1] < .seconds(3))
    }

    @Test("an earlier identifier is sent with the first request")
    func resumed() async throws {
        let mock = MockTransport { Route(.get, "/").reply(.status(204)) }
        for try await _ in source(mock, lastEventID: "ü7") { Issue.record("an event without a connection") }
        #expect(mock.requests.count == 1)
        #expect(mock.requests.first.flatMap(lastEventID) != nil)
    }

    @Test("each consecutive failure doubles the delay before a reconnection")
    func backoff() async throws {
        let failure = Reply.fault(.connectionRefused)
        let mock = MockTransport {
            Route(.get, "/").reply(.sequence([failure, failure, failure, Self.stream("data: a\n\n"), .status(204)]))
        }
        let reconnection = EventSource.Reconnection(time: .seconds(1), maximumTime: .seconds(3))
        var events: [String] = []
        for try await event in source(mock, reconnection: reconnection) { events.append(event.data) }
        #expect(events == ["a"])
        let pauses = zip(mock.requests, mock.requests.dropFirst()).map { $0.instant.duration(to: $1.instant) }
        #expect(zip(pauses, [1, 2, 3, 1]).allSatisfy { $0 >= .seconds($1) && $0 < .seconds($1) + .milliseconds(900) })
    }

    @Test(
        "a delay that the server sets is clamped to the range",
        arguments: [
            ("0", 0.5), ("1", 0.5), ("499", 0.5), ("500", 0.5), ("1500", 1.5), ("300000", 300), ("300001", 300),
            ("9223372036854775807", 300), ("99999999999999999999999", 3), ("-1", 3),
        ]
    )
    func serverTimes(retry: String, seconds: Double) async throws {
        let mock = MockTransport {
            Route(.get, "/").reply(.sequence([Self.stream("retry: \(retry)\ndata: a\n\n"), .status(204)]))
        }
        for try await _ in source(mock) {}
        #expect(abs(Self.pauses(of: mock)[0] - seconds) < 0.1, "\(Self.pauses(of: mock))")
    }

    @Test("the range of the server's delays is configurable")
    func otherServerTimes() async throws {
        let mock = MockTransport {
            Route(.get, "/").reply(
                .sequence([Self.stream("retry: 0\n\n"), Self.stream("retry: 9000000\n\n"), .status(204)]))
        }
        let reconnection = EventSource.Reconnection(serverTimes: .seconds(2) ... .seconds(7200))
        for try await _ in source(mock, reconnection: reconnection) {}
        #expect(zip(Self.pauses(of: mock), [2, 7200]).allSatisfy { abs($0 - $1) < 0.1 }, "\(Self.pauses(of: mock))")
    }

    @Test("failures double a delay that the server set, up to the maximum")
    func backoffFromServerTime() async throws {
        let failure = Reply.fault(.connectionRefused)
        let mock = MockTransport {
            Route(.get, "/").reply(.sequence([Self.stream("retry: 0\n\n")] + Array(repeating: failure, count: 8)))
        }
        var events = source(mock, reconnection: .init(maximumTime: .seconds(10), limit: 7)).makeAsyncIterator()
        await #expect(throws: AFError.self) { try await events.next() }
        let expected = [0.5, 0.5, 1, 2, 4, 8, 10, 10]
        #expect(zip(Self.pauses(of: mock), expected).allSatisfy { abs($0 - $1) < 0.1 }, "\(Self.pauses(of: mock))")
    }

    @Test("no range and no number of failures overflows Duration")
    func hugeBounds() {
        let times: [Duration] = [
            .zero, .seconds(-5), .milliseconds(1), .seconds(300), .seconds(Int64.max), .seconds(1e20),
        ]
        for maximum in times {
            let reconnection = EventSource.Reconnection(maximumTime: maximum)
            for time in times {
                for failures in [-1, 0, 1, 2, 21, 64, 65, 1000, .max] {
                    let delay = reconnection.delay(time, afterFailures: failures)
                    #expect(delay >= .zero && delay <= max(time, maximum, .zero), "\(time) \(maximum) \(failures)")
                }
            }
        }
    }

    @Test(
        "an identifier that no header field can carry is not sent, and the source reconnects",
        arguments: ["a\u{1}b", "\u{1B}[31m", "a\u{7F}", String(repeating: "x", count: 5000)]
    )
    func unsendableID(id: String) async throws {
        let mock = MockTransport {
            Route(.get, "/").reply(
                .sequence([
                    Self.stream("id: 1\ndata: a\n\nid: \(id)\ndata: b\n\n"), Self.stream("id: 2\ndata: c\n\n"),
                    .status(204),
                ]))
        }
        var events: [ServerSentEvent] = []
        for try await event in source(mock) { events.append(event) }
        #expect(events.map(\.data) == ["a", "b", "c"])
        #expect(events[1].id == id)
        // The last identifier that can be sent: an event may arrive twice, but none is lost.
        #expect(mock.requests.map(lastEventID) == [nil, "1", "2"])
    }

    private static func pauses(of mock: MockTransport) -> [Double] {
        zip(mock.requests, mock.requests.dropFirst()).map {
            Double($0.instant.duration(to: $1.instant).attoseconds) / 1e18
        }
    }

    @Test("the last error is thrown after the limit of consecutive failures")
    func limit() async throws {
        let mock = MockTransport { Route(.get, "/").reply(.fault(.connectionRefused)) }
        var events = source(mock, reconnection: .init(time: .zero, limit: 2)).makeAsyncIterator()
        let error = await #expect(throws: AFError.self) { try await events.next() }
        #expect(error?.isSessionTaskError == true)
        #expect(mock.requests.count == 3)
        #expect(try await events.next() == nil)
    }

    @Test("a connection that breaks before its first byte is a failure, although it has answered 200")
    func brokenAfterHead() async throws {
        let url = try #require(URL(string: "http://api.test/"))
        let head = try #require(
            HTTPURLResponse(
                url: url, statusCode: 200, httpVersion: nil, headerFields: ["Content-Type": "text/event-stream"]))
        let pauses = Mutex<[Duration]>([])
        let source = EventSource(
            reconnection: .init(time: .seconds(1), limit: 2), lastEventID: "", maximumEventLength: 100,
            connect: { _ throws(AFError) in
                EventSource.Connection(response: head) { () async throws(AFError) in
                    throw AFError.sessionTaskFailed(error: URLError(.networkConnectionLost))
                }
            },
            sleep: { pause in pauses.withLock { $0.append(pause) } }
        )
        var events = source.makeAsyncIterator()
        let error = await #expect(throws: AFError.self) { try await events.next() }
        #expect(error?.isSessionTaskError == true)
        #expect(pauses.withLock { $0 } == [.seconds(1), .seconds(2)])
    }

    @Test("a connection that a time limit ends is no failure: the server may have had no event to send")
    func silence() async throws {
        let url = try #require(URL(string: "http://api.test/"))
        let head = try #require(
            HTTPURLResponse(
                url: url, statusCode: 200, httpVersion: nil, headerFields: ["Content-Type": "text/event-stream"]))
        let pauses = Mutex<[Duration]>([])
        let source = EventSource(
            reconnection: .init(time: .seconds(1), limit: 2), lastEventID: "", maximumEventLength: 100,
            connect: { _ throws(AFError) in
                EventSource.Connection(response: head) { () async throws(AFError) in
                    let silence = TransportError(
                        .timedOut, phase: .responseBody, processing: .unknown, message: "no byte arrived")
                    throw AFError.sessionTaskFailed(error: silence)
                }
            },
            sleep: { pause in
                let count = pauses.withLock { pauses in
                    pauses.append(pause)
                    return pauses.count
                }
                if count == 5 { throw CancellationError() }
            }
        )
        var events = source.makeAsyncIterator()
        let error = await #expect(throws: AFError.self) { try await events.next() }
        #expect(error?.isExplicitlyCancelledError == true)
        #expect(pauses.withLock { $0 } == Array(repeating: .seconds(1), count: 5))
    }

    @Test("any other response ends the sequence with an error immediately")
    func refusals() async throws {
        for (reply, status) in [(Reply.status(500), true), (.status(301), true), (.text("no events"), false)] {
            let mock = MockTransport { Route(.get, "/").reply(reply) }
            var events = source(mock).makeAsyncIterator()
            let error = await #expect(throws: AFError.self) { try await events.next() }
            #expect(error?.isResponseValidationError == true)
            #expect((error?.responseCode != nil) == status)
            #expect(mock.requests.count == 1)
        }
    }

    @Test("the source reconnects after a configured status code")
    func namedStatus() async throws {
        let mock = MockTransport {
            Route(.get, "/").reply(.sequence([.status(503), Self.stream("data: a\n\n"), .status(204)]))
        }
        var events: [String] = []
        for try await event in source(mock, reconnection: .init(time: .zero, statusCodes: [503])) {
            events.append(event.data)
        }
        #expect(events == ["a"])
    }

    @Test("an event beyond the limit fails the sequence after the events before it")
    func tooLong() async throws {
        let mock = MockTransport {
            Route(.get, "/").reply(Self.stream("data: a\n\ndata: \(String(repeating: "x", count: 99))\n\n"))
        }
        let session = Session(transport: mock)
        var events = session.eventSource("http://api.test/", maximumEventLength: 50).makeAsyncIterator()
        #expect(try await events.next()?.data == "a")
        await #expect(throws: AFError.self) { try await events.next() }
        #expect(mock.requests.count == 1)
    }

    @Test("cancelling the reading task closes the connection")
    func cancellation() async throws {
        let (chunks, continuation) = AsyncStream.makeStream(of: Data.self)
        let mock = MockTransport { Route(.get, "/").reply(.stream(contentType: "text/event-stream") { chunks }) }
        let source = source(mock)
        let (seen, hasSeen) = AsyncStream.makeStream(of: Void.self)
        let reader = Task {
            for try await _ in source { hasSeen.yield() }
        }
        continuation.yield(Data("data: a\n\n".utf8))
        var markers = seen.makeAsyncIterator()
        await markers.next()
        reader.cancel()
        await #expect(throws: AFError.self) { try await reader.value }
    }
}
