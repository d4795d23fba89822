import AirframeHAR
import AirframeTransport
import Foundation
import Testing

@Suite("The beginning of an uploaded file", .timeLimit(.minutes(1)))
struct FileBeginningTests {
    @Test("named pipes and directories are not read")
    func special() throws {
        let pipe = FileManager.default.temporaryDirectory.appendingPathComponent("pipe-\(UUID().uuidString)").path
        try #require(mkfifo(pipe, 0o600) == 0)
        defer { unlink(pipe) }
        for path in [pipe, FileManager.default.temporaryDirectory.path] {
            #expect(HAR.BodySample(of: .file(FileRegion(path: path, length: 5)), limit: 10) == nil)
        }
    }
}
