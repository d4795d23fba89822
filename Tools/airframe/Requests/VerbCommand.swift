import Airframe
import AirframeCommandLine
import ArgumentParser
import Foundation

/// A method as a command.
protocol Verb: Sendable {
    /// The method.
    static var method: String { get }
    /// The command's abstract.
    static var abstract: String { get }
    /// Examples, a line each.
    static var examples: String { get }
    /// Whether a body makes it a POST, as `get -d` does.
    static var yieldsToBody: Bool { get }
    /// Whether the head of the response is written without `--include`.
    static var showsHead: Bool { get }
}

extension Verb {
    static var yieldsToBody: Bool { false }
    static var showsHead: Bool { false }
}

/// Sends one request by the method of its name.
struct VerbCommand<V: Verb>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: V.method.lowercased(),
            abstract: V.abstract,
            discussion: """
                EXAMPLES
                \(V.examples)

                ITEMS
                  Name:value    a header field; Name: removes a default one
                  name==value   an item of the query
                  name=value    a string in the JSON object, or the form with --form
                  name:=json    a value in the JSON object
                  name@file     a file in a multipart form
                  @file         the whole body; @- is standard input
                  name=@file and name:=@file take the value from a file.
                  Keys may be paths: user[name]=Ada, tags[]=math.

                DIAGNOSTICS go to standard error. Passwords, tokens and cookies are
                hidden in them unless --show-secrets is given.
                """
        )
    }

    @Argument(help: "The URL. Without a scheme it is https, and http for localhost; :8080/path is for localhost.")
    var url: String
    @Argument(help: "Parts of the request: Name:value, name==value, name=value, name:=json, name@file, @file.")
    var items: [String] = []
    @Option(name: [.customShort("X"), .long], help: "Another method.") var method: String?
    @OptionGroup var options: RequestOptions

    func run() async throws {
        let mayChange = V.yieldsToBody && method == nil
        let chosen = mayChange && options.body.hasBody ? nil : method ?? V.method
        let outgoing = try OutgoingRequest(method: chosen, url: url, items: items, options: options)
        if mayChange, !options.body.hasBody, outgoing.hasBody {
            throw ItemError("a \(V.method) has no body: use `airframe post`, or name==value for an item of the query")
        }
        try await RequestRunner(options: options, showsHead: V.showsHead).run(outgoing)
    }
}

/// The commands that are named after methods.
enum VerbCommands {
    static let all: [any ParsableCommand.Type] = [
        VerbCommand<Get>.self, VerbCommand<Head>.self, VerbCommand<Post>.self, VerbCommand<Put>.self,
        VerbCommand<Patch>.self, VerbCommand<Delete>.self, VerbCommand<Options>.self,
    ]

    enum Get: Verb {
        static let method = "GET"
        static let abstract = "Fetch a URL and write the response to standard output."
        static let yieldsToBody = true
        static let examples = """
              airframe get https://api.test/users page==2
              airframe get -i https://api.test/users Accept:application/json
              airframe get -o image.png https://api.test/image.png
              airframe get --timings --output /dev/null https://api.test/users
              airframe get --har session.har https://api.test/users
              airframe get --cookie-jar jar.json --cookie theme=dark api.test/users
              airframe get --cache ~/.cache/airframe https://api.test/users
            """
    }

    enum Head: Verb {
        static let method = "HEAD"
        static let abstract = "Write the head of a response."
        static let showsHead = true
        static let examples = "  airframe head https://api.test/users"
    }

    enum Post: Verb {
        static let method = "POST"
        static let abstract = "Send JSON, a form or a file by POST."
        static let examples = """
              airframe post https://api.test/users name=Ada age:=36 tags[]=math
              airframe post --form https://api.test/login user=ada password=@secret.txt
              airframe post https://api.test/photos title=Sunset photo@sunset.jpg
              airframe post https://api.test/import @users.csv Content-Type:text/csv
            """
    }

    enum Put: Verb {
        static let method = "PUT"
        static let abstract = "Send JSON, a form or a file by PUT."
        static let examples = "  airframe put https://api.test/users/7 name=Ada"
    }

    enum Patch: Verb {
        static let method = "PATCH"
        static let abstract = "Send JSON, a form or a file by PATCH."
        static let examples = "  airframe patch https://api.test/users/7 name=Ada"
    }

    enum Delete: Verb {
        static let method = "DELETE"
        static let abstract = "Send a DELETE."
        static let examples = "  airframe delete https://api.test/users/7"
    }

    enum Options: Verb {
        static let method = "OPTIONS"
        static let abstract = "Ask a server for its options, and write the response with its head."
        static let showsHead = true
        static let examples = "  airframe options https://api.test/users Origin:https://app.test"
    }
}
