import AirframeCommandLine
import ArgumentParser

/// Sends one request by any method.
struct RequestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "request",
        abstract: "Send a request by any method; `airframe URL` is short for it.",
        discussion: """
            EXAMPLES
              airframe request PROPFIND https://files.test/ Depth:1
              airframe https://api.test/users name=Ada

            Without a method it is POST if there is a body, and GET otherwise.
            `airframe post --help` explains the items.
            """
    )

    @Argument(help: "A method in capitals, if any; the URL; and parts of the request.") var words: [String]
    @OptionGroup var options: RequestOptions

    func run() async throws {
        var rest = words[...]
        let method = rest.count > 1 && Self.isMethod(rest[0]) ? rest.removeFirst() : nil
        guard let url = rest.popFirst() else { throw ValidationError("name a URL") }
        guard method == nil || !Self.isMethod(url) else { throw ValidationError("'\(url)' is no URL") }
        let outgoing = try OutgoingRequest(method: method, url: url, items: Array(rest), options: options)
        try await RequestRunner(options: options, showsHead: method == "HEAD").run(outgoing)
    }

    private static func isMethod(_ word: String) -> Bool {
        word.allSatisfy { $0.isASCII && ($0.isUppercase || $0 == "-" || $0 == "_") }
    }
}
