internal import AirframeTestSupport
internal import Foundation
package import Glibc

/// Programs that a test runs and waits for.
package enum Shell {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String

        package init(description: String) { self.description = description }
    }

    package struct RunResult {
        package let status: Int32
        package let output: String
        /// The processor time that it took, in milliseconds.
        package let milliseconds: Double
    }

    /// Runs a program to its end.
    ///
    /// - Returns: Its status, and what it wrote to standard output; standard error is the test's own.
    package static func run(_ words: [String], input: String = "", silencesErrors: Bool = true) throws -> RunResult {
        let folder = FileManager.default.temporaryDirectory
        let output = folder.appendingPathComponent("reach-out-\(UUID().uuidString)").path
        let inputFile = folder.appendingPathComponent("reach-in-\(UUID().uuidString)").path
        try input.write(toFile: inputFile, atomically: false, encoding: .utf8)
        defer { unlink(output); unlink(inputFile) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, inputFile, O_RDONLY, mode_t(0))
        posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_EXCL, 0o600)
        if silencesErrors { posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, mode_t(0)) }
        let process = try spawn(words, &actions)
        var status: Int32 = 0
        var usage = rusage()
        while wait4(process, &status, 0, &usage) < 0 && errno == EINTR {}
        let times = [usage.ru_utime, usage.ru_stime]
        let signal = status & 0x7F
        return RunResult(
            status: signal == 0 ? (status >> 8) & 0xFF : 128 + signal,
            output: try String(contentsOfFile: output, encoding: .utf8),
            milliseconds: times.reduce(0) { $0 + Double($1.tv_sec) * 1e3 + Double($1.tv_usec) / 1e3 }
        )
    }

    /// Runs a program that must succeed.
    @discardableResult
    package static func check(_ words: [String]) throws -> String {
        let outcome = try run(words, silencesErrors: false)
        guard outcome.status == 0 else {
            throw Failure(description: "\(words.joined(separator: " ")) ended with \(outcome.status)")
        }
        return outcome.output
    }

    /// The path of the monitor tool that was built with the tests.
    package static var tool: String { Command.built("airframe-reachability", []).path }

    fileprivate static func spawn(
        _ words: [String],
        _ actions: inout posix_spawn_file_actions_t
    ) throws -> pid_t {
        var arguments: [UnsafeMutablePointer<CChar>?] = words.map { strdup($0) } + [nil]
        var variables: [UnsafeMutablePointer<CChar>?] =
            ProcessInfo.processInfo.environment.map { strdup("\($0)=\($1)") } + [nil]
        defer { (arguments + variables).forEach { free($0) } }
        var process = pid_t()
        let code = posix_spawnp(&process, words[0], &actions, nil, &arguments, &variables)
        guard code == 0 else { throw Failure(description: "\(words[0]): \(String(cString: strerror(code)))") }
        return process
    }
}

/// A program that runs during the test, and is ended with the object.
package final class RunningProgram {
    package let process: pid_t
    private let input: Int32
    private let output: Int32
    private var unread: [UInt8] = []
    private var hasEnded = false

    package init(_ words: [String]) throws {
        var inPipe: [Int32] = [0, 0]
        var outPipe: [Int32] = [0, 0]
        guard pipe(&inPipe) == 0, pipe(&outPipe) == 0 else { throw Shell.Failure(description: "no pipes") }
        for descriptor in inPipe + outPipe { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, inPipe[0], 0)
        posix_spawn_file_actions_adddup2(&actions, outPipe[1], 1)
        process = try Shell.spawn(words, &actions)
        close(inPipe[0])
        close(outPipe[1])
        (input, output) = (inPipe[1], outPipe[0])
    }

    deinit {
        close(input)
        close(output)
        guard !hasEnded else { return }
        kill(process, SIGKILL)
        waitpid(process, nil, 0)
    }

    package func write(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = Glibc.write(input, bytes, bytes.count)
    }

    /// The next line; `nil` when none comes in time.
    package func line(within seconds: Double = 10) -> String? {
        let end = Date(timeIntervalSinceNow: seconds)
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            if let newline = unread.firstIndex(of: UInt8(ascii: "\n")) {
                defer { unread.removeFirst(newline + 1) }
                return String(decoding: unread[..<newline], as: UTF8.self)
            }
            var descriptor = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
            let rest = Int32(max(0, end.timeIntervalSinceNow) * 1000)
            guard poll(&descriptor, 1, rest) > 0 else { return nil }
            let count = read(output, &buffer, buffer.count)
            guard count > 0 else { return nil }
            unread += buffer.prefix(count)
        }
    }

    /// Waits for its end.
    ///
    /// - Returns: Its exit status, or 128 and the number of the signal that ended it; `nil` when it has not ended in
    ///   time.
    package func waitForEnd(within seconds: Double = 30) -> Int32? {
        let end = Date(timeIntervalSinceNow: seconds)
        var status: Int32 = 0
        while waitpid(process, &status, WNOHANG) == 0 {
            guard Date() < end else { return nil }
            usleep(5_000)
        }
        hasEnded = true
        let signal = status & 0x7F
        return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
    }

    /// Ends it and waits for it. Not by SIGTERM: the threads of a queue block it, and programs inherit that.
    package func end() {
        kill(process, SIGKILL)
        waitpid(process, nil, 0)
        hasEnded = true
    }

    /// A number of /proc/PID/status, summed over the threads.
    package func sum(_ field: String) -> Int {
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(process)/task")) ?? []
        return tasks.reduce(0) { $0 + (Self.number(field, in: "/proc/\(process)/task/\($1)/status") ?? 0) }
    }

    /// A number of /proc/PID/status.
    package func number(_ field: String) -> Int? { Self.number(field, in: "/proc/\(process)/status") }

    private static func number(_ field: String, in path: String) -> Int? {
        (try? String(contentsOfFile: path, encoding: .utf8))?.split(separator: "\n")
            .first { $0.hasPrefix(field + ":") }
            .flatMap { Int($0.dropFirst(field.count + 1).filter(\.isNumber)) }
    }
}
