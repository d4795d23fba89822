import Airframe
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

    @Argument(help: "A method in capitals or the name of a command, if any; the URL; and parts of the request.")
    var words: [String]
    @OptionGroup var options: RequestOptions

    func run() async throws {
        var rest = words[...]
        let method = rest.count > 1 ? Self.method(rest[0]) : nil
        if method != nil { rest.removeFirst() }
        guard let url = rest.popFirst() else { throw ValidationError("name a URL") }
        guard method == nil || Self.method(url) == nil else { throw ValidationError("'\(url)' is not a URL") }
        let outgoing = try OutgoingRequest(method: method, url: url, items: Array(rest), options: options)
        do {
            try await RequestRunner(options: options, showsHead: method == "HEAD").run(outgoing)
        } catch let error as AFError where words.count == 1 && error.transportError?.code == .nameResolutionFailed {
            guard url.allSatisfy({ $0.isLetter || $0 == "-" }) else { throw error }
            throw CommandFailure(
                CommandFailure(error).description,
                hint: "\(url) is not a command either: `airframe --help` lists the commands",
                status: .nameResolution)
        }
    }

    /// The method that a word names: any in capitals, and the common ones in small letters, as `airframe post` has
    /// them.
    private static func method(_ word: String) -> String? {
        let isMethod = word.allSatisfy { $0.isASCII && ($0.isUppercase || $0 == "-" || $0 == "_") }
        return isMethod ? word : verbs.contains(word) ? word.uppercased() : nil
    }

    private static let verbs: Set = ["get", "head", "post", "put", "patch", "delete", "options"]
}
