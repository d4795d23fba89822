internal import Foundation
internal import Glibc

/// A program that a test runs to its end.
public struct Command: Sendable {
    /// The result of a program.
    public struct RunResult: Sendable {
        /// Its exit status; 128 and the signal's number when a signal ended it.
        public let status: Int32
        /// Its standard output and standard error.
        public let output: String
        /// The peak resident memory in MiB.
        public let peakMiB: Int
    }

    private let words: [String]

    /// Names a program and its arguments.
    public init(_ words: [String]) { self.words = words }

    /// A program that was built with the tests.
    public static func built(_ name: String, _ arguments: [String]) -> Command {
        let folder = Bundle.main.executableURL?.resolvingSymlinksInPath().deletingLastPathComponent()
        let candidates = [folder, folder?.deletingLastPathComponent(), testBinaryFolder].compactMap(\.self)
        let found = candidates.map { $0.appendingPathComponent(name).path }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
        return Command([found ?? name] + arguments)
    }

    private static var testBinaryFolder: URL? {
        CommandLine.arguments.first { $0.hasSuffix(".xctest") }
            .map { URL(fileURLWithPath: $0).deletingLastPathComponent() }
    }

    /// The program's path, or its name.
    public var path: String { words[0] }

    /// The program's arguments.
    public var arguments: [String] { Array(words.dropFirst()) }

    /// Runs the program.
    ///
    /// - Parameters:
    ///   - environment: Added to the environment of this process.
    ///   - limit: The program is killed after this time: a waiting test could not be cancelled.
    public func run(
        environment: [String: String] = [:],
        limit: Duration = .seconds(240)
    ) async throws -> RunResult {
        try await withCheckedThrowingContinuation { continuation in
            // A new thread, because the call blocks.
            Foundation.Thread.detachNewThread { continuation.resume(with: Result { try runHere(environment, limit) }) }
        }
    }

    private func runHere(_ environment: [String: String], _ limit: Duration) throws -> RunResult {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("output-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 1, file.path, O_WRONLY | O_CREAT | O_EXCL, 0o600)
        posix_spawn_file_actions_adddup2(&actions, 1, 2)
        let merged = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        var arguments = words.map { strdup($0) } + [nil]
        var variables = merged.map { strdup("\($0)=\($1)") } + [nil]
        defer { (arguments + variables).forEach { free($0) } }
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        // Threads of Dispatch block signals. A shell that inherits the mask waits for its children forever.
        var noSignals = sigset_t()
        sigemptyset(&noSignals)
        posix_spawnattr_setsigmask(&attributes, &noSignals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        var process = pid_t()
        let code = posix_spawnp(&process, words[0], &actions, &attributes, &arguments, &variables)
        guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .ENOENT) }
        // `ru_maxrss` of a child counts what its parent had before the exec, so the child's own mark is watched
        // instead.
        var peak = 0
        var status: Int32 = 0
        let end = ContinuousClock.now + limit
        while waitpid(process, &status, WNOHANG) == 0 {
            if ContinuousClock.now > end { kill(process, SIGKILL) }
            peak = max(peak, highWaterMark(of: process) ?? 0)
            usleep(10_000)
        }
        let signal = status & 0x7F
        return RunResult(
            status: signal == 0 ? (status >> 8) & 0xFF : 128 + signal,
            output: (try? String(contentsOf: file, encoding: .utf8)) ?? "",
            peakMiB: peak / 1024
        )
    }

    /// The peak resident memory of a process in KiB.
    private func highWaterMark(of process: pid_t) -> Int? {
        guard let status = try? String(contentsOfFile: "/proc/\(process)/status", encoding: .utf8) else { return nil }
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return line.flatMap { Int($0.filter(\.isNumber)) }
    }
}
