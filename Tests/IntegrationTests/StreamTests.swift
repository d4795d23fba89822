import Airframe
import AirframeTestSupport
import Dispatch
import Foundation
import Synchronization
import Testing

@Suite("Streams, against Hangar", .enabled(if: Peers.areExpected), .overEachEngine, .timeLimit(.minutes(2)))
struct StreamTests {
    @Test("A pulled body arrives whole, after its head")
    func bytes() async throws {
        let origin = try Peers.required().http("hangar")
        let session = try makeSession()
        let bytes = session.streamRequest("\(origin)/bytes/3000000").validate().bytes()
        #expect(try await bytes.response.expectedContentLength == 3_000_000)
        var count = 0
        for try await chunk in bytes { count += chunk.count }
        #expect(count == 3_000_000)
    }

    @Test("A reader that pauses stops the server and continues where it paused")
    func readerHoldsServerBack() async throws {
        let server = try Server()
        var iterator = server.request().bytes().makeAsyncIterator()
        var count = try await iterator.next()?.count ?? 0
        #expect(count > 0)
        let held = try await server.settled()
        // The kernel and the engine buffer some MiB at most.
        #expect(held < 64 << 20)
        while count < held { count += try await iterator.next()?.count ?? held }
        try await server.wait(until: { $0 > held })
    }

    @Test("A handler that pauses stops the server and continues where it paused")
    func handlerHoldsServerBack() async throws {
        let server = try Server()
        let gate = DispatchSemaphore(value: 0)
        let isFirst = Atomic(true)
        let request = server.request()
        request.responseStream(on: DispatchQueue(label: "slow handler")) { _ in
            if isFirst.exchange(false, ordering: .relaxed) { gate.wait() }
        }
        let held = try await server.settled()
        #expect(held < 64 << 20)
        gate.signal()
        try await server.wait(until: { $0 > held })
        request.cancel()
    }

    /// An endless response, and the server's word on how much of it was sent.
    private struct Server {
        let session: Session
        let origin: String
        let id = UUID().uuidString

        init() throws {
            origin = try Peers.required().http("hangar")
            session = try makeSession()
        }

        func request() -> DataStreamRequest { session.streamRequest("\(origin)/endless?id=\(id)") }

        func written() async throws -> Int {
            struct Written: Decodable, Sendable { let bytes: Int }
            let data = try await session.request("\(origin)/written/\(id)").serializingData().value
            return try JSONDecoder().decode(Written.self, from: data).bytes
        }

        /// How much was sent once the server has stopped: a second without a byte.
        func settled() async throws -> Int {
            try await wait(until: { $0 > 0 })
            var last = try await written()
            while true {
                try await Task.sleep(for: .seconds(1))
                let now = try await written()
                if now == last { return now }
                last = now
            }
        }

        func wait(until isMet: (Int) -> Bool) async throws {
            while !isMet(try await written()) { try await Task.sleep(for: .milliseconds(10)) }
        }
    }
}
