import AirframeConformance
import Foundation
import Testing

@Suite("airframe fails", .timeLimit(.minutes(3)))
struct FailureProcessTests {
    private static let engines = ["sockets", "curl"]

    @Test("a failure is a sentence and a hint on standard error, and an exit status", arguments: engines)
    func refused(engine: String) async throws {
        let server = try Answers.echo()
        server.stop()
        let outcome = try await Program.run(["get", "--engine", engine, server.origin])
        #expect(outcome.status == 7, "\(outcome.errors)")
        #expect(outcome.output.isEmpty)
        let lines = outcome.errors.split(separator: "\n")
        #expect(
            lines.count == 2 && lines[0].hasPrefix("airframe: ") && lines[1].hasPrefix("hint: "), "\(outcome.errors)")
    }

    @Test(
        "a wrong command line fails with status 64 and names the argument",
        arguments: [
            (["get"], "url"), (["post", "http://h/", "novalue"], "item 1 has no separator"),
            (["get", "http://h/", "a=1"], "GET has no body"),
            (["post", "http://h/", "a:={"], "no JSON (byte 1: "), (["get", "--pretty", "x", "http://h/"], "pretty"),
            (["get", "--json", "--pretty", "all", "http://h/"], "--pretty"),
            (["get", "--http2", "--http1.1", "http://h/"], "--http2"),
            (["get", "--proxy", "ftp://p", "http://h/"], "ftp"),
            (["get", "--resolve", "h", "http://h/"], "HOST:PORT:ADDRESS"),
            (["post", "-d", "a", "http://h/", "b=c"], "one body"),
            (["get", "-H", "A: b", "-H", "Bearer s3cret", "http://h/"], "header field 2"),
            (["post", "http://h/", "password:=s3cret"], "'password:=…'"),
            (["get", "--cookie", "s3cret", "http://h/"], "cookie 1"),
            (["from-curl", "curl", "https://u:s3cret@a/", "https://b/"], "2 URLs"),
            (["from-curl", "curl --ftp-pasv http://h/"], "--ftp-pasv"),
        ]
    )
    func usage(arguments: [String], words: String) async throws {
        let outcome = try await Program.run(arguments)
        #expect(outcome.status == 64, "\(outcome.errors)")
        #expect(outcome.errors.contains(words), "\(outcome.errors)")
        #expect(!outcome.errors.contains("s3cret"), "\(outcome.errors)")
        #expect(outcome.output.isEmpty)
    }

    @Test("a name without an address, a limit, a status, a file", arguments: engines)
    func statuses(engine: String) async throws {
        let name = try await Program.run(["get", "--engine", engine, "http://name.invalid/"])
        #expect(name.status == 6, "\(name.errors)")
        let server = try ScriptedServer { connection in
            _ = try connection.readHead()
            _ = connection.peerCloses(within: .seconds(20))
        }
        defer { server.stop() }
        let limit = try await Program.run(["get", "--engine", engine, "--max-time", "0.3", server.origin])
        #expect(limit.status == 28, "\(limit.errors)")
        let first = try await Program.run(["get", "--engine", engine, "--first-byte-timeout", "0.3", server.origin])
        #expect(first.status == 28 && first.errors.contains("--first-byte-timeout"), "\(first.errors)")
        let missing = try await Program.run(["post", "--engine", engine, server.origin, "a=@/no/such/file"])
        #expect(missing.status == 26, "\(missing.errors)")
        let answers = try Answers.fixed("no", type: "text/plain", status: "404 Not Found")
        defer { answers.stop() }
        let status = try await Program.run(["get", "--engine", engine, "--fail", answers.origin])
        #expect(status.status == 22 && status.output == "no" && status.errors.contains("404"), "\(status.errors)")
        #expect(try await Program.run(["get", "--engine", engine, answers.origin]).status == 0)
    }

    @Test("a pipe that is closed early ends the program without a message", arguments: engines)
    func brokenPipe(engine: String) async throws {
        let server = try Answers.fixed(String(repeating: "x", count: 4 << 20), type: "text/plain")
        defer { server.stop() }
        let outcome = try await Program.shell(
            #""$0" "$@" 2>"$ERRORS" | head -c 3; echo " ${PIPESTATUS[0]}""#, ["get", "--engine", engine, server.origin])
        #expect(outcome.output == "xxx 141\n")
        #expect(outcome.errors.isEmpty, "\(outcome.errors)")
    }

    @Test("a full disk is a failure to write, and a device stays a device")
    func fullDisk() async throws {
        let server = try Answers.fixed("hello", type: "text/plain")
        defer { server.stop() }
        let output = try await Program.shell(#""$0" "$@" >/dev/full 2>"$ERRORS""#, ["get", server.origin])
        #expect(output.status == 23 && output.errors.contains("No space left"), "\(output.status) \(output.errors)")
        let file = try await Program.run(["get", "-o", "/dev/full", server.origin])
        #expect(file.status == 23 && file.errors.contains("/dev/full"), "\(file.status) \(file.errors)")
        let null = try await Program.shell(
            #""$0" "$@" 2>"$ERRORS"; test -c /dev/null && test -c /dev/full && echo devices"#,
            ["get", "-o", "/dev/null", server.origin])
        #expect(null.output == "devices\n", "\(null.errors)")
    }

    @Test("a download that does not fit on the disk, or has no directory, is a failure to write")
    func downloadToFullDisk() async throws {
        let server = try Answers.fixed(String(repeating: "x", count: 300_000), type: "text/plain")
        defer { server.stop() }
        let folder = try Program.Folder()
        let mounted = #"mount -t tmpfs -o size=64k tmpfs "$DISK" && "$@" 2>"$ERRORS""#
        let script = #"unshare -rm bash -c '"# + mounted + #"' - "$0" "$@""#
        let target = folder.path("disk/file")
        let disk = folder.path("disk")
        try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
        for words in [["download", "-o", target], ["get", "-o", target]] {
            let full = try await Program.shell(script, words + [server.origin], ["DISK": disk])
            #expect(full.status == 23, "\(full.status) \(full.errors)")
            #expect(full.errors == "airframe: \(target) cannot be written: No space left on device\n")
        }
        let temporary = try await Program.shell(
            script, ["get", "-o", folder.path("file"), server.origin], ["DISK": disk, "TMPDIR": disk])
        #expect(temporary.status == 23 && temporary.errors.contains("hint: TMPDIR"), "\(temporary.errors)")
        let absent = try await Program.run(["get", "-o", "/no/such/directory/file", server.origin])
        #expect(absent.status == 23 && absent.errors.contains("No such file"), "\(absent.errors)")
        let archive = try await Program.run(["get", "--har", "/dev/full", server.origin])
        #expect(archive.status == 23 && archive.errors.contains("/dev/full"), "\(archive.errors)")
    }

    @Test("a download to a device or over a file is rejected, with a hint")
    func downloadTargets() async throws {
        let device = try await Program.run(["download", "-o", "/dev/null", "http://127.0.0.1:1/"])
        #expect(device.status == 23 && device.errors.contains("`airframe get -o /dev/null`"), "\(device.errors)")
        let folder = try Program.Folder()
        for words in [["-o", "-"], ["--resume", "--force", "-o", "/dev/null"], ["--resume", "-o", "-"]] {
            let outcome = try await Program.run(
                ["download"] + words + ["http://127.0.0.1:1/"], environment: ["XDG_STATE_HOME": folder.url.path])
            #expect(outcome.status == 23 && outcome.errors.contains("is not a regular file"), "\(words): \(outcome)")
        }
        let file = try folder.write("old", "file")
        let other = try await Program.run(["download", "--continue", "-o", file, "http://127.0.0.1:1/"])
        #expect(other.status == 23 && other.errors.contains("without \(file).resume"), "\(other.errors)")
        #expect(other.errors.contains("--force replaces it"))
    }

    @Test("an error in the use of a command is one sentence")
    func oneSentence() async throws {
        let queue = try await Program.run(["queue", "ls", "/no/such/queue"])
        #expect(queue.status == 64 && queue.errors == "airframe: there is no queue /no/such/queue\n")
        let folder = try Program.Folder()
        let file = try folder.write("text", "a.har")
        let archive = try await Program.run(["har", "ls", file])
        #expect(archive.status == 1 && archive.errors.contains("airframe: \(file): "), "\(archive.errors)")
        let word = try await Program.run(["frobnicate"], environment: ["RES_OPTIONS": "attempts:1 timeout:1"])
        #expect(word.status == 6 && word.errors.contains("hint: frobnicate is not a command"), "\(word.errors)")
    }

    @Test("--max-time bounds all connections of events together")
    func maximumTimeOfEvents() async throws {
        let server = try ScriptedServer { connection in
            _ = try connection.readHead()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\ndata: one\n\n")
            _ = connection.peerCloses(within: .seconds(20))
        }
        defer { server.stop() }
        let outcome = try await Program.run(["events", "--max-time", "1", server.origin])
        #expect(outcome.status == 28 && outcome.output == "one\n", "\(outcome)")
        #expect(outcome.errors.contains("--max-time"), "\(outcome)")
    }

    @Test("events report each connection that fails, and --retry bounds those in a row")
    func events() async throws {
        let server = try Answers.echo()
        server.stop()
        let none = try await Program.run(["events", "--retry", "0", server.origin])
        #expect(none.status == 7, "\(none.errors)")
        #expect(none.errors.hasPrefix("connection failed: ") && none.errors.contains("\nhint: "), "\(none.errors)")
        let quiet = try await Program.run(["events", "--quiet", "--retry", "0", server.origin])
        #expect(quiet.status == 7 && quiet.errors.hasPrefix("airframe: "), "\(quiet.errors)")
    }

    @Test("the status of events, a URL that is none, a file of cookies that is none")
    func otherStatuses() async throws {
        let server = try Answers.fixed("no", type: "text/plain", status: "404 Not Found")
        defer { server.stop() }
        let events = try await Program.run(["events", server.origin])
        #expect(events.status == 22 && events.errors.contains("404"), "\(events)")
        let url = try await Program.run(["get", "http://[::1"])
        #expect(url.status == 64, "\(url)")
        let folder = try Program.Folder()
        let file = try folder.write("no cookies", "jar")
        let jar = try await Program.run(["get", "--cookie-jar", file, server.origin])
        #expect(jar.status == 26 && jar.errors.contains(file), "\(jar)")
        let list = try await Program.run(["get", "--hsts-preload", folder.path("none"), server.origin])
        #expect(list.status == 26 && list.errors.contains("none"), "\(list)")
    }

    @Test("a server without the pinned key is refused with status 60, by each command")
    func pins() async throws {
        let folder = try Program.Folder()
        let script = #"""
            cd "$FOLDER"
            echo wing > plan.txt
            openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout key.pem -out cert.pem \
                -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost 2>/dev/null
            openssl s_server -accept 127.0.0.1:0 -WWW -cert cert.pem -key key.pem >log 2>&1 &
            server=$!
            for i in $(seq 100); do
                port=$(sed -n 's/^ACCEPT .*:\([0-9]*\)$/\1/p' log)
                [ "$port" ] && break
                sleep 0.1
            done
            export XDG_STATE_HOME=$FOLDER
            for command in get events "download -o f" "download -o f --resume --retry 0"; do
                "$0" $command --cacert cert.pem "$@" "https://localhost:$port/plan.txt" 2>errors
                echo "$?: $(grep -c "^hint: .airframe trust HOST" errors)"
            done
            "$0" download -o f --resume --retry 0 "https://localhost:$port/plan.txt" 2>errors; echo "$?"
            kill $server
            """#
        let pin = "sha256/" + Data(count: 32).base64EncodedString()
        let outcome = try await Program.shell(script, ["--pin", pin], ["FOLDER": folder.url.path])
        #expect(outcome.output == String(repeating: "60: 1\n", count: 4) + "60\n", "\(outcome)")
    }

    @Test(
        "an interrupt and a termination end the program with the shell's status",
        arguments: [("INT", 130), ("TERM", 143)])
    func signals(name: String, status: Int) async throws {
        let server = try ScriptedServer { connection in
            _ = try connection.readHead()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nbegin")
            _ = connection.peerCloses(within: .seconds(20))
        }
        defer { server.stop() }
        let folder = try Program.Folder()
        let archive = folder.path("a.har")
        // The signal comes once the beginning of the content is there.
        let script = #"""
            exec 3< <("$0" "$@" 2>"$ERRORS" & echo $! >"$PID"; wait $!; echo " $?")
            head -c 5 <&3; kill -s "$NAME" "$(cat "$PID")"; cat <&3
            """#
        let outcome = try await Program.shell(
            script, ["get", "--har", archive, server.origin], ["NAME": name, "PID": folder.path("pid")])
        #expect(outcome.output == "begin \(status)\n", "\(outcome.errors)")
        #expect(try folder.text("a.har").contains(server.origin), "the archive is complete")
    }

    @Test("without a network the failure says so")
    func noNetwork() async throws {
        let outcome = try await Program.shell(
            #"unshare -rn "$0" "$@" 2>"$ERRORS""#, ["get", "--max-time", "10", "http://192.0.2.1/"])
        #expect(outcome.status == 7, "\(outcome.status) \(outcome.errors)")
        #expect(outcome.errors.contains("--wait-for-connectivity"), "\(outcome.errors)")
    }
}
