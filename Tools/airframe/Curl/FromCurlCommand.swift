import AirframeCommandLine
import ArgumentParser
import Foundation

/// Runs a curl command, and writes the equivalent Swift code.
struct FromCurlCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "from-curl",
        abstract: "Run a curl command, and write the equivalent Swift code to standard error.",
        discussion: """
            EXAMPLES
              airframe from-curl 'curl -X POST -d a=1 https://api.test/'
              airframe from-curl --swift "$(wl-paste)" > Request.swift
              airframe from-curl curl -H 'Accept: text/html' https://api.test/

            --swift writes the code to standard output, and sends nothing. The code
            holds the command's secrets.
            """
    )

    @Flag(help: "Write the Swift code to standard output, and send nothing.") var swift = false
    @Argument(parsing: .captureForPassthrough, help: "The command, as one word or as several.") var words: [String]

    func run() async throws {
        // The captured arguments begin with our own flag, if it was given.
        let onlySwift = swift || words.first == "--swift"
        let rest = words.first == "--swift" ? Array(words.dropFirst()) : words
        if rest.isEmpty || rest == ["--help"] || rest == ["-h"] { throw CleanExit.helpRequest(self) }
        let command = try rest.count == 1 ? CurlCommand(rest[0]) : CurlCommand(words: rest)
        let code = SwiftProgram(command).text
        guard !onlySwift else { return try StandardOutput.write(code) }
        let request = try RequestCommand.parse(Array(try command.arguments().dropFirst()))
        Terminal.error.write(code)
        try await request.run()
    }
}
