import AirframeHAR
import AirframeTestSupport
import Foundation
import Testing

@Suite("Writing archives", .timeLimit(.minutes(5)))
struct WriterTests {
    private let workplace: ArchiveFolder

    init() throws { workplace = try ArchiveFolder() }

    private func entry(_ number: Int, _ text: String = "") -> HAR.Entry {
        HAR.Entry(
            startedDateTime: Date(timeIntervalSince1970: 0),
            time: 0,
            request: HAR.Request(method: "GET", url: "http://a.test/\(number)"),
            response: HAR.Response(status: 200, content: HAR.Content(size: 0, text: text)),
            timings: HAR.Timings()
        )
    }

    @Test("the file is a whole archive before the first entry, and after each one")
    func wholeAtEachMoment() throws {
        let writer = try HAR.Writer(file: workplace.archive, log: HAR.Log(comment: "c", custom: ["_a": 1]))
        for count in 0..<5 {
            let log = try HAR.Log(contentsOf: workplace.archive)
            #expect(log.entries.count == count)
            #expect(log.comment == "c" && log.custom == ["_a": 1])
            try writer.append(entry(count, String(repeating: "x", count: count * 5000)))
        }
        try writer.close()
        #expect(try HAR.Log(contentsOf: workplace.archive).entries.map(\.request.url).last == "http://a.test/4")
        #expect(writer.entryCount == 5)
        #expect(throws: HAR.WritingError.self) { try writer.append(entry(6)) }
        let mode = try FileManager.default.attributesOfItem(atPath: workplace.archive.path)[.posixPermissions]
        #expect((mode as? NSNumber)?.intValue == 0o600)
    }

    @Test("a file that exists becomes readable by its owner only")
    func existingFile() throws {
        let (files, path) = (FileManager.default, workplace.archive.path)
        try Data("old".utf8).write(to: workplace.archive)
        try files.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
        let writer = try HAR.Writer(file: workplace.archive, log: HAR.Log())
        let mode = try files.attributesOfItem(atPath: path)[.posixPermissions]
        #expect((mode as? NSNumber)?.intValue == 0o600)
        try writer.close()
        #expect(try HAR.Log(contentsOf: workplace.archive).entries.isEmpty)
    }

    @Test("any number of tasks write concurrently")
    func concurrency() async throws {
        let writer = try HAR.Writer(file: workplace.archive, log: HAR.Log())
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<200 { group.addTask { try writer.append(entry(number)) } }
            try await group.waitForAll()
        }
        let urls = try HAR.Log(contentsOf: workplace.archive).entries.map(\.request.url)
        #expect(Set(urls).count == 200)
    }

    @Test("a file that cannot be created and a full disk are errors with the system's description")
    func failures() throws {
        let missing = workplace.folder.appendingPathComponent("none/session.har")
        let unmade = #expect(throws: HAR.WritingError.self) { try HAR.Writer(file: missing, log: HAR.Log()) }
        #expect(unmade?.description.contains("No such file or directory") == true)
        let full = URL(filePath: "/dev/full")
        let unwritten = #expect(throws: HAR.WritingError.self) { try HAR.Writer(file: full, log: HAR.Log()) }
        #expect(unwritten?.description.contains("No space left") == true)
    }

    @Test("on a full disk earlier entries stay readable, requests continue, and closing throws the error")
    func noRoom() async throws {
        let probe = Command.built("har-probe", [])
        // A limit on the size of files, in blocks of 512 bytes, stands for the full disk: some 14 entries.
        let script = "trap '' XFSZ; ulimit -f 200; exec '\(probe.path)' '\(workplace.archive.path)' 100"
        let outcome = try await Command(["sh", "-c", script]).run()
        #expect(outcome.status == 1, "\(outcome.output)")
        #expect(outcome.output.contains("cannot be written: File too large"), "\(outcome.output)")
        let entries = try HAR.Log(contentsOf: workplace.archive).entries
        #expect((10...20).contains(entries.count))
        #expect(entries.allSatisfy { $0.response.content.size == 6000 })
    }

    @Test("a killed process loses no completed entry")
    func crash() async throws {
        let output = workplace.folder.appendingPathComponent("output")
        let probe = Command.built("har-probe", [])
        let script = """
            : > '\(output.path)'
            '\(probe.path)' '\(workplace.archive.path)' > '\(output.path)' & probe=$!
            while kill -0 $probe && [ "$(wc -l < '\(output.path)')" -lt 50 ]; do sleep 0.02; done
            kill -9 $probe; wait $probe; test $? = 137
            """
        let outcome = try await Command(["sh", "-c", script]).run()
        try #require(outcome.status == 0, "\(outcome.output)")
        let finished = try String(contentsOf: output, encoding: .utf8).split(separator: "\n").count
        // It may have been killed while it wrote the entry after those.
        let log = try HAR.Log(contentsOf: workplace.archive, recovering: true)
        #expect(finished >= 50)
        #expect(log.entries.count >= finished)
        #expect(log.entries.allSatisfy { $0.response.content.text == "hello " })
        #expect(Set(log.entries.map(\.request.url)).count == log.entries.count)
    }

    @Test("the memory of a recorder is the same after 10,000 requests as after 2,000")
    func constantMemory() async throws {
        let probe = Command.built("har-probe", [workplace.archive.path, "10000"])
        let outcome = try await probe.run()
        try #require(outcome.status == 0, "\(outcome.output)")
        let sizes = outcome.output.split(separator: "\n").compactMap { Int($0) }
        let (early, late) = (try #require(sizes.first), try #require(sizes.last))
        #expect(sizes.count == 5)
        // An entry takes 7 KiB in the file: those that were kept would add 56 MiB and more.
        #expect(late - early < 28 * 1024, "KiB that are resident, after each 2,000 requests: \(sizes)")
        let lines = try Data(contentsOf: workplace.archive).split(separator: UInt8(ascii: "\n"))
        #expect(lines.count { $0.starts(with: Data(#"{"pageref""#.utf8)) } == 10_000)
    }
}
