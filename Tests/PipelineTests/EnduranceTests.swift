import AirframeCore
import AirframeSerialization
import AirframeTestSupport
import AirframeTransport
import Foundation
import Testing

@Suite("Endurance", .timeLimit(.minutes(5)))
struct EnduranceTests {
    @Test("100,000 requests leave memory and descriptors as they were")
    func flatMemory() async throws {
        let session = Session(transport: ClosureTransport { .text(#"{"id":7}"#, to: $0) })
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
        // Other tests run beside this one. 80,000 requests that were kept would be more than 200 MiB.
        #expect(ProcessResources.residentMiB - memory < 64)
        #expect(ProcessResources.descriptorCount - descriptors < 64)
    }
}
