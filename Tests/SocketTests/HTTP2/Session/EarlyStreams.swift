import AirframeConformance
import AirframeSocket
import Testing

@Suite("streams before the server's SETTINGS (RFC 9113 §6.5.2)", .timeLimit(.minutes(1)))
struct EarlyStreams {
    @Test(
        "as many streams are assumed as the limits say, at least 1 and at most 100, until SETTINGS arrive",
        arguments: [(-1, 1), (0, 1), (1, 1), (7, 7), (100, 100), (101, 100), (Int.max, 100)])
    func assumedCount(count: Int, capacity: Int) throws {
        let server = try MemoryServer(HTTP2Limits(assumedStreamCount: count), settings: nil)
        #expect(server.session.capacity == capacity)
        server.receive([.settings([(3, 0)]), .settingsAcknowledged])
        #expect(server.session.capacity == 0)
        #expect(server.session.streamLimit == 0)
        server.receive([.settings([(3, 200)])])
        #expect(server.session.capacity == 200)
    }

    /// A limit in the server's first SETTINGS, and whether a refusal of the second of two streams retires the
    /// connection.
    struct Refusal: Sendable, CustomTestStringConvertible {
        let limit: UInt32?
        let retires: Bool

        var testDescription: String { limit.map { "limit \($0)" } ?? "no limit" }
    }

    @Test(
        "a refused stream above the limit waits for room; if a server refuses others, or allows none, the session ends",
        arguments: [
            Refusal(limit: 0, retires: true), Refusal(limit: 1, retires: false), Refusal(limit: 2, retires: true),
            Refusal(limit: 100, retires: true), Refusal(limit: nil, retires: true),
        ])
    func refused(refusal: Refusal) throws {
        let server = try MemoryServer(settings: nil)
        let (first, second) = (try server.open(), try server.open())
        #expect(server.frames().filter { $0.type == 1 }.map(\.stream) == [1, 3])
        let settings = refusal.limit.map { [(UInt16(3), $0)] } ?? []
        server.receive([.settings(settings), .settingsAcknowledged, .reset(7, stream: 3)])
        #expect(StreamTranscript(second).failure?.isUnprocessed == true)
        #expect(server.session.isRetired == refusal.retires)
        // The other stream is answered in any case.
        server.receive([.ok(), .data("ok", end: true)])
        #expect(StreamTranscript(first).text == "ok")
        #expect(server.session.failure == nil)
    }

    @Test("a server that allows no streams and refuses them retires the session, whichever stream it refuses first")
    func none() throws {
        for refused in [UInt32(1), 3] {
            let server = try MemoryServer(settings: nil)
            let streams = [try server.open(), try server.open()]
            _ = server.frames()
            server.receive([.settings([(3, 0)]), .settingsAcknowledged])
            #expect(!server.session.isRetired)
            server.receive([.reset(7, stream: refused)])
            #expect(server.session.isRetired)
            #expect(server.session.streamCount == streams.count - 1)
        }
    }
}
