import AirframeTransport
import Foundation
import Testing

@testable import AirframeTransfers

@Suite("The content of a resumable upload", .timeLimit(.minutes(1)))
struct UploadContentTests {
    @Test("the checksum of a part is that of its bytes, also for a region of a file")
    func checksums() async throws {
        let folder = try ScratchFolder()
        let bytes = pseudorandom(1000, seed: 1)
        let file = try folder.file("f", bytes)
        let expected = Sum.sha256(of: Data(bytes[110..<130]))
        for body in [
            RequestBody.file(FileRegion(path: file.path, offset: 100, length: 50)), .bytes(Data(bytes[100..<150])),
        ] {
            let content = try #require(UploadContent(body))
            #expect(try await content.checksum(.sha256, from: 10, count: 20) == expected)
        }
    }
}
