import AirframeConformance
import AirframeTestSupport
import Foundation
import Testing

@Suite("The output of airframe", .timeLimit(.minutes(3)))
struct OutputProcessTests {
    @Test("-o - is standard output, and makes no file")
    func standardOutput() async throws {
        let server = try Answers.fixed("hello", type: "text/plain")
        defer { server.stop() }
        let folder = try Program.Folder()
        let outcome = try await Program.shell(
            #"cd "$FOLDER"; "$0" "$@" 2>"$ERRORS"; echo " $?"; ls"#, ["get", "-o", "-", server.origin],
            ["FOLDER": folder.url.path])
        #expect(outcome.output == "hello 0\n", "\(outcome)")
    }

    @Test(
        "a path that leads to a device or a pipe is written to, and stays",
        arguments: [
            (#""$0" "$@" -o /dev/stdout | cat"#, "hello"), (#""$0" "$@" -o >(tr a-z A-Z) | cat"#, "HELLO"),
            (#"ln -s /dev/null link; "$0" "$@" -o link; readlink link"#, "/dev/null\n"),
        ])
    func devices(script: String, output: String) async throws {
        let server = try Answers.fixed("hello", type: "text/plain")
        defer { server.stop() }
        let folder = try Program.Folder()
        let outcome = try await Program.shell(
            #"cd "$FOLDER"; "# + script, ["get", server.origin], ["FOLDER": folder.url.path])
        #expect(outcome.output == output, "\(outcome)")
        #expect(outcome.status == 0, "\(outcome)")
    }

    @Test("a slow reader of a pipe that another program has made non-blocking receives everything")
    func nonBlockingPipe() async throws {
        let count = 4 << 20
        let server = try Answers.fixed(String(repeating: "x", count: count), type: "text/plain")
        defer { server.stop() }
        // The pipe is full before the reader begins.
        let script = #"""
            run='import os, sys; os.set_blocking(1, False); os.execv(sys.argv[1], sys.argv[1:])'
            python3 -c "$run" "$0" "$@" 2>"$ERRORS" | { sleep 1; wc -c; }; echo "${PIPESTATUS[0]}"
            """#
        let outcome = try await Program.shell(script, ["get", server.origin])
        #expect(outcome.output == "\(count)\n0\n", "\(outcome)")
    }

    @Test("a link to a file stays, and its file is written", arguments: [["get"], ["download", "--force"]])
    func link(command: [String]) async throws {
        let server = try Answers.fixed("hello", type: "text/plain")
        defer { server.stop() }
        let folder = try Program.Folder()
        let file = try folder.write("old", "file")
        try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: file)
        let outcome = try await Program.run(command + ["-o", folder.path("link"), server.origin])
        #expect(outcome.status == 0, "\(outcome)")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("link")) == file)
        #expect(try folder.text("file") == "hello")
    }

    @Test("--include writes the head to standard output, whatever -o names", arguments: ["FILE", "/dev/null"])
    func head(target: String) async throws {
        let server = try Answers.fixed("hello", type: "text/plain")
        defer { server.stop() }
        let folder = try Program.Folder()
        let path = target.replacing("FILE", with: folder.path("file"))
        let outcome = try await Program.run(["get", "-i", "-o", path, server.origin])
        #expect(
            outcome.output == "HTTP/1.1 200 OK\nContent-Type: text/plain\nContent-Length: 5\n\n", "\(outcome)")
    }

    @Test("--json writes lines of JSON alone, and -o writes the content", arguments: [["head"], ["options"], ["get"]])
    func json(command: [String]) async throws {
        let server = try ScriptedServer { connection in
            let head = try connection.readHead()
            try connection.send(
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n" + (head.hasPrefix("HEAD") ? "" : "hello"))
        }
        defer { server.stop() }
        let plain = try await Program.run(command + ["--json", server.origin])
        #expect(plain.output.hasPrefix("{") && plain.output.split(separator: "\n").count == 1, "\(plain)")
        let folder = try Program.Folder()
        for target in [folder.path("file"), "/dev/null"] {
            let outcome = try await Program.run(command + ["--json", "-o", target, server.origin])
            #expect(outcome.output.hasPrefix("{") && outcome.output.split(separator: "\n").count == 1, "\(outcome)")
        }
        #expect(try folder.text("file") == (command == ["head"] ? "" : "hello"))
    }

    @Test(
        "the response to a small file is written as it arrives",
        arguments: [["post", "URL", "@FILE"], ["upload", "FILE", "URL"]])
    func responseToFile(words: [String]) async throws {
        let server = try ScriptedServer { connection in
            try connection.readRequest()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nbegin")
            _ = connection.peerCloses(within: .seconds(20))
        }
        defer { server.stop() }
        let folder = try Program.Folder()
        let file = try folder.write("content", "up")
        try FileManager.default.createSymbolicLink(atPath: folder.path("link"), withDestinationPath: file)
        // The interrupt comes once the beginning of the response is there.
        let script = #"""
            exec 3< <("$0" "$@" 2>"$ERRORS" & echo $! >"$PID"; wait $!; echo " $?")
            head -c 5 <&3; kill -s INT "$(cat "$PID")"; cat <&3
            """#
        let arguments = words.map {
            $0.replacing("FILE", with: folder.path("link")).replacing("URL", with: server.origin)
        }
        let outcome = try await Program.shell(script, arguments, ["PID": folder.path("pid")])
        #expect(outcome.output == "begin 130\n", "\(outcome)")
        #expect(try #require(server.connections.first).receivedText.hasSuffix("\r\n\r\ncontent"))
    }

    @Test("--pretty formats the content of a file, and leaves content that is not text as it is")
    func pretty() async throws {
        let folder = try Program.Folder()
        for (body, text) in [(#"{"a":1}"#, "{\n    \"a\": 1\n}\n"), ("a\0b", "a\0b")] {
            let server = try Answers.fixed(body)
            defer { server.stop() }
            let words = ["get", "--pretty", "format", "-o", folder.path("file"), server.origin]
            let outcome = try await Program.run(words)
            #expect(outcome.status == 0 && outcome.output.isEmpty, "\(outcome)")
            #expect(try folder.text("file") == text)
        }
    }

    @Test("--fail leaves the file as it was if the status is 400 or above", arguments: [[], ["a=1"], ["a@FILE"]])
    func fail(items: [String]) async throws {
        let folder = try Program.Folder()
        let file = try folder.write("old", "file.txt")
        let words = ["--fail", "-o", file]
        let fields = items.map { $0.replacing("FILE", with: file) }
        for (status, text) in [("404 Not Found", "old"), ("200 OK", "new")] {
            let server = try ScriptedServer { connection in
                try connection.readRequest()
                try connection.send("HTTP/1.1 \(status)\r\nContent-Length: 3\r\n\r\nnew")
                _ = connection.peerCloses(within: .seconds(10))
            }
            defer { server.stop() }
            let outcome = try await Program.run(["post"] + words + [server.origin] + fields)
            #expect(outcome.status == (text == "old" ? 22 : 0) && outcome.output.isEmpty, "\(outcome)")
            #expect(try folder.text("file.txt") == text)
        }
    }
}
