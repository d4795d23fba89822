import Airframe
import ArgumentParser
import Foundation

/// What is written about a request to standard error, beside the response on standard output.
struct DiagnosticOptions: ParsableArguments {
    @Flag(
        name: .shortAndLong,
        help: "Write heads, redirects, retries and waits to standard error as they come, and what --timings does."
    )
    var verbose = false
    @Flag(name: .long, help: "Write to standard error how the request ended, and a bar of where the time went.")
    var timings = false
    @Flag(name: .customLong("print-curl"), help: "Write the request as a call of curl to standard error.")
    var printsCommand = false
    @Option(
        name: .customLong("har"),
        help: "Record what is exchanged, bodies too, to this file as an HTTP archive (HAR 1.2).")
    var archive: String?
    @Flag(name: .customLong("show-secrets"), help: "Hide no passwords, tokens and cookies in any of these.")
    var showsSecrets = false

    /// What is hidden.
    var redaction: RedactionPolicy { showsSecrets ? .none : .standard }

    /// The monitors that write what was asked for.
    ///
    /// - Throws: When the file of the archive cannot be made.
    func makeMonitors() throws -> Diagnostics {
        let detail: ConsoleLogger.Detail = verbose ? .verbose : timings ? .standard : []
        return Diagnostics(
            console: detail.isEmpty ? nil : ConsoleLogger(detail, redaction: redaction),
            command: printsCommand ? CURLLogger(redaction: redaction) : nil,
            archive: try archive.map { try HARRecorder(file: URL(fileURLWithPath: $0), redaction: redaction) }
        )
    }
}

/// The monitors of one run.
struct Diagnostics: Sendable {
    let console: ConsoleLogger?
    let command: CURLLogger?
    let archive: HARRecorder?

    /// All of them, for the session.
    var monitors: [any EventMonitor] {
        let all: [(any EventMonitor)?] = [console, command, archive]
        return all.compactMap(\.self)
    }

    /// Returns when all that happened so far has been written: lines must not come after the response that they are
    /// about.
    func flush() async {
        await console?.flush()
        await command?.flush()
    }

    /// Ends the archive.
    func close() async throws { try await archive?.close() }
}
