import AirframeCurl
import AirframeTestSupport
import AirframeTransport
import Foundation
import Glibc
import HTTPTypes
import Testing

@Suite("Many concurrent requests", .timeLimit(.minutes(1)))
struct ScaleTests {
    @Test("two thousand requests wait concurrently")
    func held() async throws {
        let count = min(2000, raiseDescriptorLimit() / 2 - 500)
        let server = try HoldingServer(count: count)
        let transport = CurlTransport()
        let bodies = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<count {
                group.addTask { try await transport.fetch(TransportRequest(.get, server.origin)).body.count }
            }
            return try await group.reduce(0, +)
        }
        #expect(bodies == 2 * count)
    }

    /// As many descriptors as the system allows.
    private func raiseDescriptorLimit() -> Int {
        var limit = rlimit()
        let kind = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        getrlimit(kind, &limit)
        limit.rlim_cur = limit.rlim_max
        setrlimit(kind, &limit)
        return Int(limit.rlim_cur)
    }
}
