import AirframeCommandLine
import AirframeHAR
import AirframeInspection
import ArgumentParser
import Foundation

/// Watches the requests of a program that was made inspectable.
struct InspectCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "inspect",
        abstract: "Watch the requests of a running program: a list, details, filters, export.",
        discussion: """
            EXAMPLES
              airframe inspect                       the program that became inspectable last
              airframe inspect 4711                  the process of this number
              airframe inspect /run/app/http.sock    the socket at a path
              airframe inspect --filter '5xx !health' --json | jq .url

            The program makes its session with `Session(inspectable: .automatic)`. On
            a terminal the list is live: / filters, enter shows all of an exchange, e
            exports to a HAR file, q quits. In a pipe each exchange is a line when it
            has ended. A filter has words that all must match: 404, 5xx, failed, POST,
            >500 (milliseconds), a part of the URL, !word.
            """
    )

    @Argument(help: "The number of a process or the path of a socket.") var target: String?
    @Option(help: "Only exchanges that match.") var filter = ""
    @Flag(help: "Write a line of JSON for each exchange.") var json = false
    @Option(
        name: .customLong("export"),
        help: "On a terminal, the file that exported exchanges are written to, by default airframe.har.",
        completion: .file()
    )
    var exportFile: String?
    @Flag(help: "Write the exchanges up to now, and exit.") var snapshot = false

    func run() async throws {
        let isLive = Terminal.output.isTerminal && !json && !snapshot && isatty(STDIN_FILENO) == 1
        guard isLive || exportFile == nil else {
            throw ValidationError("--export needs a terminal, without --json and --snapshot")
        }
        let messages = try connect()
        if isLive {
            let screen = LiveInspector(
                InspectorModel(filter: ExchangeFilter(filter)), exportFile: exportFile ?? "airframe.har")
            try await Interruption.cancelling { try await screen.run(messages) }
        } else {
            try await Interruption.cancelling { [self] in try await list(messages) }
        }
    }

    /// The messages of the program that is meant.
    private func connect() throws -> AsyncThrowingStream<InspectionMessage, any Error> {
        if let target {
            let socket: InspectionSocket = Int32(target).map { .process($0) } ?? .path(target)
            do throws(InspectionError) {
                return try InspectionClient(socket).messages()
            } catch {
                throw CommandFailure(error.description, hint: Self.hint, status: .connect)
            }
        }
        for socket in InspectionSocket.all {
            if let messages = try? InspectionClient(socket).messages() { return messages }
        }
        throw CommandFailure("no program of this user is inspectable", hint: Self.hint, status: .connect)
    }

    private static let hint = "a program is inspectable while it has a Session(inspectable: .automatic)"

    private func list(_ messages: AsyncThrowingStream<InspectionMessage, any Error>) async throws {
        let filter = ExchangeFilter(filter)
        let listing = ArchiveListing(style: Terminal.output.style)
        for try await message in messages {
            if case .current = message, snapshot { return }
            guard case .finished(let id, let entry) = message else { continue }
            let exchange = InspectedExchange(
                id: id,
                method: entry.request.method,
                url: entry.request.url,
                entry: entry
            )
            guard filter.matches(exchange) else { continue }
            let line = json ? ExchangeLine.text(entry) : listing.line(Int(clamping: id), entry)
            try StandardOutput.write(line + "\n")
        }
    }
}
