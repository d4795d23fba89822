internal import Foundation

/// A page of the manual, in the `man` macros of roff, from what ArgumentParser knows of a command.
package struct ManualPage: Sendable {
    /// A command as ArgumentParser's `--experimental-dump-help` describes it: the members that a page needs.
    package struct Command: Decodable, Sendable {
        package var commandName: String
        package var superCommands: [String]?
        package var abstract: String?
        package var discussion: String?
        package var defaultSubcommand: String?
        package var subcommands: [Command]?
        package var arguments: [Argument]?
    }

    /// An argument, option or flag.
    package struct Argument: Decodable, Sendable {
        package struct Name: Decodable, Sendable {
            package var kind: String
            package var name: String
        }

        package var kind: String
        package var shouldDisplay: Bool
        package var isOptional: Bool
        package var isRepeating: Bool
        package var sectionTitle: String?
        package var names: [Name]?
        package var valueName: String?
        package var defaultValue: String?
        package var allValues: [String]?
        package var abstract: String?
    }

    private struct Dump: Decodable {
        var command: Command
    }

    private let command: Command
    private let version: String

    package init(_ command: Command, version: String) {
        self.command = command
        self.version = version
    }

    /// Reads ArgumentParser's description of a whole program.
    ///
    /// - Throws: `DecodingError`.
    package static func command(fromDump json: String) throws -> Command {
        try JSONDecoder().decode(Dump.self, from: Data(json.utf8)).command
    }

    /// The name of the page: `airframe-har-ls`.
    package var name: String { words.joined(separator: "-") }

    private var words: [String] { (command.superCommands ?? []) + [command.commandName] }

    /// The page.
    package var text: String {
        var lines = [
            #".\" Made by `airframe manual`."#,
            ".TH \"\(name.uppercased())\" 1 \"\" \"Airframe \(version)\" \"User Commands\"",
            ".SH NAME", "\(Self.escaped(name)) \\- \(Self.escaped(command.abstract ?? ""))", ".SH SYNOPSIS", synopsis,
        ]
        if let discussion = command.discussion, !discussion.isEmpty {
            lines +=
                [".SH DESCRIPTION", ".nf"]
                + discussion.split(separator: "\n", omittingEmptySubsequences: false)
                .map { Self.escaped(String($0)) } + [".fi"]
        }
        let subcommands = (command.subcommands ?? []).filter { $0.commandName != "help" }
        if !subcommands.isEmpty {
            lines.append(".SH COMMANDS")
            for subcommand in subcommands {
                lines += [".TP", ".B \(Self.escaped(subcommand.commandName))", Self.escaped(subcommand.abstract ?? "")]
            }
        }
        lines += options
        if !subcommands.isEmpty {
            let pages = subcommands.map { ".BR \(name)\\-\($0.commandName) (1)" }
            lines += [".SH SEE ALSO"] + pages
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The pages of the command and of all beneath it.
    package static func all(_ command: Command, version: String) -> [ManualPage] {
        let below = (command.subcommands ?? []).filter { $0.commandName != "help" }
        return [ManualPage(command, version: version)] + below.flatMap { all($0, version: version) }
    }

    private var displayed: [Argument] {
        let refused = Self.refusedOptions[name] ?? []
        return (command.arguments ?? []).filter(\.shouldDisplay).filter { argument in
            !(argument.names ?? []).contains { $0.kind == "long" && refused.contains($0.name) }
        }
    }

    private var synopsis: String {
        let positional = displayed.filter { $0.kind == "positional" }.map { argument in
            let name = "<\(argument.valueName ?? "value")>\(argument.isRepeating ? "..." : "")"
            return argument.isOptional ? "[\(name)]" : name
        }
        let hasSubcommands = !(command.subcommands ?? []).isEmpty
        let parts = [".B \(Self.escaped(words.joined(separator: " ")))", hasSubcommands ? "<command>" : "[options]"]
        return (parts + positional.map(Self.escaped)).joined(separator: "\n")
    }

    private var options: [String] {
        var titles: [String] = []
        for argument in displayed {
            let title = argument.sectionTitle ?? "Options"
            if !titles.contains(title) { titles.append(title) }
        }
        return titles.flatMap { title in
            [".SH \(Self.escaped(title.uppercased()))"]
                + displayed.filter { ($0.sectionTitle ?? "Options") == title }.flatMap(paragraph)
        }
    }

    private func paragraph(_ argument: Argument) -> [String] {
        var names = (argument.names ?? []).map { $0.kind == "short" ? "-\($0.name)" : "--\($0.name)" }
            .joined(separator: ", ")
        if argument.kind == "positional" { names = "<\(argument.valueName ?? "value")>" }
        if argument.kind == "option" { names += " <\(argument.valueName ?? "value")>" }
        var words = argument.abstract ?? ""
        if let values = argument.allValues, !values.isEmpty { words += " Values: \(values.joined(separator: ", "))." }
        if let value = argument.defaultValue, !value.isEmpty {
            words += " Default: \(value == "." ? "the current directory" : value)."
        }
        return [".TP", ".B \(Self.escaped(names))", Self.escaped(words)]
    }

    /// A string with everything escaped that roff interprets: a backslash, a hyphen, and a control character at the
    /// start of a line.
    static func escaped(_ text: String) -> String {
        let escaped = text.reduce(into: "") { result, character in
            switch character {
            case "\\": result += "\\e"
            case "-": result += "\\-"
            default: result.append(character)
            }
        }
        return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&" + escaped : escaped
    }
}
