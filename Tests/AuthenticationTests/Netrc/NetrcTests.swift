import AirframeAuthentication
import Foundation
import Testing

@Suite("netrc files", .timeLimit(.minutes(1)))
struct NetrcTests {
    private static func words(_ entry: Netrc.Entry?) -> String? {
        entry.map { "\($0.machine ?? "*")|\($0.login)|\($0.password)" }
    }

    @Test(
        "are parsed with curl's rules",
        arguments: [
            ("", []),
            ("machine a login u password p", ["a|u|p"]),
            ("machine a\n\tlogin u\r\n  password p\n", ["a|u|p"]),
            ("MACHINE a LOGIN u PassWord p", ["a|u|p"]),
            ("machine a login u password p machine b login v password q", ["a|u|p", "b|v|q"]),
            ("default login u password p", ["*|u|p"]),
            ("machine a password p", ["a||p"]),
            ("machine a login u", ["a|u|"]),
            ("machine a login u account x password p", ["a|u|p"]),
            (#"machine a login "u v" password "p \"q\" \\ \n\r\t\x""#, ["a|u v|p \"q\" \\ \n\r\tx"]),
            (#"machine a login u password p"q"#, [#"a|u|p"q"#]),
            ("# machine x login y password z\nmachine a login u password p # the end", ["a|u|p"]),
            ("machine a login u password p#q", ["a|u|p#q"]),
            (##"machine a login u password "#p""##, ["a|u|#p"]),
            ("machine a login u password login machine b", ["a|u|login", "b||"]),
            ("macdef init\ncd /pub\nmachine x login y password z\n\nmachine a login u password p", ["a|u|p"]),
            ("machine a login u password p\nmacdef m\nline", ["a|u|p"]),
            ("machine a login u password p\nmacdef m\r\nmachine x\r\n\r\nmachine b login v", ["a|u|p", "b|v|"]),
            ("port 21 machine a login u", ["a|u|"]),
            ("login u password p machine a", ["a||"]),
            ("machine ä login ü password ö", ["ä|ü|ö"]),
            (#"machine "machine" login "default""#, ["machine|default|"]),
        ]
    )
    func parses(text: String, expected: [String]) throws {
        #expect(try Netrc(text).entries.map { Self.words($0) } == expected)
    }

    @Test(
        "that are malformed name the line",
        arguments: [
            ("machine", "line 1: machine has no value"), ("\nmachine a\nlogin", "line 3: login has no value"),
            ("machine a password \"p\n\"", "line 1: a quoted value is not terminated"),
            ("macdef", "line 1: macdef has no value"),
            ("machine a password \"p\\", "line 1: a quoted value is not terminated"),
        ]
    )
    func malformed(text: String, words: String) {
        let error = #expect(throws: NetrcError.self) { _ = try Netrc(text) }
        #expect(error?.description == "the netrc file is malformed in \(words)")
    }

    @Test(
        "give the first matching entry",
        arguments: [
            ("a", nil, "a|u|p"), ("A", nil, "a|u|p"), ("a", "v", "a|v|q"), ("a", "w", "*|w|r"), ("b", nil, "*|w|r"),
            ("b", "u", nil), ("c", nil, "*|w|r"),
        ] as [(String, String?, String?)]
    )
    func lookup(host: String, user: String?, expected: String?) throws {
        let netrc = try Netrc(
            """
            machine a login u password p
            machine a login v password q
            default login w password r
            machine c login after password default
            """)
        #expect(Self.words(netrc.entry(for: host, user: user)) == expected)
    }

    @Test("show no password")
    func secrets() throws {
        let netrc = try Netrc("machine a login u password SECRET")
        var dumped = ""
        dump(netrc, to: &dumped)
        for text in ["\(netrc)", "\(netrc.entries)", dumped, String(reflecting: netrc)] {
            #expect(!text.contains("SECRET"))
        }
    }

    // MARK: Files

    private static func file(_ text: String, mode: Int) throws -> URL {
        let url = FileManager.default.temporaryDirectory.appending(path: "netrc-\(UUID().uuidString)")
        try Data(text.utf8).write(to: url)
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: url.path())
        return url
    }

    @Test(
        "must grant nothing to other users",
        arguments: [(0o600, true), (0o400, true), (0o640, false), (0o604, false), (0o620, false), (0o644, false)]
    )
    func permissions(mode: Int, isTaken: Bool) throws {
        let url = try Self.file("machine a login u password p", mode: mode)
        defer { try? FileManager.default.removeItem(at: url) }
        if isTaken {
            #expect(try Netrc(path: url.path()).entries.count == 1)
        } else {
            let error = #expect(throws: NetrcError.self) { _ = try Netrc(path: url.path()) }
            #expect(error == .unsafePermissions(path: url.path(), mode: mode))
            #expect(error?.description.contains("chmod 600 \(url.path())") == true)
        }
    }

    @Test("are found by NETRC, then in HOME")
    func environment() throws {
        let url = try Self.file("machine a login u password p", mode: 0o600)
        let home = FileManager.default.temporaryDirectory.appending(path: "home-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
        defer {
            try? FileManager.default.removeItem(at: url)
            try? FileManager.default.removeItem(at: home)
        }
        #expect(try Netrc.ofUser(environment: [:])?.entries == nil)
        #expect(try Netrc.ofUser(environment: ["HOME": home.path()])?.entries == nil)
        #expect(try Netrc.ofUser(environment: ["HOME": home.path(), "NETRC": url.path()])?.entries.count == 1)
        #expect(throws: NetrcError.self) { _ = try Netrc.ofUser(environment: ["NETRC": "/nonexistent"]) }
        #expect(throws: NetrcError.self) { _ = try Netrc.ofUser(environment: ["NETRC": "/dev"]) }
        try FileManager.default.moveItem(at: url, to: home.appending(path: ".netrc"))
        #expect(try Netrc.ofUser(environment: ["HOME": home.path()])?.entries.count == 1)
    }
}
