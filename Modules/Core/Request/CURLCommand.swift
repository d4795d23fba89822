internal import AirframeTransport
internal import Foundation

/// A request as a command line of curl.
struct CURLCommand {
    /// The purpose of a command, on which its words depend.
    enum Purpose {
        /// To be read: Alamofire's words. The body is that of the `URLRequest`, and cookies are those of the session.
        case description
        /// To be run: all words with which curl sends the same request.
        case execution
    }

    enum Body {
        case none
        case data(Data)
        /// The file at a path.
        case file(String)
        /// Content that cannot be written down. The command reads it from its standard input.
        case stream

        /// Returns the body without its secrets. A body that is not text cannot be searched for them and is left out.
        func redacted(by redaction: RedactionPolicy, mediaType: String?) -> Body {
            guard case .data(let data) = self, !data.isEmpty else { return self }
            guard let text = String(data: data, encoding: .utf8), !data.contains(0) else {
                return redaction.showsPlainText ? self : .stream
            }
            return .data(Data(redaction.text(text, mediaType: mediaType).utf8))
        }
    }

    let purpose: Purpose
    let method: String
    let url: String
    let headers: [(name: String, value: String)]
    let user: String?
    /// The cookies that no header has.
    let cookies: String?
    let body: Body
    /// Whether content without a type is sent as a form, which is also curl's default.
    let assumesForm: Bool

    /// The quoting of words for the shell.
    enum Quoting {
        /// Double quotes, as Alamofire writes them. An interactive shell may expand a `!` as history.
        case double
        /// Single quotes, within which no character is special.
        case single

        func callAsFunction(_ text: String) -> String {
            // By scalars: a quote with a combining accent is one Character, and still a quote to the shell.
            var escaped = String.UnicodeScalarView()
            for scalar in text.unicodeScalars {
                switch (self, scalar) {
                case (.single, "'"): escaped.append(contentsOf: #"'\''"#.unicodeScalars)
                case (.double, "\\"), (.double, "\""), (.double, "$"), (.double, "`"):
                    escaped.append("\\")
                    escaped.append(scalar)
                default: escaped.append(scalar)
                }
            }
            return self == .single ? "'\(String(escaped))'" : "\"\(String(escaped))\""
        }
    }

    /// The longest text that is written as one word. Linux limits a word of a command to 128 KiB.
    private static let longestWord = 100_000

    /// Returns the command, over several lines unless another separator of words is given.
    func text(_ quoted: Quoting, verbose: Bool, separator: String = " \\\n\t") -> String {
        var words = [verbose ? "curl -v" : "curl", "-X \(methodWord(quoted))"]
        if purpose == .execution { words += literalOptions }
        if let user { words.append("-u \(quoted(user))") }
        if let cookies { words.append("-b \(quoted(cookies))") }
        words += headers.map { "-H \(quoted(Self.word(for: $0)))" }
        let (source, content) = bodyWords(quoted)
        words += content
        words.append(quoted(url))
        return (source ?? "") + words.joined(separator: separator)
    }

    /// The options with which curl sends method and URL as they are.
    private var literalOptions: [String] {
        var options: [String] = []
        // Without --head, curl waits for the body that the response to a HEAD announces and does not have.
        if method == HTTPMethod.head.rawValue { options.append("--head") }
        // curl expands brackets and braces and resolves dot segments by default.
        if url.utf8.contains(where: "[]{}".utf8.contains) { options.append("--globoff") }
        if url.utf8.firstRange(of: "/./".utf8) != nil || url.utf8.firstRange(of: "/../".utf8) != nil {
            options.append("--path-as-is")
        }
        return options
    }

    /// Returns the method, quoted unless it is a token (RFC 9110 §9.1), so that the shell cannot execute a part of it.
    private func methodWord(_ quoted: Quoting) -> String {
        let isToken = method.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                true
            default: false
            }
        }
        return isToken && !method.isEmpty ? method : quoted(method)
    }

    /// A header with an empty value ends in a semicolon: curl removes the header for `Name:`.
    private static func word(for header: (name: String, value: String)) -> String {
        header.value.isEmpty ? "\(header.name);" : "\(header.name): \(header.value)"
    }

    /// Returns a command that writes the body to curl's input, if one is needed, and curl's own words.
    private func bodyWords(_ quoted: Quoting) -> (source: String?, words: [String]) {
        guard case .none = body else {
            // curl adds the Content-Type of a form to a body without one.
            let isTyped =
                purpose == .description || assumesForm
                || headers.contains { $0.name.lowercased() == "content-type" }
            let type = isTyped ? [] : ["-H \(quoted("Content-Type:"))"]
            switch body {
            case .none: return (nil, [])
            case .file(let path): return (nil, type + ["--data-binary \(quoted("@\(path)"))"])
            case .stream: return (nil, type + ["--data-binary @-"])
            case .data(let data):
                guard let text = Self.text(of: data) else {
                    return ("printf \(Quoting.single(Self.octal(data))) | ", type + ["--data-binary @-"])
                }
                // curl reads a file for a value that begins with @.
                return (nil, type + ["\(text.utf8.first == UInt8(ascii: "@") ? "--data-raw" : "-d") \(quoted(text))"])
            }
        }
        return (nil, [])
    }

    /// Returns the data as text for a word of the shell, or `nil` if it is binary or too long.
    private static func text(of data: Data) -> String? {
        guard data.count <= longestWord, !data.contains(0) else { return nil }
        return String(data: data, encoding: .utf8)
    }

    /// Returns the data in the octal notation of `printf`.
    private static func octal(_ data: Data) -> String {
        var text = ""
        text.reserveCapacity(data.count * 4)
        for byte in data {
            let digits = String(byte, radix: 8)
            text += "\\" + String(repeating: "0", count: 3 - digits.count) + digits
        }
        return text
    }
}
