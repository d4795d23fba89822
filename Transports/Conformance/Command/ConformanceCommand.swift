internal import FoundationEssentials
internal import Glibc

/// The suite as a command, for an executable of an engine's author.
///
/// ```swift
/// @main struct Conformance {
///     static func main() async { await ConformanceCommand.run(ConformanceEngine(claiming: [.exchange]) { MyEngine() }) }
/// }
/// ```
///
/// The cases of each group run in their own process. An engine that traps or hangs ends that process alone: the
/// case fails, and the remaining cases run in another process. `--help` lists the options.
public enum ConformanceCommand {
    /// Runs the suite over an engine, prints the report, and ends the process: with status 0 if no case failed, with 1
    /// if one did, and with 2 if the arguments are wrong.
    ///
    /// - Parameters:
    ///   - engine: The engine and the levels that it claims.
    ///   - exclusions: Cases to skip: their ids, each with the reason.
    ///   - arguments: The options. A program with its own arguments passes the rest of them; the processes that run
    ///     the cases are started with all of the program's arguments.
    public static func run(
        _ engine: ConformanceEngine,
        exclusions: [String: String] = [:],
        arguments: [String] = Array(CommandLine.arguments.dropFirst())
    ) async -> Never {
        let options: CommandOptions
        do {
            options = try CommandOptions(arguments)
        } catch {
            write("\(error)\n\n\(CommandOptions.usage)", to: STDERR_FILENO)
            exit(2)
        }
        if let runner = options.runner {
            await CaseRunner(engine, exclusions: exclusions, options, channel: runner).run()
        }
        if options.wantsHelp {
            write(CommandOptions.usage, to: STDOUT_FILENO)
            exit(0)
        }
        if options.wantsList {
            for conformanceCase in options.cases {
                write("\(conformanceCase.level.rawValue) \(conformanceCase)\n", to: STDOUT_FILENO)
            }
            exit(0)
        }
        let report = await Supervisor(options, exclusions: exclusions).report()
        do {
            try deliver(report, options)
        } catch {
            write("\(error)\n", to: STDERR_FILENO)
            exit(2)
        }
        exit(report.score.failed == 0 ? 0 : 1)
    }

    private static func deliver(_ report: ConformanceReport, _ options: CommandOptions) throws {
        switch options.json {
        case nil: write(report.description, to: STDOUT_FILENO)
        case "-": write(String(decoding: try report.json(), as: UTF8.self) + "\n", to: STDOUT_FILENO)
        case .some(let path):
            try report.json().write(to: URL(filePath: path))
            write(report.description, to: STDOUT_FILENO)
        }
    }

    private static func write(_ text: String, to descriptor: Int32) {
        try? Channel(descriptor).write(Array(text.utf8))
    }
}
