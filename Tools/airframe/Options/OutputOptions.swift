package import AirframeCommandLine
import ArgumentParser

/// The destination and the format of the response.
struct OutputOptions: ParsableArguments {
    @Option(name: .shortAndLong, help: "Write the body to this file; - for standard output.", completion: .file())
    var output: String?
    @Flag(name: .shortAndLong, help: "Write the response's head first, always to standard output.") var include = false
    @Option(
        help: """
            Format the body: all, colors, format or none. All on a terminal, none in a pipe or a file, unless it is given.
            """)
    var pretty: BodyFormatter.Mode?
    @Flag(name: .long, help: "Exit with 22 when the status is 400 or above. The file of -o then stays as it was.")
    var fail = false
    @Flag(name: .shortAndLong, help: "Show no progress and write no body to a terminal.") var quiet = false
    @Flag(
        help: """
            Write each exchange, redirects and retries too, as a line of JSON in place of the body. With -o, the file \
            gets the body.
            """)
    var json = false
    @Flag(inversion: .prefixedNo, help: "Request compressed content and decode it (--no-compressed: neither).")
    var compressed = true
    @Flag(name: .customLong("no-location"), help: "Do not follow redirects.") var staysPut = false
    @Option(name: .customLong("max-redirects"), help: "The most redirects to follow.") var maximumRedirects = 20

    func validate() throws {
        if maximumRedirects < 0 { throw ValidationError("--max-redirects needs a number from 0") }
        if json, include { throw ValidationError("--json has the head in its lines: leave --include out") }
        if json, pretty != nil { throw ValidationError("--json writes lines of JSON: leave --pretty out") }
    }

    /// The file or device for the body; `nil` for standard output.
    var target: String? { output.flatMap { ["-", "/dev/stdout", "/dev/fd/1"].contains($0) ? nil : $0 } }

    /// How bodies are shown on standard output.
    var mode: BodyFormatter.Mode { pretty ?? (Terminal.output.isTerminal ? .all : .none) }

    /// How bodies are written to the file or device of `-o`.
    var fileMode: BodyFormatter.Mode {
        guard let pretty else { return BodyFormatter.Mode.none }
        return pretty
    }
}

extension BodyFormatter.Mode: ExpressibleByArgument {}
