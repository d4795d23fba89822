import Airframe
import AirframeTestSupport
import Foundation
import Testing

extension RealTransfers {
    @Suite("Memory and disk use of transfers", .enabled(if: Peers.areExpected), .timeLimit(.minutes(5)))
    struct ProcessTests {
        private static let size = 256 << 20

        private func probe(_ engine: TestedEngine, _ direction: String, _ url: String, _ file: URL) -> Command {
            Command.built("transfer-probe", [engine.rawValue, direction, url, file.path])
        }

        @Test("256 MiB from and to a sparse file stay below 48 MiB resident", arguments: TestedEngine.allCases)
        func memory(engine: TestedEngine) async throws {
            let folder = try ScratchFolder()
            let origin = try Peers.required().http("hangar")
            let up = try await probe(engine, "upload", "\(origin)/upload?hash=none", folder.file(size: Self.size)).run()
            #expect(up.status == 0, "\(up.output)")
            #expect(up.peakMiB < 48, "\(up.peakMiB) MiB")
            let target = folder.url.appendingPathComponent("target")
            let down = try await probe(engine, "download", "\(origin)/bytes/\(Self.size)", target).run()
            #expect(down.status == 0, "\(down.output)")
            #expect(down.peakMiB < 48, "\(down.peakMiB) MiB")
            #expect(try FileManager.default.attributesOfItem(atPath: target.path)[.size] as? Int == Self.size)
        }

        @Test(
            "a full disk is an error that names the file, and the partial file is removed",
            arguments: TestedEngine.allCases)
        func diskFull(engine: TestedEngine) async throws {
            let folder = try ScratchFolder()
            let origin = try Peers.required().http("hangar")
            let probe = probe(
                engine, "download", "\(origin)/range/10000000", folder.url.appendingPathComponent("target"))
            // A limit on the size of files (in units of 512 bytes or 1 KiB) stands in for a full disk.
            let words = ["sh", "-c", "trap '' XFSZ; ulimit -f 1000; exec \"$0\" \"$@\"", probe.path] + probe.arguments
            let outcome = try await Command(words).run(environment: ["TMPDIR": folder.url.path])
            #expect(outcome.status == 1, "\(outcome.output)")
            #expect(
                outcome.output.contains("cannot be written") || outcome.output.contains("File too large"),
                "\(outcome.output)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
        }
    }
}
