/// Rewrites the words of a command line where ArgumentParser does not read them as curl does.
///
/// It takes `-Ha:b=c` for a long option with one hyphen, and rejects every word that begins with three hyphens, even as
/// the value of an option. With `-H=a:b=c` and `--data-raw=---a` it reads both.
package enum CommandWords {
    /// Whether a word may have to be rewritten. Only then is the description of all commands made, which takes time.
    package static func mayNeedRewriting(_ words: [String]) -> Bool {
        // A shell that completes a command line passes such a word first.
        guard words.first?.hasPrefix("---") != true else { return false }
        return words.contains { word in
            word.hasPrefix("---") || word.hasPrefix("-") && !word.hasPrefix("--") && word.utf8.count > 2
        }
    }

    /// The words, with each such value joined to its option by an equals sign.
    ///
    /// - Parameters:
    ///   - words: The words behind the program's name.
    ///   - root: The program with its commands.
    package static func rewritten(_ words: [String], for root: ManualPage.Command) -> [String] {
        var command = root
        var rest = words[...]
        var result: [String] = []
        while let word = rest.first, let next = subcommand(word, of: command) {
            command = next
            result.append(word)
            rest.removeFirst()
        }
        if result.isEmpty, let name = root.defaultSubcommand { command = subcommand(name, of: root) ?? root }
        if command.commandName == "from-curl" { return result + callOfCurl(Array(rest)) }
        let names = OptionNames(command)
        while let word = rest.popFirst() {
            if word == "--" { return result + [word] + rest }
            if word.hasPrefix("--") {
                let takesValue = names.long.contains(String(word.dropFirst(2)))
                result += takesValue ? joined(word, rest.popFirst()) : [word]
            } else if let (flags, option, value) = names.split(word) {
                if !flags.isEmpty { result.append("-\(flags)") }
                if value.isEmpty {
                    result += joined(option, rest.popFirst())
                } else {
                    result.append(value.hasPrefix("=") ? "\(option)\(value)" : "\(option)=\(value)")
                }
            } else {
                result.append(word)
            }
        }
        return result
    }

    private static func subcommand(_ name: String, of command: ManualPage.Command) -> ManualPage.Command? {
        command.subcommands?.first { $0.commandName == name }
    }

    /// An option and its value: in one word if ArgumentParser would reject the value.
    private static func joined(_ option: String, _ value: String?) -> [String] {
        guard let value else { return [option] }
        return value.hasPrefix("---") ? ["\(option)=\(value)"] : [option, value]
    }

    /// A curl command as one word, which `from-curl` splits again, if ArgumentParser would reject one of its words.
    private static func callOfCurl(_ words: [String]) -> [String] {
        let start = words.first == "--swift" ? 1 : 0
        let call = words.dropFirst(start)
        guard call.count > 1, call.contains(where: { $0.hasPrefix("---") }) else { return words }
        return Array(words[..<start]) + [call.map { ShellWords.quoted($0) }.joined(separator: " ")]
    }

    /// The names of a command's options.
    private struct OptionNames {
        /// The letters of options with a value.
        private var letters: Set<Character> = []
        /// The letters of options without one.
        private var flags: Set<Character> = []
        /// The long names of options with a value.
        var long: Set<String> = []

        init(_ command: ManualPage.Command) {
            for argument in command.arguments ?? [] {
                for name in argument.names ?? [] {
                    switch (argument.kind, name.kind) {
                    case ("option", "long"): long.insert(name.name)
                    case ("option", "short"): letters.formUnion(name.name)
                    case ("flag", "short"): flags.formUnion(name.name)
                    default: break
                    }
                }
            }
        }

        /// The flags at the beginning of a word such as `-kXPOST`, the option behind them, and its value; `nil` for any
        /// other word.
        func split(_ word: String) -> (flags: Substring, option: String, value: Substring)? {
            guard word.hasPrefix("-") else { return nil }
            let pack = word.dropFirst()
            guard let place = pack.firstIndex(where: { letters.contains($0) }),
                pack[..<place].allSatisfy({ flags.contains($0) })
            else { return nil }
            return (pack[..<place], "-\(pack[place])", pack[pack.index(after: place)...])
        }
    }
}
