internal import AirframeTransport
internal import Foundation

/// A curl command, read from its text: what browsers copy and documentation prints.
package struct CurlCommand: Sendable {
    /// A piece of content.
    enum DataPiece: Sendable, Hashable {
        case text(String)
        /// A file; its line ends are removed unless it is exact.
        case file(String, isExact: Bool)
    }

    /// The treatment of line ends in `@file`.
    enum DataReading: Sendable {
        case stripped
        case exact
    }

    var method: String?
    var urls: [String] = []
    var isHead = false
    var putsDataIntoQuery = false
    var isJSON = false
    var followsRedirects = false
    var headers: [RequestParts.Pair] = []
    var removedHeaders: [String] = []
    var data: [DataPiece] = []
    var parts: [RequestParts.Part] = []
    var uploadFile: String?
    /// The cookies of `-b`, as text.
    var cookies: [String] = []
    /// The files of `-b`, which are read.
    var cookieFiles: [String] = []
    /// The file of `-c`, which is written.
    var cookieJar: String?
    /// The options that airframe shares with curl, as its arguments.
    private(set) var passedOn: [String] = []

    /// Reads a command.
    ///
    /// - Parameter command: The command, with or without the word `curl` at its beginning.
    /// - Throws: ``ItemError`` for an option that is not known, a value that is missing, and a command without a URL.
    package init(_ command: String) throws { try self.init(words: ShellWords.split(command)) }

    /// Reads a command that a shell has split.
    ///
    /// - Throws: ``ItemError`` as ``init(_:)`` does.
    package init(words: [String]) throws {
        var rest = words[...]
        if let first = rest.first, first == "curl" || first.hasSuffix("/curl") { rest.removeFirst() }
        while let word = rest.popFirst() {
            if word.hasPrefix("--"), word.count > 2 {
                try apply(word, value: nil, &rest)
            } else if word.hasPrefix("-"), word.count > 1 {
                try applyShort(word.dropFirst(), &rest)
            } else {
                urls.append(word)
            }
        }
        guard !urls.isEmpty else { throw ItemError("the command names no URL") }
        guard urls.count == 1 else {
            let names = urls.map(Redaction.invalidURL).joined(separator: ", ")
            throw ItemError("the command names \(urls.count) URLs, and one is expected: \(names)")
        }
        try checkBody()
        try passOnCookies()
    }

    /// Refuses bodies of which a part would be left out.
    private func checkBody() throws(ItemError) {
        guard parts.isEmpty || data.isEmpty else {
            throw ItemError("the command has both -d and -F: a request has one body")
        }
        guard parts.isEmpty || !putsDataIntoQuery else {
            throw ItemError("the command has both -G and -F: a form is a body and no query")
        }
        guard uploadFile == nil || parts.isEmpty && data.isEmpty else {
            throw ItemError("the command has -T and another body: a request has one body")
        }
        for case .file(let path, _) in data where putsDataIntoQuery {
            throw ItemError("-G would put the content of '@\(path)' into the query: write the content in its place")
        }
    }

    /// Passes on the file of cookies. A jar is both read and written here, so that `-b` and `-c` must name one file.
    private mutating func passOnCookies() throws(ItemError) {
        if cookieFiles.contains(""), cookieJar == nil {
            throw ItemError(
                "-b '' keeps cookies in memory, which has no counterpart here: add -c FILE, or leave it out")
        }
        cookieFiles.removeAll { $0.isEmpty }
        if let other = cookieFiles.first(where: { $0 != cookieJar }) {
            throw ItemError(
                cookieJar.map { "-b \(other) and -c \($0) name two files: a jar is read and written here" }
                    ?? "-b \(other) only reads its file, and a jar is written here too: add -c \(other), or leave it out"
            )
        }
        if let cookieJar { passOn("--cookie-jar", cookieJar) }
    }

    private mutating func apply(_ name: String, value: String?, _ rest: inout ArraySlice<String>) throws {
        guard let option = CurlOption.named(name) else {
            throw ItemError("curl's \(name) has no counterpart here: leave it out, or see `airframe request --help`")
        }
        func argument() throws -> String {
            guard let value = value ?? rest.popFirst() else { throw ItemError("curl's \(name) needs a value") }
            return value
        }
        switch option.effect {
        case .flag(let change): change(&self)
        case .value(let change): try change(&self, argument())
        case .ignored(let takesValue): if takesValue { _ = try argument() }
        }
    }

    /// `-sSLd value`, `-XPOST`: options of one letter, the last of which may have a value.
    private mutating func applyShort(_ letters: Substring, _ rest: inout ArraySlice<String>) throws {
        var letters = letters
        while let letter = letters.popFirst() {
            guard case .value? = CurlOption.named("-\(letter)")?.effect else {
                try apply("-\(letter)", value: nil, &rest)
                continue
            }
            return try apply("-\(letter)", value: letters.isEmpty ? nil : String(letters), &rest)
        }
    }

    // MARK: Changes that options make

    mutating func passOn(_ flag: String) { passedOn.append(flag) }

    mutating func passOn(_ name: String, _ value: String) { passedOn += Self.option(name, value) }

    /// An option and its value in one word, so that the value may begin with a hyphen. An empty one is a word: behind
    /// an equals sign it would be missing.
    static func option(_ name: String, _ value: String) -> [String] {
        value.isEmpty ? [name, value] : ["\(name)=\(value)"]
    }

    mutating func setHeader(_ name: String, _ value: String) {
        headers.removeAll { $0.name.lowercased() == name.lowercased() }
        headers.append(RequestParts.Pair(name, value))
    }

    mutating func addHeader(_ text: String) throws(ItemError) {
        if text.hasSuffix(";"), !text.contains(":") {
            headers.append(RequestParts.Pair(String(text.dropLast()), ""))
            return
        }
        guard let colon = text.firstIndex(of: ":"), colon > text.startIndex else {
            throw ItemError("a header field of -H has no name or no colon: write 'Name: value'")
        }
        let name = String(text[..<colon])
        let value = text[text.index(after: colon)...].trimmingCharacters(in: .whitespaces)
        // The engine sends the length and the codings that it can decode.
        if ["accept-encoding", "content-length"].contains(name.lowercased()) { return }
        if value.isEmpty { removedHeaders.append(name) } else { headers.append(RequestParts.Pair(name, value)) }
    }

    mutating func addData(_ value: String, _ reading: DataReading) throws(ItemError) {
        guard value.hasPrefix("@") else { return data.append(.text(value)) }
        guard value.count > 1 else { throw ItemError("'@' does not name a file") }
        data.append(.file(String(value.dropFirst()), isExact: reading == .exact))
    }

    /// `content`, `=content` and `name=content`, encoded; files are not read here.
    mutating func addEncodedData(_ value: String) throws(ItemError) {
        guard let place = value.firstIndex(where: { $0 == "=" || $0 == "@" }) else {
            return data.append(.text(FormEncoding.encoded(value)))
        }
        guard value[place] == "=" else {
            // Content with an `@` that was meant literally may be a secret.
            throw ItemError("--data-urlencode with '@' encodes a file: write the file's content in its place")
        }
        let content = FormEncoding.encoded(String(value[value.index(after: place)...]))
        data.append(.text(place == value.startIndex ? content : "\(value[..<place])=\(content)"))
    }

    mutating func addPart(_ value: String) throws(ItemError) {
        guard let equals = value.firstIndex(of: "="), equals > value.startIndex else {
            throw ItemError("a part of -F has no name: write name=value or name=@file")
        }
        let name = String(value[..<equals])
        let content = value[value.index(after: equals)...]
        guard content.hasPrefix("@") else {
            guard !content.hasPrefix("<") else {
                throw ItemError("the part '\(name)' reads its value from a file: write the value")
            }
            guard content.contains(";") else {
                return parts.append(.text(name: name, value: String(content)))
            }
            // curl reads attributes behind it, and leaves other words out.
            throw ItemError(
                "the ';' in the text of '\(name)' has no counterpart here: write the text with --form-string")
        }
        var pieces = content.dropFirst().split(separator: ";").map(String.init)[...]
        guard let path = pieces.popFirst(), !path.hasPrefix("\"") else {
            throw ItemError("the part '\(name)' does not name a file: write name=@file, without quotes")
        }
        var mediaType: String?
        for piece in pieces {
            let isOther = ["filename=", "encoder=", "headers="].contains { piece.hasPrefix($0) }
            if mediaType == nil, piece.hasPrefix("type=") {
                mediaType = String(piece.dropFirst(5))
            } else if let type = mediaType, !isOther {
                // A parameter of the media type.
                mediaType = "\(type);\(piece)"
            } else {
                let attribute = piece.prefix { $0 != "=" }
                throw ItemError("';\(attribute)' of the file \(path) has no counterpart here: leave it out")
            }
        }
        parts.append(.file(name: name, path: path, mediaType: mediaType))
    }

    mutating func addTextPart(_ value: String) throws(ItemError) {
        guard let equals = value.firstIndex(of: "="), equals > value.startIndex else {
            throw ItemError("a part of --form-string has no name: write name=value")
        }
        parts.append(.text(name: String(value[..<equals]), value: String(value[value.index(after: equals)...])))
    }

    mutating func addPins(_ value: String) throws(ItemError) {
        for pin in value.split(separator: ";") {
            guard pin.hasPrefix("sha256//") else {
                throw ItemError("'\(pin)' is not a pin: sha256//BASE64 is expected")
            }
            passOn("--pin", "sha256/" + pin.dropFirst("sha256//".count))
        }
    }

    /// `provider1:provider2:region:service`; only AWS's own scheme is known.
    mutating func setAWSSigning(_ value: String) throws(ItemError) {
        let parts = value.split(separator: ":").map(String.init)
        guard parts.count == 4, parts[0] == "aws" else {
            throw ItemError("'\(value)' does not say what to sign for: write aws:amz:REGION:SERVICE")
        }
        passOn("--aws-sigv4", "\(parts[2]):\(parts[3])")
    }
}
