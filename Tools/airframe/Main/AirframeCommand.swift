import AirframeCommandLine
import ArgumentParser
import Foundation

/// The command-line client. Without the name of a command, the arguments are those of `request`.
@main
struct AirframeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "airframe",
        abstract: "An HTTP client for the shell.",
        discussion: """
            EXAMPLES
              airframe get api.test/users                    a request
              airframe post api.test/users name=Ada age:=36  JSON from fields
              airframe download files.test/large.iso         a file, with progress
              airframe from-curl 'curl https://api.test/'    runs it, prints Swift

            EXIT STATUS
              0  success          22 status 400 or above   56 connection lost
              1  another failure  23 output not written    58 certificate wanted
              2  trust: refused   26 file not read         60 certificates refused
              5  proxy            28 timeout               61 content coding broken
              6  name resolution  35 TLS handshake         64 command line wrong
              7  connect          47 redirects
              130 interrupted, 141 pipe closed, 143 terminated

            COMPLETION: airframe --generate-completion-script bash (or zsh, fish).
            MANUAL: airframe manual.
            """,
        version: AirframeVersion.text,
        subcommands: VerbCommands.all + [
            RequestCommand.self, DownloadCommand.self, UploadCommand.self, EventsCommand.self, WebSocketCommand.self,
            FromCurlCommand.self, HARCommand.self, InspectCommand.self, CacheCommand.self, TrustCommand.self,
            QueueCommand.self, ResolveCommand.self, ManualCommand.self, DemoCommand.self,
        ],
        defaultSubcommand: RequestCommand.self
    )

    /// The words of the command line, in a form that ArgumentParser reads.
    ///
    /// - Throws: ``CommandFailure`` for a word that is not UTF-8: other characters would take the place of its bytes.
    private static func arguments() throws -> [String] {
        for index in 0..<Int(CommandLine.argc) {
            guard let word = CommandLine.unsafeArgv[index] else { continue }
            var length = 0
            while word[length] != 0 { length += 1 }
            guard String(validating: UnsafeBufferPointer(start: word, count: length), as: UTF8.self) != nil else {
                throw CommandFailure("argument \(index) is not UTF-8", status: .usage)
            }
        }
        let words = Array(CommandLine.arguments.dropFirst())
        guard CommandWords.mayNeedRewriting(words) else { return words }
        return CommandWords.rewritten(words, for: try ManualPage.command(fromDump: _dumpHelp()))
    }

    static func main() async {
        // Writing to a closed pipe is an error instead of a signal, so the files of this run are still completed.
        signal(SIGPIPE, SIG_IGN)
        do {
            var command = try parseAsRoot(arguments())
            do {
                if var asynchronous = command as? any AsyncParsableCommand {
                    try await asynchronous.run()
                } else {
                    try command.run()
                }
            } catch {
                CommandFailure.exit(for: error)
            }
        } catch let failure as CommandFailure {
            CommandFailure.exit(for: failure)
        } catch {
            exit(withError: error)
        }
    }
}
