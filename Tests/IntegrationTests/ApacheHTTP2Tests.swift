import Airframe
import AirframeTestSupport
import Foundation
import Testing

@Suite(
    "HTTP/2 with Apache httpd (mod_http2)", .enabled(if: Peers.areExpected), .overEachEngine, .timeLimit(.minutes(2)))
struct ApacheHTTP2Tests {
    /// The content of `/open/4m`.
    private static let content = Data((0..<256).map { UInt8($0) }.repeated(16 << 10))

    private func session(_ change: (inout TransportOptions) -> Void = { _ in }) throws -> Session {
        try makeSession { options in
            // Apache prefers its own order of protocols: what is spoken is stated here.
            options.httpVersion = .http2Only
            change(&options)
        }
    }

    @Test("a response is read over TLS, with HTTP/2 by ALPN")
    func alpn() async throws {
        let url = try Peers.required().https("apacheTLS") + "/open/file.txt"
        let session = try session()
        let response = await session.request(url).validate().serializingString().response
        #expect(try response.result.get() == "from open\n")
        let metrics = try #require(response.metrics)
        #expect(metrics.transactionMetrics.last?.networkProtocolName == "h2", "\(metrics)")
    }

    @Test("a response is read in the clear, with prior knowledge")
    func priorKnowledge() async throws {
        let url = try Peers.required().http("apacheH2C") + "/open/file.txt"
        let session = try session { $0.httpVersion = .http2PriorKnowledge }
        #expect(try await session.request(url).validate().serializingString().value == "from open\n")
    }

    @Test("4 MiB arrive whole, also in a range")
    func large() async throws {
        let url = try Peers.required().https("apacheTLS") + "/open/4m"
        let session = try session()
        #expect(try await session.request(url).validate().serializingData().value == Self.content)
        let range = session.request(url, headers: ["Range": "bytes=1000000-1999999"]).validate(statusCode: [206])
        #expect(try await range.serializingData().value == Self.content[1_000_000..<2_000_000])
    }

    @Test("60 concurrent requests succeed, although Apache allows 10 streams on a connection")
    func streamLimit() async throws {
        let url = try Peers.required().https("apacheTLS") + "/open/4m"
        let session = try session()
        try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<60 {
                group.addTask {
                    let range: HTTPHeaders = ["Range": "bytes=0-\(number * 1000)"]
                    return try await session.request(url, headers: range).validate().serializingData().value.count
                }
            }
            let counts = try await group.reduce(into: Set<Int>()) { $0.insert($1) }
            #expect(counts == Set((0..<60).map { $0 * 1000 + 1 }))
        }
    }

    @Test("a conditional request is answered with 304, and HEAD without content")
    func withoutContent() async throws {
        let url = try Peers.required().https("apacheTLS") + "/open/file.txt"
        let session = try session()
        let first = await session.request(url, method: .head).validate().serializingData(emptyResponseCodes: [200])
            .response
        #expect(first.data?.isEmpty ?? true)
        let tag = try #require(first.response?.headers.value(for: "ETag"))
        let second = await session.request(url, headers: ["If-None-Match": tag])
            .serializingData(emptyResponseCodes: [304]).response
        #expect(second.response?.statusCode == 304)
        #expect(second.error == nil)
    }

    @Test("a cancelled download leaves the connection to other requests")
    func cancellation() async throws {
        let peer = try Peers.required().https("apacheTLS")
        let session = try session()
        for _ in 0..<10 {
            let cancelled = session.streamRequest("\(peer)/open/4m")
            var iterator = cancelled.bytes().makeAsyncIterator()
            _ = try await iterator.next()
            cancelled.cancel()
            let value = try await session.request("\(peer)/open/file.txt").validate().serializingString().value
            #expect(value == "from open\n")
        }
    }
}

extension [UInt8] {
    fileprivate func repeated(_ count: Int) -> [UInt8] { (0..<count).flatMap { _ in self } }
}
