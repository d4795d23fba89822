import AirframeCommandLine
import Testing

@Suite("Files of credentials", .timeLimit(.minutes(1)))
struct NetrcTests {
    @Test("an entry is found by its host; comments, macros and accounts are skipped")
    func entries() {
        let file = Netrc(
            """
            # comment
            machine api.test login ada password "pw"
            machine other.test
              login bob
              account x
              password p#w
            macdef init
            machine api.test login macro

            machine api.test login second password second
            default login any password thing
            """)
        #expect(file.entry(for: "API.test") == .init(login: "ada", password: "\"pw\""))
        #expect(file.entry(for: "other.test") == .init(login: "bob", password: "p#w"))
        #expect(file.entry(for: "unknown.test") == .init(login: "any", password: "thing"))
    }

    @Test(
        "a truncated file is read up to its last complete entry",
        arguments: ["machine", "machine a login", "default"])
    func cut(text: String) { #expect(Netrc(text).entry(for: "b") == (text == "default" ? .init() : nil)) }
}
