import Foundation
import Testing

@testable import AirframeTransfers

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

@Suite("The temporary file of a download", .timeLimit(.minutes(1)))
struct PartFileTests {
    @Test("without hard links the file is renamed, unless the destination exists")
    func withoutLinks() throws {
        let folder = try ScratchFolder()
        let part = try folder.file("part", Data("new".utf8))
        let existing = try folder.file("existing", Data("old".utf8))
        #expect(PartFile.renameExclusively(part.path, to: existing.path) == EEXIST)
        #expect(try Data(contentsOf: existing) == Data("old".utf8))
        #expect(PartFile.renameExclusively(part.path, to: folder.file("f").path) == 0)
        #expect(try Data(contentsOf: folder.file("f")) == Data("new".utf8))
        #expect(folder.names == ["existing", "f"])
    }

    @Test("a rename that fails leaves no empty file")
    func failedRename() throws {
        let folder = try ScratchFolder()
        #expect(PartFile.renameExclusively(folder.file("missing").path, to: folder.file("f").path) == ENOENT)
        #expect(folder.names.isEmpty)
    }

    @Test("a file that an earlier process has linked is placed; another file is kept")
    func placed() throws {
        let folder = try ScratchFolder()
        let part = try PartFile(path: folder.file("part").path)
        try part.write(Data("new".utf8), at: 0)
        #expect(link(part.path, folder.file("f").path) == 0)
        try part.place(at: folder.file("f").path, replacing: false)
        #expect(folder.names == ["f"])
        let other = try PartFile(path: folder.file("part").path)
        #expect(throws: TransferError.self) { try other.place(at: folder.file("f").path, replacing: false) }
        #expect(try Data(contentsOf: folder.file("f")) == Data("new".utf8))
        #expect(folder.names == ["f", "part"])
    }
}
