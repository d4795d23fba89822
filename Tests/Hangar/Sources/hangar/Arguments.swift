import Foundation

/// The arguments of the command line.
struct Arguments {
    var host = "127.0.0.1"
    var port: UInt16 = 0
    var exitOnEOF = false
    var wantsHelp = false
    /// Seconds that a request may take until its response's head is ready.
    ///
    /// FlyingFox keeps some 800 bytes for each request until this long after it began, so it is a bound
    /// on both: the longest `/delay` and `/upload-slow`, and the memory that a benchmark leaves behind.
    var handlerTimeout: Double = 180

    static let usage = """
        usage: hangar [--host 127.0.0.1] [--port 0] [--handler-timeout 180] [--exit-on-eof]

        Serves HTTP/1.1 for tests. Prints {"port":N} when it is ready; port 0 takes a free one.
        Ends on SIGTERM, on SIGINT and, with --exit-on-eof, when standard input ends.
        """

    init(_ words: some Sequence<String>) throws {
        var iterator = words.makeIterator()
        while let word = iterator.next() {
            switch word {
            case "--host":
                host = try Self.value(of: word, iterator.next())
            case "--port":
                let text = try Self.value(of: word, iterator.next())
                guard let number = UInt16(text) else {
                    throw UsageError("--port takes a number from 0 to 65535, not \"\(text)\"")
                }
                port = number
            case "--handler-timeout":
                let text = try Self.value(of: word, iterator.next())
                guard let seconds = Double(text), (1...86_400).contains(seconds) else {
                    throw UsageError("--handler-timeout takes seconds from 1 to 86400, not \"\(text)\"")
                }
                handlerTimeout = seconds
            case "--exit-on-eof":
                exitOnEOF = true
            case "--help", "-h":
                wantsHelp = true
            default:
                throw UsageError("\"\(word)\" is not an option of hangar\n\(Self.usage)")
            }
        }
    }

    private static func value(of option: String, _ word: String?) throws -> String {
        guard let word else { throw UsageError("\(option) needs a value") }
        return word
    }
}

/// A command line that Hangar cannot follow.
struct UsageError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
