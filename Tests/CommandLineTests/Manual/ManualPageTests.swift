import AirframeCommandLine
import Testing

@Suite("Pages of the manual", .timeLimit(.minutes(1)))
struct ManualPageTests {
    private static let dump = #"""
        {"serializationVersion": 0, "command": {"commandName": "tool", "abstract": "A tool.", "discussion": ".dot\n  -x",
        "subcommands": [{"commandName": "ls", "superCommands": ["tool"], "abstract": "List.", "arguments": [
        {"kind": "option", "shouldDisplay": true, "isOptional": true, "isRepeating": false, "valueName": "file",
        "names": [{"kind": "short", "name": "o"}, {"kind": "long", "name": "output"}], "abstract": "A file.", "defaultValue": "a"},
        {"kind": "positional", "shouldDisplay": true, "isOptional": false, "isRepeating": true, "valueName": "path"},
        {"kind": "flag", "shouldDisplay": false, "isOptional": true, "isRepeating": false, "names": [{"kind": "long", "name": "secret"}]}
        ]}, {"commandName": "help"}]}}
        """#

    @Test("each command has a page, and help has none")
    func pages() throws {
        let pages = ManualPage.all(try ManualPage.command(fromDump: Self.dump), version: "1")
        #expect(pages.map(\.name) == ["tool", "tool-ls"])
        #expect(pages[0].text.contains(".SH SEE ALSO\n.BR tool\\-ls (1)"))
        #expect(pages[0].text.contains("\n\\&.dot\n"), "a line that begins with a period is not a macro")
        let list = pages[1].text
        #expect(list.contains(".B \\-o, \\-\\-output <file>\nA file. Default: a."))
        #expect(list.contains("<path>..."))
        #expect(!list.contains("secret"))
    }
}
