import AirframeCore
import AirframeMock
import AirframeTransfers
import AirframeTransport
import Foundation
import HTTPTypes
import Synchronization
import Testing

@Suite("A queue and time", .timeLimit(.minutes(1)))
struct TimeTests {
    /// When each request came, in seconds on the clock, and a session whose server answers the first ones with a
    /// status.
    private func session(
        _ clock: VirtualClock,
        failing: Int,
        _ fields: HTTPFields
    ) -> (Session, @Sendable () -> [Double]) {
        let times = Log()
        let transport = ClosureTransport(clock: clock) { request in
            let count = times.add(clock.elapsed)
            let isFailing = count <= failing
            return TransportResponse(
                head: HTTPResponse(
                    status: isFailing ? .serviceUnavailable : .ok, headerFields: isFailing ? fields : [:]),
                body: ResponseBody(Data("abc".utf8)), request: request.head)
        }
        return (Session(transport: transport), { times.all })
    }

    /// Instants in order.
    private final class Log: Sendable {
        // Guards the instants.
        private let instants = Mutex<[Double]>([])
        var all: [Double] { instants.withLock { $0 } }

        func add(_ instant: Duration) -> Int {
            instants.withLock { instants in
                instants.append(Double(instant.components.seconds))
                return instants.count
            }
        }
    }

    private func run(_ session: Session, quiet: QuietHours? = nil) async throws -> TransferState? {
        let folder = try ScratchFolder()
        let queue = try await folder.queue(on: session) { $0.quietHours = quiet }
        let url = try #require(URL(string: "http://a.test/f"))
        let id = try await queue.add(.download(from: url, to: folder.file("f")))
        try await queue.runUntilIdle()
        return try await queue.transfer(id)?.state
    }

    @Test("nothing is transferred in quiet hours")
    func quietHours() async throws {
        // The clock starts at midnight UTC.
        let clock = VirtualClock()
        let (session, times) = session(clock, failing: 0, [:])
        #expect(try await run(session, quiet: QuietHours("00:00-00:01", timeZone: "UTC")) == .completed)
        #expect(times().count == 1)
        #expect((60...62).contains(times().first ?? 0))
    }

    @Test("waits between attempts grow, and a server's Retry-After is respected")
    func retries() async throws {
        let clock = VirtualClock()
        let (session, times) = session(clock, failing: 3, [.retryAfter: "30"])
        #expect(try await run(session) == .completed)
        #expect(times().count == 4)
        #expect(zip(times(), times().dropFirst()).allSatisfy { (30...32).contains($1 - $0) }, "\(times())")
    }

    @Test("every step of a resumable upload respects a server's Retry-After")
    func uploadSteps() async throws {
        let (clock, times) = (VirtualClock(), Log())
        let offset = try #require(HTTPField.Name("Upload-Offset"))
        let busy = HTTPResponse(status: .serviceUnavailable, headerFields: [.retryAfter: "30"])
        // The creation, the first part, and the offset request fail once each.
        let heads = [
            busy, HTTPResponse(status: .created, headerFields: [.location: "/u"]), busy, busy,
            HTTPResponse(status: .ok, headerFields: [offset: "0"]),
            HTTPResponse(status: .noContent, headerFields: [offset: "3"]),
        ]
        let transport = ClosureTransport(clock: clock) { request in
            let count = times.add(clock.elapsed)
            return TransportResponse(
                head: heads[min(count, heads.count) - 1], body: ResponseBody(Data()), request: request.head)
        }
        let folder = try ScratchFolder()
        let queue = try await folder.queue(on: Session(transport: transport))
        let url = try #require(URL(string: "http://a.test/uploads"))
        let id = try await queue.add(.upload(try folder.file("f", Data("abc".utf8)), to: url, using: .tus()))
        try await queue.runUntilIdle()
        #expect(try await queue.transfer(id)?.state == .completed)
        try #require(times.all.count == heads.count)
        let waits = zip(times.all, times.all.dropFirst()).map { $1 - $0 }
        #expect([waits[0], waits[2], waits[3]].allSatisfy { (30...32).contains($0) }, "\(waits)")
    }
}
