import AirframeConformance
import Foundation
import Testing

@Suite("airframe sends requests", .timeLimit(.minutes(3)))
struct RequestProcessTests {
    static let engines = ["sockets", "curl"]

    @Test("a method may follow the options, in capitals or as the command's name", arguments: ["PATCH", "patch"])
    func methodAfterOptions(word: String) async throws {
        let server = try Answers.echo()
        defer { server.stop() }
        let outcome = try await Program.run(["--http1.1", word, server.origin, "a=1"])
        #expect(outcome.status == 0 && outcome.output.hasPrefix("PATCH / HTTP/1.1\n"), "\(outcome)")
    }

    @Test("fields are JSON; items of the query and headers are where they belong", arguments: engines)
    func json(engine: String) async throws {
        let server = try Answers.echo()
        defer { server.stop() }
        let outcome = try await Program.run([
            "post", "--engine", engine, "\(server.origin)/users", "name=Ada", "age:=36", "tags[]=a", "q==1 2", "X-A:b",
        ])
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.hasPrefix("POST /users?q=1%202 HTTP/1.1\n"), "\(outcome.output)")
        let lowered = outcome.output.lowercased()
        #expect(lowered.contains("\ncontent-type: application/json\n") && lowered.contains("\nx-a: b\n"))
        #expect(outcome.output.hasSuffix(#"{"name":"Ada","age":36,"tags":["a"]}"#), "\(outcome.output)")
        #expect(outcome.errors.isEmpty, "\(outcome.errors)")
    }

    @Test("a form, a multipart form, a file, standard input", arguments: engines)
    func bodies(engine: String) async throws {
        let server = try Answers.echo()
        defer { server.stop() }
        let folder = try Program.Folder()
        let file = try folder.write("content\n", "a.txt")
        let form = try await Program.run(["put", "--engine", engine, "--form", server.origin, "a=1 2", "b=@\(file)"])
        #expect(form.output.hasPrefix("PUT / "))
        #expect(form.output.hasSuffix("\na=1%202&b=content%0A"), "\(form.output)")
        let multipart = try await Program.run([
            "post", "--engine", engine, server.origin, "a=1", "f@\(file);type=text/x-a",
        ])
        #expect(multipart.output.contains("multipart/form-data; boundary="), "\(multipart.output)")
        #expect(multipart.output.contains("filename=\"a.txt\""), "\(multipart.output)")
        #expect(multipart.output.lowercased().contains("content-type: text/x-a"), "\(multipart.output)")
        let makefile = try folder.write("x", "Makefile")
        let plain = try await Program.run(["post", "--engine", engine, server.origin, "f@\(makefile)"])
        #expect(plain.output.contains("filename=\"Makefile\""), "\(plain)")
        #expect(plain.output.lowercased().contains("content-type: application/octet-stream"), "\(plain)")
        let whole = try await Program.run([
            "post", "--engine", engine, server.origin, "@\(file)", "Content-Type:text/x-b",
        ])
        #expect(whole.output.hasSuffix("\ncontent\n") && whole.output.contains("text/x-b"), "\(whole.output)")
        let input = try await Program.run(["upload", "--engine", engine, "-", server.origin], input: "from a pipe")
        #expect(input.output.hasPrefix("PUT / ") && input.output.hasSuffix("\nfrom a pipe"), "\(input.output)")
        let data = try await Program.run(["get", "--engine", engine, "-d", "@\(file)", "-d", "x=1", server.origin])
        #expect(data.output.hasPrefix("POST / ") && data.output.hasSuffix("\ncontent&x=1"), "\(data.output)")
    }

    @Test(
        "the method is that of the command, or the first argument",
        arguments: [
            (["delete"], "DELETE"), (["patch"], "PATCH"), (["request", "PROPFIND"], "PROPFIND"), ([], "GET"),
            (["request"], "GET"), (["get", "-X", "PURGE"], "PURGE"),
        ]
    )
    func methods(words: [String], method: String) async throws {
        let server = try Answers.echo()
        defer { server.stop() }
        let outcome = try await Program.run(words + [server.origin])
        #expect(outcome.output.hasPrefix("\(method) / HTTP/1.1\n"), "\(outcome.output) \(outcome.errors)")
    }

    @Test("HEAD and OPTIONS write the head", arguments: ["head", "options"])
    func heads(verb: String) async throws {
        let server = try ScriptedServer { connection in
            _ = try connection.readHead()
            try connection.send("HTTP/1.1 204 No Content\r\nAllow: GET\r\n\r\n")
        }
        defer { server.stop() }
        let outcome = try await Program.run([verb, server.origin])
        #expect(outcome.output == "HTTP/1.1 204 No Content\nAllow: GET\n\n", "\(outcome.errors)")
    }

    @Test("credentials are sent without a challenge as Basic, as a bearer token, or from a file")
    func credentials() async throws {
        let server = try Answers.echo()
        defer { server.stop() }
        let folder = try Program.Folder()
        let netrc = try folder.write("machine 127.0.0.1 login ada password pw", "netrc")
        let encoded = "Basic " + Data("ada:pw".utf8).base64EncodedString()
        for arguments in [["--user", "ada:pw"], ["--netrc"]] {
            let outcome = try await Program.run(["get", server.origin] + arguments, environment: ["NETRC": netrc])
            #expect(outcome.output.contains(encoded), "\(outcome.output) \(outcome.errors)")
        }
        let bearer = try await Program.run(["get", server.origin, "--bearer", "t0ken"])
        #expect(bearer.output.contains("Bearer t0ken"))
        let signed = try await Program.run([
            "get", server.origin, "--aws-sigv4", "eu-central-1:s3", "--user", "id:secret",
        ])
        #expect(signed.output.contains("AWS4-HMAC-SHA256 Credential=id/"), "\(signed.output) \(signed.errors)")
        #expect(signed.output.contains("/eu-central-1/s3/aws4_request"))
        let silent = try await Program.run(["get", server.origin, "--user", "ada"], input: "")
        #expect(silent.status == 64 && silent.errors.contains("has no password"), "\(silent.errors)")
    }

    @Test(
        "a field of the session or of an option is removed by an empty item or header",
        arguments: [
            (["get", "User-Agent:"], "user-agent"), (["get", "-H", "User-Agent:"], "user-agent"),
            (["post", "-d", "a", "Content-Type:"], "content-type"), (["post", "a=1", "-H", "accept:"], "\naccept:"),
            (["get", "Accept-Encoding:"], "accept-encoding"), (["get", "-H", "accept-encoding:"], "accept-encoding"),
            (["get", "--no-compressed", "Accept-Encoding:"], "accept-encoding"),
            (["get", "-H", "Range: bytes=0-9", "-H", "Accept-Encoding:"], "accept-encoding"),
            (["get", "Accept:"], "\naccept:"), (["get", "-H", "accept:"], "\naccept:"),
        ])
    func removal(words: [String], name: String) async throws {
        let server = try Answers.echo()
        defer { server.stop() }
        let outcome = try await Program.run([words[0], server.origin] + words.dropFirst())
        #expect(outcome.status == 0 && !outcome.output.lowercased().contains(name), "\(outcome)")
    }

    @Test("a field that is given is sent, also empty with a semicolon", arguments: [["-H", "X-A;"], ["X-A;"]])
    func emptyField(words: [String]) async throws {
        let server = try Answers.echo()
        defer { server.stop() }
        let outcome = try await Program.run(["get", server.origin, "-H", "Accept: text/a", "Accept:"] + words)
        let lines = outcome.output.lowercased().split(separator: "\n")
        #expect(lines.contains { $0.hasPrefix("x-a:") } && lines.contains("accept: text/a"), "\(outcome)")
    }

    @Test("--json writes a line for each exchange, redirects too", arguments: engines)
    func lines(engine: String) async throws {
        let server = try ScriptedServer { connection in
            while true {
                let head = try connection.readHead()
                if head.hasPrefix("GET /a ") {
                    try connection.send("HTTP/1.1 302 Found\r\nLocation: /b\r\nContent-Length: 0\r\n\r\n")
                } else {
                    try connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello")
                }
            }
        }
        defer { server.stop() }
        let outcome = try await Program.run(["get", "--json", "--engine", engine, "\(server.origin)/a"])
        let objects = try outcome.output.split(separator: "\n").map {
            try #require(JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any])
        }
        #expect(objects.map { $0["status"] as? Int } == [302, 200], "\(outcome.output) \(outcome.errors)")
        #expect(objects.last?["body"] as? String == "hello")
    }

    @Test("a curl command is run, and its Swift code is written too")
    func fromCurl() async throws {
        let server = try Answers.echo()
        defer { server.stop() }
        let outcome = try await Program.run(["from-curl", "curl -X PATCH -H 'X-A: b' -d 'a=1' \(server.origin)/x"])
        #expect(outcome.output.hasPrefix("PATCH /x "), "\(outcome.output) \(outcome.errors)")
        #expect(outcome.output.hasSuffix("\na=1"))
        #expect(outcome.errors.contains("method: .patch, headers: headers)"))
        let code = try await Program.run(["from-curl", "--swift", "curl", "-L", "https://h/"])
        #expect(code.output.hasPrefix("import Airframe\n"), "\(code.output) \(code.errors)")
        #expect(code.errors.isEmpty)
    }

    @Test("an archive that a run recorded is listed, shown and replayed")
    func archives() async throws {
        let server = try Answers.fixed(#"{"a":1}"#)
        defer { server.stop() }
        let folder = try Program.Folder()
        let file = folder.path("a.har")
        let first = try await Program.run(["post", "--har", file, "\(server.origin)/x", "n=1"])
        #expect(first.status == 0, "\(first.errors)")
        let list = try await Program.run(["har", "ls", file])
        #expect(
            list.output.hasPrefix("   1  200  POST") && list.output.hasSuffix("\(server.origin)/x\n"), "\(list.output)")
        let none = try await Program.run(["har", "ls", file, "--filter", "5xx"])
        #expect(none.output.isEmpty)
        let shown = try await Program.run(["har", "show", file, "1"])
        #expect(shown.output.contains("\"n\": \"1\"") && shown.output.contains("\"a\": 1"), "\(shown.output)")
        let body = try await Program.run(["har", "show", "--body", file, "1"])
        #expect(body.output == #"{"a":1}"#)
        let replayed = try await Program.run(["har", "replay", file])
        #expect(
            replayed.status == 0 && replayed.output.contains("same  200 -> 200"),
            "\(replayed.output) \(replayed.errors)")
        let missing = try await Program.run(["har", "show", file, "7"])
        #expect(missing.status == 64 && missing.errors.contains("no exchange 7"), "\(missing.errors)")
    }

    @Test("events are lines, and --count ends them")
    func events() async throws {
        let server = try ScriptedServer { connection in
            _ = try connection.readHead()
            try connection.send(
                "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: one\n\nevent: price\nid: 7\ndata: two\n\n"
            )
            _ = connection.peerCloses(within: .seconds(10))
        }
        defer { server.stop() }
        let plain = try await Program.run(["events", "--count", "2", server.origin])
        #expect(plain.output == "one\nprice: two\n", "\(plain.errors)")
        let json = try await Program.run(["events", "--count", "2", "--json", server.origin])
        #expect(json.output.hasSuffix(#"{"event":"price","id":"7","data":"two"}"# + "\n"), "\(json.output)")
    }

    @Test("a name is resolved; the manual and the completions are written")
    func others() async throws {
        let addresses = try await Program.run(["resolve", "localhost"])
        #expect(addresses.output.contains("127.0.0.1") || addresses.output.contains("::1"), "\(addresses.errors)")
        let page = try await Program.run(["manual", "har", "replay"])
        #expect(page.output.contains(".TH \"AIRFRAME-HAR-REPLAY\" 1"), "\(page.errors)")
        let folder = try Program.Folder()
        let pages = try await Program.run(["manual", "--output", folder.path("man1")])
        #expect(pages.status == 0, "\(pages.errors)")
        #expect(try folder.text("man1/airframe-get.1").contains(".B \\-\\-max\\-time <"))
        for shell in ["bash", "zsh", "fish"] {
            let script = try await Program.run(["--generate-completion-script", shell])
            #expect(script.status == 0 && script.output.contains("from-curl"), "\(shell)")
        }
    }
}
