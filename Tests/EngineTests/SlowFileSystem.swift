import AirframeTestSupport
import Foundation
import NamespaceSupport

/// A file system whose reads block until the test releases them, like a file server that does not answer.
///
/// `@unchecked Sendable`: the program is confined to the task of the test.
final class SlowFileSystem: @unchecked Sendable {
    /// Whether this process may mount it: as root, with `/dev/fuse`.
    static let isAvailable = geteuid() == 0 && access("/dev/fuse", R_OK | W_OK) == 0

    /// The content of each file.
    static let content = (0..<600_000).map { UInt8(truncatingIfNeeded: $0) }

    private let program: RunningProgram
    private let root: String

    init() throws {
        program = try RunningProgram([Command.built("slow-files-probe", []).path, "\(Self.content.count)"])
        guard let root = program.line() else { throw POSIXError(.ENODEV) }
        self.root = root
    }

    /// The path of a file. Every name exists.
    func path(_ name: String) -> String { "\(root)/\(name)" }

    /// Returns once a read waits.
    func waitForRead() async throws {
        while program.line(within: 0) != "held" { try await Task.sleep(for: .milliseconds(2)) }
    }

    /// Completes the waiting reads, and all later ones.
    func release() { program.write("release") }

    /// Fails the waiting reads, and all later ones, with `EIO`.
    func fail() { program.write("fail") }
}
