import Airframe
import AirframeCommandLine
import AirframeHAR
import ArgumentParser
import Foundation

/// Lists, shows and repeats the exchanges of HTTP archives.
struct HARCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "har",
        abstract: "List, show or repeat the exchanges of an HTTP archive (HAR 1.2).",
        subcommands: [List.self, Show.self, Replay.self]
    )

    /// The file that all of them need.
    struct Archive: ParsableArguments {
        @Argument(help: "The archive.", completion: .file(extensions: ["har"])) var file: String

        /// The entries, also of a file whose writer was ended.
        func entries() throws -> [HAR.Entry] {
            let data = try LocalFile.read(file)
            do {
                return try HAR.Log(data, recovering: true).entries
            } catch {
                throw CommandFailure("\(file): \(error)", hint: "--har FILE records an archive")
            }
        }
    }

    /// `airframe har ls FILE`
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "ls", abstract: "List the exchanges: number, status, method, duration, size and URL.")
        @OptionGroup var archive: Archive
        @Option(help: "Only exchanges that match, such as 'POST 5xx api.test'.") var filter = ""
        @Flag(help: "Write a line of JSON for each.") var json = false

        func run() throws {
            let filter = ExchangeFilter(filter)
            let listing = ArchiveListing(style: Terminal.output.style)
            let width = Terminal.output.isTerminal ? Terminal.output.size.columns : .max
            for (index, entry) in try archive.entries().enumerated() {
                let exchange = InspectedExchange(
                    id: UInt64(index + 1), method: entry.request.method, url: entry.request.url, entry: entry)
                guard filter.matches(exchange) else { continue }
                let line = json ? ExchangeLine.text(entry) : listing.line(index + 1, entry, width: width)
                try StandardOutput.write(line + "\n")
            }
        }
    }

    /// `airframe har show FILE NUMBER…`
    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Write all of an exchange: heads, bodies, phases.")
        @OptionGroup var archive: Archive
        @Argument(help: "The numbers that ls writes; all without any.") var numbers: [Int] = []
        @Flag(help: "Write the body of the response alone.") var body = false

        func run() throws {
            let entries = try archive.entries()
            let listing = ArchiveListing(style: Terminal.output.style)
            let chosen = numbers.isEmpty ? entries.indices.map { $0 + 1 } : numbers
            for number in chosen {
                let entry = try HARCommand.entry(number, of: entries)
                if body {
                    try StandardOutput.write(try entry.response.content.data() ?? Data())
                } else {
                    try StandardOutput.write(listing.details(entry) + "\n")
                }
            }
        }
    }

    static func entry(_ number: Int, of entries: [HAR.Entry]) throws -> HAR.Entry {
        guard (1...max(1, entries.count)).contains(number), !entries.isEmpty else {
            throw CommandFailure("there is no exchange \(number): the archive has \(entries.count)", status: .usage)
        }
        return entries[number - 1]
    }
}
