import AirframeCore
import AirframeSerialization
import AirframeTestSupport
import AirframeTransport
import Foundation
import HTTPTypes
import Testing

// In their own process: what keeps two cores busy for half a minute would make other tests miss their limits.

@Suite("A long-running session", .timeLimit(.minutes(5)))
struct RequestTests {
    @Test("100,000 requests do not grow memory or descriptors")
    func flatMemory() async throws {
        let session = Session(transport: sampleTransport)
        func run(_ count: Int) async throws {
            try await withThrowingTaskGroup { group in
                for _ in 0..<4 {
                    group.addTask {
                        for _ in 0..<(count / 4) {
                            _ = try await session.request("http://api.test/user").validate().serializingString().value
                        }
                    }
                }
                try await group.waitForAll()
            }
        }
        // Caches, pools and the allocator find their size first.
        try await run(20_000)
        let (memory, descriptors) = (ProcessResources.residentMiB, ProcessResources.descriptorCount)
        try await run(80_000)
        let remaining = await withCheckedContinuation { continuation in
            session.withAllRequests { continuation.resume(returning: $0.count) }
        }
        #expect(remaining == 0)
        // 80,000 requests of 1 KiB each, kept by mistake, would be 80 MiB.
        #expect(ProcessResources.residentMiB - memory < 24)
        #expect(ProcessResources.descriptorCount - descriptors < 8)
    }
}

/// Answers everything with the same few bytes.
private let sampleTransport = ClosureTransport { request in
    TransportResponse(
        head: HTTPResponse(status: .ok, headerFields: [.contentType: "application/json"]),
        body: ResponseBody(Data(#"{"id":7}"#.utf8)),
        request: request.head
    )
}
