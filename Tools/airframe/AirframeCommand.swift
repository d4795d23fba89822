import ArgumentParser

/// The command-line client: one request, or the demo.
@main
struct AirframeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "airframe",
        abstract: "An HTTP client for the shell.",
        subcommands: [GetCommand.self, TrustCommand.self, DemoCommand.self]
    )
}
