import AirframeConformance
import Foundation
import Testing

@Suite("The command", .timeLimit(.minutes(2)))
struct CommandTests {
    /// Runs `conformance-probe`, which is in the folder of the program that runs the tests.
    private func probe(_ arguments: String...) async throws -> (status: Int32, output: Data) {
        let program = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let process = Process()
        process.executableURL = URL(filePath: program).deletingLastPathComponent().appending(path: "conformance-probe")
        process.arguments = arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        return try await withCheckedThrowingContinuation { continuation in
            // Waiting blocks: it needs its own thread.
            let thread = Thread {
                do {
                    try process.run()
                    let output = pipe.fileHandleForReading.readDataToEndOfFile()
                    process.waitUntilExit()
                    continuation.resume(returning: (process.terminationStatus, output))
                } catch {
                    continuation.resume(throwing: error)
                }
            }
            thread.start()
        }
    }

    private func report(
        _ engine: String,
        _ option: String,
        _ list: String
    ) async throws -> (status: Int32, report: ConformanceReport) {
        let program = try await probe(engine, option, list, "--json", "-", "--wait", "0.3")
        return (program.status, try JSONDecoder().decode(ConformanceReport.self, from: program.output))
    }

    private static func caseCount(of groups: ConformanceGroup...) -> Int {
        ConformanceSuite.cases.count { groups.contains($0.group) }
    }

    @Test("prints a report and ends with status 0 when all cases pass")
    func passing() async throws {
        let (status, report) = try await report("sockets", "--groups", "content,upgrade")
        #expect(status == 0)
        #expect((report.score.passed, report.score.failed) == (Self.caseCount(of: .content, .upgrade), 0))
    }

    @Test("an engine that traps fails these cases, and the others are run")
    func trapping() async throws {
        let ids = "request.line,request.content.get,request.host,request.content.chunked,content.head.keeps-fields"
        let (status, report) = try await report("trapping", "--cases", ids)
        #expect(status == 1)
        #expect(
            report.results(that: .passed).map(\.id) == ["request.line", "request.host", "content.head.keeps-fields"])
        let failures = report.results(that: .failed)
        #expect(failures.map(\.id) == ["request.content.chunked", "request.content.get"])
        #expect(failures.allSatisfy { $0.reasons.allSatisfy { $0.contains("was ended by signal") } })
    }

    @Test("an engine that blocks all threads fails, and the command ends")
    func blocking() async throws {
        let (status, report) = try await report("blocking", "--cases", "concurrency.never-mixed,length.exact")
        #expect(status == 1)
        // The engine claims *exchange* alone.
        #expect((report.score.failed, report.score.skipped) == (1, 1))
    }

    @Test("rejects unknown arguments by name", arguments: ["--level", "--groups", "--wait"])
    func misuse(_ option: String) async throws {
        let (status, _) = try await probe("sockets", option, "nothing")
        #expect(status == 2)
    }

    @Test("prints reports side by side as a table")
    func table() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "report-\(UUID().uuidString).json")
        defer { try? FileManager.default.removeItem(at: file) }
        let (status, _) = try await probe("sockets", "--groups", "upgrade", "--json", file.path)
        #expect(status == 0)
        let table = String(decoding: try await probe("table", file.path, file.path).output, as: UTF8.self)
        #expect(table.contains("| level | socket | socket |\n|---|--:|--:|\n"))
        let count = Self.caseCount(of: .upgrade)
        #expect(table.contains("| upgrade | \(count)/\(count) | \(count)/\(count) |\n"))
        #expect(table.contains("| versions | – | – |\n"))
    }
}
