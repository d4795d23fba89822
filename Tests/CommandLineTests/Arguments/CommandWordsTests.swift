import AirframeCommandLine
import Testing

@Suite("The words of a command line", .timeLimit(.minutes(1)))
struct CommandWordsTests {
    private static let dump = #"""
        {"command": {"commandName": "tool", "defaultSubcommand": "request", "subcommands": [
        {"commandName": "request", "arguments": [
        {"kind": "option", "shouldDisplay": true, "isOptional": true, "isRepeating": false,
        "names": [{"kind": "short", "name": "d"}, {"kind": "long", "name": "data"}]},
        {"kind": "flag", "shouldDisplay": true, "isOptional": true, "isRepeating": false,
        "names": [{"kind": "short", "name": "k"}, {"kind": "long", "name": "check"}]}]},
        {"commandName": "ls", "arguments": [
        {"kind": "option", "shouldDisplay": true, "isOptional": true, "isRepeating": false,
        "names": [{"kind": "long", "name": "check"}]}]},
        {"commandName": "from-curl"}]}}
        """#

    @Test(
        "values are joined to their options where the parser would misread them",
        arguments: [
            ("-da", "-d=a"), ("-da=b", "-d=a=b"), ("-d=a", "-d=a"), ("-kda", "-k -d=a"), ("-kd a", "-k -d a"),
            ("-d ---a", "-d=---a"), ("-d-5", "-d=-5"), ("-d -5", "-d -5"), ("--data ---a", "--data=---a"),
            ("--data -da", "--data -da"), ("--check -da", "--check -d=a"), ("ls --check -da", "ls --check -da"),
            ("-kx", "-kx"), ("-xda", "-xda"), ("a ---b", "a ---b"), ("-- -da", "-- -da"), ("-d", "-d"), ("-", "-"),
            ("from-curl curl -da u", "from-curl curl -da u"),
            ("from-curl curl -d ---a u", "from-curl|curl -d ---a u"),
            ("from-curl --swift curl -d ---a u", "from-curl|--swift|curl -d ---a u"),
        ]
    )
    func rewriting(line: String, expected: String) throws {
        let root = try ManualPage.command(fromDump: Self.dump)
        let words = CommandWords.rewritten(line.split(separator: " ").map(String.init), for: root)
        #expect(words == expected.split(separator: expected.contains("|") ? "|" : " ").map(String.init))
    }

    @Test("a line without packs and without three hyphens stays as it is")
    func plain() {
        #expect(!CommandWords.mayNeedRewriting(["get", "-k", "--data", "-", "a-b", "http://h/"]))
        #expect(!CommandWords.mayNeedRewriting(["---completion", "get", "-da"]))
        #expect(CommandWords.mayNeedRewriting(["get", "-da"]) && CommandWords.mayNeedRewriting(["get", "---a"]))
    }
}
