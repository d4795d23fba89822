/// Names and passwords for hosts, from a file in the format of `.netrc`.
package struct Netrc: Sendable, Hashable {
    /// A name and a password.
    package struct Entry: Sendable, Hashable {
        /// The user's name.
        package var login = ""
        /// The password.
        package var password = ""

        package init(login: String = "", password: String = "") {
            self.login = login
            self.password = password
        }
    }

    private var machines: [String: Entry] = [:]
    private var fallback: Entry?

    /// Reads the text of a file. Macros and accounts are skipped; of entries for one host the first one counts.
    package init(_ text: String) {
        var words = Self.words(of: text)[...]
        while let word = words.popFirst() {
            switch word {
            case "machine":
                guard let host = words.popFirst() else { return }
                let entry = Self.entry(&words)
                if machines[host.lowercased()] == nil { machines[host.lowercased()] = entry }
            case "default": fallback = Self.entry(&words)
            default: break
            }
        }
    }

    /// The entry for a host.
    package func entry(for host: String) -> Entry? { machines[host.lowercased()] ?? fallback }

    private static func entry(_ words: inout ArraySlice<String>) -> Entry {
        var entry = Entry()
        while let word = words.first, word != "machine", word != "default" {
            words.removeFirst()
            switch word {
            case "login": entry.login = words.popFirst() ?? ""
            case "password": entry.password = words.popFirst() ?? ""
            case "account": _ = words.popFirst()
            default: break
            }
        }
        return entry
    }

    /// The words of the file, without comments and macros. A macro ends at an empty line.
    private static func words(of text: String) -> [String] {
        var words: [String] = []
        var isInMacro = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line.allSatisfy(\.isWhitespace) { isInMacro = false }
            guard !isInMacro else { continue }
            for word in line.split(whereSeparator: \.isWhitespace) {
                if word.hasPrefix("#") { break }
                if word == "macdef" {
                    isInMacro = true
                    break
                }
                words.append(String(word))
            }
        }
        return words
    }
}
