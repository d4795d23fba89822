/// A part of a request as one argument, in HTTPie's notation.
///
/// | notation | meaning |
/// |---|---|
/// | `Name:value` | a header field; `Name:` removes a default one, `Name;` sends an empty one |
/// | `name==value` | an item of the query |
/// | `name=value` | a string in the JSON object or the form |
/// | `name:=json` | a JSON value |
/// | `name=@path`, `name:=@path` | the same, from a file |
/// | `name@path` | a file in a multipart form; `;type=image/png` after the path sets its media type |
/// | `@path` | a file as the whole body; `@-` is standard input |
///
/// A backslash takes the meaning from a separator.
package enum RequestItem: Hashable, Sendable {
    /// A header field; without a value, the removal of a default one.
    case header(name: String, value: String?)
    /// An item of the query.
    case query(name: String, value: String)
    /// A field.
    case text(name: String, value: String)
    /// A field with a JSON value.
    case json(name: String, value: JSONNode)
    /// A field whose value is in a file.
    case textFile(name: String, path: String)
    /// A field whose JSON value is in a file.
    case jsonFile(name: String, path: String)
    /// A file of a multipart form.
    case file(name: String, path: String, mediaType: String?)
    /// A file as the whole body.
    case body(path: String)

    /// The separators; of two that begin at the same place, the longer one wins.
    private static let separators = [":=@", "=@", ":=", "==", "=", "@", ":"]

    /// Reads an argument.
    ///
    /// - Parameters:
    ///   - argument: The argument.
    ///   - number: Its number among the items, from 1, which names it in errors if it has no separator.
    /// - Throws: ``ItemError`` when it has none of the notations.
    package init(_ argument: String, number: Int = 1) throws(ItemError) {
        guard let (name, separator, value) = Self.split(argument) else {
            if argument.hasSuffix(";"), argument.count > 1 {
                self = .header(name: String(argument.dropLast()), value: "")
                return
            }
            // The argument may be a value whose name was left out, and so a secret.
            throw ItemError(
                "item \(number) has no separator: write Name:value, name==value, name=value, name:=json or name@file")
        }
        guard !name.isEmpty || separator == "@" else {
            throw ItemError("\(Self.quoted(argument)) has no name before '\(separator)'")
        }
        switch separator {
        case ":":
            let value = value.drop { $0 == " " || $0 == "\t" }
            self = .header(name: name, value: value.isEmpty ? nil : String(value))
        case "==": self = .query(name: name, value: value)
        case "=": self = .text(name: name, value: value)
        case ":=":
            do throws(JSONReadingError) {
                self = .json(name: name, value: try JSONReader.read(value.utf8))
            } catch {
                throw ItemError("\(Self.quoted(argument)) has \(error); for a string, write '=' in place of ':='")
            }
        case "=@": self = .textFile(name: name, path: value)
        case ":=@": self = .jsonFile(name: name, path: value)
        default:
            let parts = value.split(separator: ";type=", maxSplits: 1).map(String.init)
            guard let path = parts.first, !path.isEmpty else {
                throw ItemError("\(Self.quoted(argument)) does not name a file")
            }
            let mediaType = parts.count > 1 ? parts[1] : nil
            self = name.isEmpty ? .body(path: value) : .file(name: name, path: path, mediaType: mediaType)
        }
    }

    /// The argument for a message: the value is left out, because it may be a secret.
    private static func quoted(_ argument: String) -> String {
        let name = argument.prefix { !":=@".contains($0) && !$0.isWhitespace }
        let separator = argument[name.endIndex...].prefix { ":=@".contains($0) }
        return "'\(name)\(separator)\(separator.endIndex < argument.endIndex ? "…" : "")'"
    }

    /// The name without its escapes, the first separator, and what follows it.
    private static func split(_ argument: String) -> (String, String, String)? {
        var name = ""
        var rest = Substring(argument)
        while let character = rest.first {
            if character == "\\", let next = rest.dropFirst().first {
                // A backslash before anything but a separator stands for itself: C:\temp.
                name += separators.contains { $0.first == next } || next == "\\" ? "\(next)" : "\\\(next)"
                rest = rest.dropFirst(2)
            } else if let separator = separators.first(where: rest.hasPrefix) {
                return (name, separator, String(rest.dropFirst(separator.count)))
            } else {
                name.append(character)
                rest = rest.dropFirst()
            }
        }
        return nil
    }
}
