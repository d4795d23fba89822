import Airframe
import ArgumentParser
import Foundation

/// The diagnostics about a request on standard error.
struct DiagnosticOptions: ParsableArguments {
    @Flag(
        name: .shortAndLong,
        help: "Write heads, redirects, retries and waits to standard error as they happen, and the bars of --timings."
    )
    var verbose = false
    @Flag(name: .long, help: "Write the result of the request and its phases as bars to standard error.")
    var timings = false
    @Flag(name: .customLong("print-curl"), help: "Write the request as a curl command to standard error.")
    var printsCommand = false
    @Option(
        name: .customLong("har"),
        help: "Record all exchanges with their bodies to this file as an HTTP archive (HAR 1.2).")
    var archive: String?
    @Flag(name: .customLong("show-secrets"), help: "Show passwords, tokens and cookies in all of these.")
    var showsSecrets = false

    /// The redaction policy.
    var redaction: RedactionPolicy { showsSecrets ? .none : .standard }

    /// Returns the monitors for the options.
    ///
    /// - Throws: An error if the file of the archive cannot be created.
    func makeMonitors() throws -> Diagnostics {
        let detail: ConsoleLogger.Detail = verbose ? .verbose : timings ? .standard : []
        var style = ConsoleStyle.automatic(for: .standardError)
        if Terminal.error.isTerminal { style.lineWidth = Terminal.error.size.columns }
        return Diagnostics(
            console: detail.isEmpty ? nil : ConsoleLogger(detail, style: style, redaction: redaction),
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
