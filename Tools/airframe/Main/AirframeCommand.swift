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
              airframe get https://api.test/users                    a request, its response formatted on a terminal
              airframe post https://api.test/users name=Ada age:=36  JSON from fields
              airframe download https://files.test/large.iso         a file, with progress and resume
              airframe from-curl 'curl https://api.test/users'       runs curl's command, prints Swift

            EXIT STATUS
              0  success            22 --fail, status 400 or above   56 connection lost
              1  another failure    23 the output cannot be written  58 client certificate wanted
              2  trust: refused     26 a file cannot be read         60 certificates refused
              5  proxy              28 timeout                       61 content coding broken
              6  name resolution    35 TLS handshake                 64 the command line is wrong
              7  connect            47 redirects                     130, 141, 143 interrupted, pipe closed, ended

            SHELL COMPLETION: airframe --generate-completion-script bash (or zsh, fish). MANUAL: airframe manual.
            """,
        version: AirframeVersion.text,
        subcommands: VerbCommands.all + [
            RequestCommand.self, DownloadCommand.self, UploadCommand.self, EventsCommand.self, WebSocketCommand.self,
            FromCurlCommand.self, HARCommand.self, InspectCommand.self, CacheCommand.self, TrustCommand.self,
            QueueCommand.self, ResolveCommand.self, ManualCommand.self, DemoCommand.self,
        ],
        defaultSubcommand: RequestCommand.self
    )

    static func main() async {
        // A reader that has gone is an error of the write then, and the files of this run are still completed.
        signal(SIGPIPE, SIG_IGN)
        do {
            var command = try parseAsRoot()
            do {
                if var asynchronous = command as? any AsyncParsableCommand {
                    try await asynchronous.run()
                } else {
                    try command.run()
                }
            } catch {
                CommandFailure.exit(for: error)
            }
        } catch {
            exit(withError: error)
        }
    }
}
