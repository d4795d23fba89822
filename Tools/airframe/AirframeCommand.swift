import ArgumentParser

/// The command-line client: one request, a WebSocket, or the demo.
@main
struct AirframeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "airframe",
        abstract: "An HTTP client for the shell.",
        subcommands: [
            GetCommand.self, WebSocketCommand.self, CacheCommand.self, TrustCommand.self, QueueCommand.self,
            DemoCommand.self,
        ]
    )
}
