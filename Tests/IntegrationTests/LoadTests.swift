import Airframe
import AirframeTestSupport
import Foundation
import Testing

@Suite(
    "Load, memory and backpressure", .serialized, .enabled(if: Peers.areExpected), .overEachEngine,
    .timeLimit(.minutes(4)))
struct LoadTests {
    @Test("A 2 GiB download to a file, and its upload, stay below 64 MiB resident")
    func large() async throws {
        let origin = try Peers.required().http()
        let size = 2 << 30
        let file = try ScratchFile()
        let down = try await Command.built("airframe", ["get", "-o", file.url.path, "\(origin)/bytes/\(size)"]).run()
        #expect(down.status == 0, "\(down.output)")
        #expect(down.peakMiB < 64, "\(down.peakMiB) MiB")
        #expect(try FileManager.default.attributesOfItem(atPath: file.url.path)[.size] as? Int == size)
        let up = try await Command.built("airframe", ["get", "-T", file.url.path, "\(origin)/upload?hash=none"]).run()
        #expect(up.status == 0 && up.output.contains("\(size)"), "\(up.output)")
        #expect(up.peakMiB < 64, "\(up.peakMiB) MiB")
    }

    @Test("1,000 slow requests run concurrently")
    func slowRequests() async throws {
        let origin = try Peers.required().http("hangar")
        let session = try makeSession()
        let start = ContinuousClock.now
        let count = await withTaskGroup(of: Int.self) { group in
            for _ in 0..<1_000 {
                group.addTask {
                    let response = await session.request("\(origin)/delay/2").validate().serializingData().response
                    return response.error == nil ? 1 : 0
                }
            }
            return await group.reduce(0, +)
        }
        #expect(count == 1_000)
        #expect(ContinuousClock.now - start < .seconds(20))
    }

    @Test("A suspended request stops the server's writes, and resuming continues them")
    func suspension() async throws {
        let origin = try Peers.required().http("hangar")
        let session = try makeSession()
        let id = UUID().uuidString
        let file = try ScratchFile()
        let request = session.download("\(origin)/endless?id=\(id)", to: { _, _ in (file.url, []) })
        let task = request.serializingDownloadedFileURL()
        func written() async throws -> Int {
            struct Written: Decodable, Sendable { let written: Int }
            let data = try await session.request("\(origin)/written/\(id)").serializingData().value
            let object = try JSONSerialization.jsonObject(with: data) as? [String: Any] ?? [:]
            return object.values.compactMap { $0 as? Int }.max() ?? 0
        }
        while try await written() == 0 { try await Task.sleep(for: .milliseconds(10)) }
        request.suspend()
        try await Task.sleep(for: .milliseconds(1_000))
        let held = try await written()
        try await Task.sleep(for: .milliseconds(500))
        #expect(try await written() == held)
        request.resume()
        let deadline = ContinuousClock.now + .seconds(10)
        while try await written() == held, ContinuousClock.now < deadline {
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(try await written() > held)
        request.cancel()
        #expect(await task.response.error?.isExplicitlyCancelledError == true)
    }

    @Test(
        "Cancelling takes less than 100 ms in every phase, and no descriptor stays behind",
        arguments: [
            "/delay/30", "/endless", "/slow-body/1000?rate=1",
        ])
    func cancellation(path: String) async throws {
        let origin = try Peers.required().http("hangar")
        let before = ProcessResources.descriptorCount
        do {
            let session = try makeSession()
            for _ in 0..<10 {
                let request = session.request("\(origin)\(path)")
                let task = request.serializingData()
                try await Task.sleep(for: .milliseconds(30))
                let start = ContinuousClock.now
                request.cancel()
                let error = await task.response.error
                #expect(ContinuousClock.now - start < .milliseconds(100))
                #expect(error?.isExplicitlyCancelledError == true)
            }
        }
        var after = ProcessResources.descriptorCount
        for _ in 0..<100 where after > before + 4 {
            try await Task.sleep(for: .milliseconds(20))
            after = ProcessResources.descriptorCount
        }
        #expect(after <= before + 4, "\(before) descriptors before, \(after) after")
    }
}
