import Airframe
import AirframeCommandLine
import ArgumentParser

/// Looks a host up.
struct ResolveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resolve",
        abstract: "Write the addresses of a host, in the order in which they are tried.",
        discussion: """
            EXAMPLES
              airframe resolve api.test
              airframe resolve --json api.test | jq -r '.addresses[0]'

            EXIT STATUS: 6 when the host has no address.
            """
    )

    @Argument(help: "The host.") var host: String
    @Flag(help: "Write JSON.") var json = false

    func run() async throws {
        let start = ContinuousClock.now
        let addresses: [String]
        do {
            addresses = try await SystemNameResolver.shared.addresses(of: host)
        } catch let error as NameResolutionError {
            throw CommandFailure(error.description, hint: "check the host's name", status: .nameResolution)
        }
        let milliseconds = start.duration(to: .now) / .milliseconds(1)
        if json {
            let node = JSONNode.object([
                .init("host", .string(host)), .init("addresses", .array(addresses.map { .string($0) })),
                .init("milliseconds", .number(Quantities.digits(milliseconds))),
            ])
            return try StandardOutput.write(node.compactText + "\n")
        }
        try StandardOutput.write(addresses.map { $0 + "\n" }.joined())
        if Terminal.error.isTerminal {
            Terminal.error.write(Terminal.error.style.paint("in \(Quantities.milliseconds(milliseconds))", .dim) + "\n")
        }
    }
}
