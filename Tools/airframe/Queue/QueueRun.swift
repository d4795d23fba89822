import Airframe
import ArgumentParser
import Dispatch
import Foundation

/// `airframe queue run QUEUE`
struct QueueRun: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run",
        abstract: "Carry out the transfers of a queue, until none is left.",
        discussion: """
            A SIGTERM or SIGINT stops all transfers where they are. On a terminal there are bars; in a pipe nothing is
            written but failures, to standard error.

            EXIT STATUS
              0  no transfer has failed
              1  a transfer has failed; standard error says which, and why
              130, 143  a signal stopped it
            """
    )

    @OptionGroup var file: QueueFile
    @Option(name: .long, help: "The maximum number of concurrent transfers.") var jobs = 4
    @Option(name: .customLong("per-host"), help: "The maximum number of concurrent transfers with one host.")
    var perHost = 4
    @Option(name: .customLong("limit-rate"), help: "The most bytes per second of all transfers together: 500k, 5M.")
    var rate: ByteCount?
    @Option(name: .customLong("quiet-hours"), help: "The hours in which nothing is transferred, '22:00-06:30'.")
    var quietHours: String?
    @Option(
        name: .customLong("header-file"),
        help: "A file with a header field in each line, for all requests. It is read before each attempt."
    )
    var headerFile: String?
    @Flag(name: .shortAndLong, help: "Write nothing but failures.") var quiet = false

    func validate() throws {
        if jobs < 1 || perHost < 1 { throw ValidationError("--jobs and --per-host need a number above 0") }
        if let quietHours, QuietHours(quietHours) == nil {
            throw ValidationError("'\(quietHours)' are not hours: write '22:00-06:30'")
        }
    }

    func run() async throws {
        let queue = try await file.open(mayCreate: false, try settings())
        let failedBefore = Set(try await queue.transfers(in: [.failed]).map(\.id))
        let signal = try await Self.stoppingOnSignals {
            let display = Task {
                if !quiet, TerminalBars.isTerminal { try await TerminalBars.show(queue, untilIdle: true) }
            }
            defer { display.cancel() }
            try await queue.runUntilIdle()
            _ = await display.result
        }
        if let signal { throw ExitCode(128 + signal) }
        let failed = try await queue.transfers(in: [.failed]).filter { !failedBefore.contains($0.id) }
        for transfer in failed {
            let line = "\(transfer): \(transfer.error ?? "")".printable
            Terminal.error.write("\(line)\n")
        }
        if !failed.isEmpty { throw ExitCode(1) }
    }

    private func settings() throws -> TransferQueue.Configuration {
        var configuration = TransferQueue.Configuration()
        configuration.concurrentTransfers = jobs
        configuration.concurrentTransfersPerHost = perHost
        configuration.bytesPerSecond = rate?.count
        configuration.quietHours = quietHours.flatMap { QuietHours($0) }
        configuration.secrets = headerFile.map { HeaderFile(url: URL(commandPath: $0)) }
        configuration.network = try NetworkPathMonitor().transferNetwork()
        return configuration
    }

    /// Runs `work`, and cancels it when a signal asks for the end.
    ///
    /// - Returns: The number of the signal, if one arrived.
    private static func stoppingOnSignals(_ work: @escaping @Sendable () async throws -> Void) async throws -> Int32? {
        let task = Task { try await work() }
        let (signals, continuation) = AsyncStream<Int32>.makeStream()
        let sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number)
            source.setEventHandler { continuation.yield(number) }
            source.resume()
            return source
        }
        let watch = Task { () -> Int32? in
            for await number in signals {
                task.cancel()
                return number
            }
            return nil
        }
        let result = await task.result
        continuation.finish()
        for source in sources { source.cancel() }
        if let number = await watch.value { return number }
        try result.get()
        return nil
    }
}

/// The header fields of a file, read before each attempt: a token in it may be renewed at any time.
private struct HeaderFile: TransferSecrets {
    let url: URL

    func headers(for description: TransferDescription) async throws -> HTTPHeaders {
        let lines = try String(contentsOf: url, encoding: .utf8).split(whereSeparator: \.isNewline)
        return HTTPHeaders(
            try lines.filter { !$0.hasPrefix("#") }.map { line in
                guard let header = HTTPHeader(line: line) else {
                    throw ValidationError("\(url.path) has a line that is not a header field")
                }
                return header
            })
    }
}
