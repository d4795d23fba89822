import AirframeCore
import AirframeSerialization
import AirframeTransport
import Foundation
import Testing

@Suite("Files to upload", .timeLimit(.minutes(1)))
struct FileUploadTests {
    /// Links to a file and to its folder.
    private final class Links: Sendable {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("airframe-\(UUID().uuidString)")
        var toFile: URL { folder.appendingPathComponent("to-file") }
        var toFolder: URL { folder.appendingPathComponent("to-folder") }

        init() throws {
            let manager = FileManager.default
            try manager.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data("content".utf8).write(to: folder.appendingPathComponent("file"))
            try manager.createSymbolicLink(atPath: toFile.path, withDestinationPath: "file")
            try manager.createSymbolicLink(atPath: toFolder.path, withDestinationPath: folder.path)
        }

        deinit { try? FileManager.default.removeItem(at: folder) }
    }

    private let regions = Log<FileRegion>()

    private var session: Session {
        kept(
            Session(
                transport: ClosureTransport { [regions] request in
                    if case .file(let region) = request.body.content { regions.append(region) }
                    return .text("received", to: request)
                }))
    }

    @Test("a file is sent through a symbolic link, with its own length")
    func link() async throws {
        let links = try Links()
        let response = await session.upload(links.toFile, to: "http://api.test/").serializingString().response
        #expect(response.error == nil)
        #expect(regions.values == [FileRegion(path: links.toFile.path, length: 7)])
    }

    @Test("a symbolic link to a folder is no file to upload")
    func folder() async throws {
        let links = try Links()
        let response = await session.upload(links.toFolder, to: "http://api.test/").serializingString().response
        #expect(response.error?.transportError?.code == .bodyFailed)
        #expect(regions.values.isEmpty)
        #expect(FileManager.default.fileExists(atPath: links.toFolder.path))
    }
}
