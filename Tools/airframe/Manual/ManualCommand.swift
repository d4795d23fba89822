import AirframeCommandLine
import ArgumentParser
import Foundation

/// Writes the manual.
struct ManualCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "manual",
        abstract: "Write the manual page of a command, or all pages to a directory.",
        discussion: """
            EXAMPLES
              airframe manual get | man -l -
              airframe manual --output ~/.local/share/man/man1
            """
    )

    @Argument(help: "The command, such as 'har ls'; airframe itself without one.") var words: [String] = []
    @Option(name: .shortAndLong, help: "Write all pages to this directory.", completion: .directory)
    var output: String?

    func run() throws {
        let root = try ManualPage.command(fromDump: AirframeCommand._dumpHelp())
        let pages = ManualPage.all(root, version: AirframeVersion.text)
        if let output {
            let directory = LocalFile.url(output)
            try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: true)
            for page in pages {
                try Data(page.text.utf8).write(to: directory.appending(path: "\(page.name).1"))
            }
            return try StandardOutput.write("\(pages.count) pages in \(output)\n")
        }
        let name = (["airframe"] + words).joined(separator: "-")
        guard let page = pages.first(where: { $0.name == name }) else {
            throw CommandFailure("there is no command '\(words.joined(separator: " "))'", status: .usage)
        }
        try StandardOutput.write(page.text)
    }
}
