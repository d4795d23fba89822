import AirframeEncoding
import AirframeTransport
import Foundation
import Testing

@Suite("Large multipart forms", .timeLimit(.minutes(1)))
struct MultipartMemoryTests {
    private static var residentMiB: Int {
        let fields = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ") ?? []
        return fields.count > 1 ? (Int(fields[1]) ?? 0) / 256 : 0
    }

    @Test("600 MB of parts are streamed in constant memory")
    func memory() async throws {
        let folder = try TemporaryFolder()
        let form = MultipartFormData()
        for index in 0..<3 {
            form.append(try folder.sparseFile("\(index).bin", size: 200_000_000), withName: "f\(index)")
        }
        let before = Self.residentMiB
        var peak = before
        var count: Int64 = 0
        var chunks = 0
        let body = try form.makeRequestBody()
        guard case .stream(let stream) = body.content else {
            Issue.record("the form is not streamed")
            return
        }
        let source = try stream.makeSource()
        while let chunk = try await source.next() {
            #expect(chunk.count <= 512 << 10)
            count += Int64(chunk.count)
            chunks += 1
            if chunks.isMultiple(of: 16) { peak = max(peak, Self.residentMiB) }
        }
        peak = max(peak, Self.residentMiB)
        #expect(count == body.length)
        // Other tests of this process run meanwhile; the whole form would be 600.
        #expect(peak - before < 128)
    }
}
