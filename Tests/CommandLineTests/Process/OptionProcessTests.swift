import AirframeConformance
import AirframeTestSupport
import Foundation
import Testing

@Suite("airframe ignores no option", .timeLimit(.minutes(3)))
struct OptionProcessTests {
    /// A server that answers every request with `response`.
    private func answering(_ response: String) throws -> ScriptedServer {
        try ScriptedServer { connection in
            while true {
                try connection.readHead()
                try connection.send(response)
            }
        }
    }

    /// A server that demands Digest, and then answers with `response`.
    private func demandingDigest(_ response: String) throws -> ScriptedServer {
        try ScriptedServer { connection in
            while true {
                let isAnswer = try connection.readHead().lowercased().contains("authorization: digest ")
                let challenge = #"Digest realm="r", nonce="n", qop="auth""#
                try connection.send(
                    isAnswer
                        ? response
                        : "HTTP/1.1 401 Unauthorized\r\nWWW-Authenticate: \(challenge)\r\nContent-Length: 0\r\n\r\n")
            }
        }
    }

    private static let keys = ["--aws-sigv4", "eu-central-1:s3", "--user", "id:secret"]

    @Test("events and downloads are signed for AWS", arguments: [["events"], ["download"], ["download", "--resume"]])
    func signed(command: [String]) async throws {
        let isStream = command == ["events"]
        let server = try answering(
            isStream ? "HTTP/1.1 204 No Content\r\n\r\n" : "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        defer { server.stop() }
        let folder = try Program.Folder()
        let target = isStream ? [] : ["-o", folder.path("file")]
        let outcome = try await Program.run(
            command + Self.keys + target + ["\(server.origin)/file"], environment: ["XDG_STATE_HOME": folder.url.path])
        #expect(outcome.status == 0, "\(outcome)")
        let received = try #require(server.connections.first).receivedText
        #expect(received.contains("AWS4-HMAC-SHA256 Credential=id/"), "\(received)")
    }

    @Test("events answer a Digest challenge")
    func eventsWithDigest() async throws {
        let server = try demandingDigest("HTTP/1.1 204 No Content\r\n\r\n")
        defer { server.stop() }
        let outcome = try await Program.run(["events", "--auth", "digest", "--user", "ada:pw", server.origin])
        #expect(outcome.status == 0, "\(outcome)")
        #expect(server.connections.contains { $0.receivedText.lowercased().contains("authorization: digest ") })
    }

    @Test("the handshake of a WebSocket answers a Digest challenge")
    func webSocketWithDigest() async throws {
        let server = try demandingDigest("HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
        defer { server.stop() }
        let outcome = try await Program.run(["ws", "--auth", "any", "--user", "ada:pw", server.origin], input: "x\n")
        #expect(outcome.status == 1 && outcome.errors.contains("403"), "\(outcome)")
    }

    private static let curlNotations: [([String], String)] = [
        (["get", "-XPATCH"], "patch / "), (["get", "-HX-A:b=c"], "\nx-a: b=c\n"), (["-iHX-A:b", "get"], "\nx-a: b\n"),
        (["post", "-da=1"], "\n\na=1"), (["post", "-d", "-5"], "\n\n-5"), (["post", "--data-raw", "--a"], "\n\n--a"),
        (["post", "--data-raw", "------WebKit"], "\n\n------webkit"), (["post", "-d---a"], "\n\n---a"),
        (["get", "--bearer", "-x"], "\nauthorization: bearer -x\n"), (["get", "-H", "-A: b"], "\n-a: b\n"),
        (["get", "--cookie", "-a=b"], "\ncookie: -a=b\n"),
        (
            ["get", "--user", "-a:-b"],
            "\nauthorization: basic \(Data("-a:-b".utf8).base64EncodedString().lowercased())\n"
        ),
        (["from-curl", "curl", "--data-raw", "------WebKit"], "\n\n------webkit"),
    ]

    @Test(
        "options of one letter may be joined to their values, and values may begin with hyphens",
        arguments: curlNotations)
    func curlNotation(words: [String], expected: String) async throws {
        let server = try Answers.echo()
        defer { server.stop() }
        let outcome = try await Program.run(words + [server.origin])
        #expect(outcome.status == 0 && outcome.output.lowercased().contains(expected), "\(outcome)")
    }

    @Test("-o may be joined to its file")
    func joinedFile() async throws {
        let server = try Answers.echo()
        defer { server.stop() }
        let folder = try Program.Folder()
        let file = try await Program.run(["get", "-o\(folder.path("file"))", server.origin])
        #expect(file.status == 0 && FileManager.default.fileExists(atPath: folder.path("file")), "\(file)")
    }

    @Test("-d sends the bytes of a file as they are, without line ends")
    func bytesOfFile() async throws {
        let server = try Answers.echo()
        defer { server.stop() }
        let folder = try Program.Folder()
        try Data([0xFF, 0x0D, 0x0A, 0xC3, 0x0A, 0x00]).write(to: folder.url.appending(path: "file"))
        let outcome = try await Program.run(["post", "-d", "@\(folder.path("file"))", "-d", "a", server.origin])
        #expect(outcome.status == 0, "\(outcome)")
        #expect(try #require(server.connections.first).received.suffix(5) == [0xFF, 0xC3, 0x00, 0x26, 0x61])
    }

    @Test("an argument that is not UTF-8 is refused")
    func encoding() async throws {
        let outcome = try await Program.shell(#""$0" get $'http://127.0.0.1:1/\xff' 2>"$ERRORS""#)
        #expect(outcome.status == 64 && outcome.errors.contains("argument 2 is not UTF-8"), "\(outcome)")
    }

    // `CommittedManualTests` tests the options that a command refuses in any case.
    private static let refusals: [(String, String)] = [
        ("events --retry 1 --retry-status 500 URL", "--retry-status"),
        ("download --resume --retry 1 --retry-status 500 URL", "--retry-status"),
        ("download --checksum x --retry 1 --retry-status 500 URL", "--retry-status"),
        ("upload --resume -o f FILE URL", "--output"),
        ("upload --tus -i FILE URL", "--include"), ("upload --checksum --json FILE URL", "--json"),
        ("upload --limit-rate 5M --pretty all FILE URL", "--pretty"),
        ("upload --resume --retry 1 --retry-status 500 FILE URL", "--retry-status"),
        ("inspect --export f", "--export"),
        ("inspect --snapshot --export f", "--export"), ("queue add f URL --upload FILE --overwrite", "--overwrite"),
        ("queue add f URL --tus", "--tus"), ("queue add f URL --method PUT", "--method"),
        ("get --cert-password x URL", "--cert-password"), ("get --cacert FILE --insecure URL", "--cacert"),
        ("get --auth digest URL", "--auth"), ("get --auth any --bearer t URL", "--auth"),
        ("get --bearer t --netrc URL", "--netrc"), ("get --aws-sigv4 r:s --netrc URL", "--netrc"),
        ("get --aws-sigv4 r:s --bearer t URL", "--bearer"), ("get --aws-sigv4 r:s --auth any URL", "--auth"),
        ("get --retry-status 500 URL", "--retry"), ("trust --retry 1 --retry-status 500 localhost:1", "--retry-status"),
        ("get --keep-session-cookies URL", "--cookie-jar"), ("get --cache-size 5 URL", "--cache"),
        ("post --form -d a URL", "--form"), ("post --multipart -T FILE URL", "--multipart"),
    ]

    @Test("an option that would be ignored is refused by name", arguments: refusals)
    func ignored(line: String, word: String) async throws {
        let folder = try Program.Folder()
        let file = try folder.write("{}", "file")
        let words = line.split(separator: " ").map {
            String($0).replacing("FILE", with: file).replacing("URL", with: "http://127.0.0.1:1/f")
        }
        let outcome = try await Program.run(words, input: "", environment: ["XDG_STATE_HOME": folder.url.path])
        #expect(outcome.status == 64 && outcome.errors.contains(word), "\(outcome)")
    }

    @Test("--no-proxy and --proxy-user apply to the proxy of the environment")
    func proxyOfTheEnvironment() async throws {
        let server = try Answers.echo()
        defer { server.stop() }
        func environment(_ proxy: String) -> [String: String] {
            ["http_proxy": proxy, "no_proxy": "", "NO_PROXY": ""]
        }
        let excluded = try await Program.run(
            ["get", "--no-proxy", "127.0.0.1", server.origin], environment: environment("http://127.0.0.1:1"))
        #expect(excluded.status == 0 && excluded.output.hasPrefix("GET / "), "\(excluded)")
        let user = try await Program.run(
            ["get", "--proxy-user", "ada:pw", "http://api.test/"], environment: environment(server.origin))
        #expect(user.status == 0 && user.output.hasPrefix("GET http://api.test/ "), "\(user)")
        let encoded = Data("ada:pw".utf8).base64EncodedString()
        #expect(user.output.lowercased().contains("proxy-authorization: basic \(encoded)".lowercased()), "\(user)")
    }

    @Test(
        "an option that cannot act is refused",
        arguments: [
            (["ws", "--aws-sigv4", "r:s", "URL"], "--aws-sigv4"),
            (["har", "replay", "--aws-sigv4", "r:s", "FILE"], "--aws-sigv4"),
            (["har", "replay", "--user", "a:b", "FILE"], "--header"),
            (["har", "replay", "--bearer", "t", "FILE"], "--header"),
            (["har", "replay", "--netrc", "FILE"], "--header"),
            (["har", "replay", "--cookie", "a=b", "FILE"], "--header"),
            (["har", "replay", "--data", "a", "FILE"], "content"),
            (["har", "replay", "--output", "f", "FILE"], "--output"),
            (["events", "--upload-file", "FILE", "URL"], "--data"), (["events", "URL", "a@FILE"], "--data"),
            (["download", "-T", "-", "URL"], "--data"), (["download", "URL", "@FILE"], "--data"),
        ])
    func refused(arguments: [String], word: String) async throws {
        let folder = try Program.Folder()
        let file = try folder.write("{}", "file")
        let words = arguments.map {
            $0.replacing("FILE", with: file).replacing("URL", with: "http://127.0.0.1:1/f")
        }
        let outcome = try await Program.run(words, input: "")
        #expect(outcome.status == 64 && outcome.errors.contains(word), "\(outcome)")
    }
}
