import AirframeConformance
import AirframeTestSupport
import Foundation
import NamespaceSupport
import Testing

@Suite("Examples as processes", .timeLimit(.minutes(3)))
struct ExampleProcessTests {
    private static let content = Data((0..<2_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7 ^ $0 >> 8) })

    /// Runs a script; `$0` is the example's program.
    private func shell(_ program: String, _ script: String, _ environment: [String: String]) async throws -> String {
        let all = Program.environment.merging(environment) { $1 }
        let outcome = try await Command(["/bin/bash", "-c", script, Command.built(program, []).path])
            .run(environment: all)
        return outcome.output
    }

    @Test("the chat prints a greeting and the answer to each line")
    func chat() async throws {
        let output = try await shell("chat-example", #"printf 'hello\nbye\n' | "$0"; echo "status $?""#, [:])
        #expect(output == "[connected]\nwelcome\nyou said: hello\nyou said: bye\n[closed]\nstatus 0\n")
    }

    @Test("the client of a language model prints the answer, and how it is used")
    func ask() async throws {
        let answer = try await shell("ask-example", #""$0" Why does a wing lift?; echo "status $?""#, [:])
        #expect(answer == "A wing bends air downwards.\nstatus 0\n")
        let usage = try await shell("ask-example", #""$0"; echo "status $?""#, [:])
        #expect(usage == "usage: ask QUESTION\nstatus 64\n")
    }

    @Test("the downloader leaves resume data on an interrupt, and the next run fetches the rest alone")
    func resume() async throws {
        let folder = try Program.Folder()
        let server = try RangeAnswers(Self.content, rate: 500 << 10)
        let environment = ["URL": server.url, "FILE": folder.path("large.bin")]
        let first = try await shell(
            "download-example",
            #""$0" "$URL" "$FILE" & pid=$!; sleep 1.5; kill -INT $pid; wait $pid; echo "status $?""#, environment)
        #expect(first.contains("status 1") && !first.contains("saved"), "\(first)")
        let second = try await shell("download-example", #""$0" "$URL" "$FILE"; echo "status $?""#, environment)
        #expect(second.contains("resuming") && second.contains("status 0"), "\(second)")
        #expect(try Data(contentsOf: folder.url.appending(path: "large.bin")) == Self.content)
        #expect(server.ranges.count == 2 && server.ranges.first == "", "\(server.ranges)")
        let rest = server.ranges.last?.dropFirst("bytes=".count).split(separator: "-").first.flatMap { Int($0) }
        #expect((rest ?? 0) > 0, "\(server.ranges)")
        #expect(!FileManager.default.fileExists(atPath: folder.path("large.bin.resume")))
    }

    @Test("the downloader accepts the pinned key, and refuses a server with another one")
    func pins() async throws {
        let folder = try Program.Folder()
        let output = try await shell(
            "download-example",
            #"""
            cd "$FOLDER"
            echo wing > plan.txt
            openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout key.pem -out cert.pem \
                -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost 2>/dev/null
            pin=$(openssl x509 -in cert.pem -pubkey -noout | openssl pkey -pubin -outform der |
                openssl dgst -sha256 -binary | base64)
            openssl s_server -accept 127.0.0.1:0 -WWW -cert cert.pem -key key.pem >log 2>&1 &
            server=$!
            for i in $(seq 100); do
                port=$(sed -n 's/^ACCEPT .*:\([0-9]*\)$/\1/p' log)
                [ "$port" ] && break
                sleep 0.1
            done
            export SSL_CERT_FILE=$FOLDER/cert.pem
            "$0" "https://localhost:$port/plan.txt" right "sha256/$pin"; echo "right: $?"
            "$0" "https://localhost:$port/plan.txt" wrong "sha256/$(head -c 32 /dev/zero | base64)"; echo "wrong: $?"
            kill $server
            """#, ["FOLDER": folder.url.path])
        #expect(output.contains("right: 0") && output.contains("wrong: 1"), "\(output)")
        #expect(try folder.text("right") == "wing\n")
        #expect(!FileManager.default.fileExists(atPath: folder.path("wrong")))
    }

    @Test("the daemon waits without a network, and reports as soon as there is one", .namespaces)
    func daemon() async throws {
        let namespace = try TestNamespace()
        let folder = try Program.Folder()
        let script = #"""
            cd "$FOLDER"
            "$0" http://10.0.1.2:8080/reports 1 >log 2>&1 & daemon=$!
            sleep 1.5; cp log before
            ip link add up0 type veth peer name up0-p && ip link set up0-p up
            ip addr add 10.0.1.2/24 dev up0 && ip link set up0 up
            python3 -c '
            import http.server
            class Handler(http.server.BaseHTTPRequestHandler):
                def do_POST(self):
                    self.rfile.read(int(self.headers.get("Content-Length", 0)))
                    self.send_response(204)
                    self.end_headers()
            http.server.HTTPServer(("10.0.1.2", 8080), Handler).serve_forever()' 2>/dev/null & server=$!
            for i in $(seq 200); do grep -q ^reported log && break; sleep 0.1; done
            kill $daemon $server
            echo "before:"; cat before; echo "after:"; cat log
            """#
        let program = Command.built("reporter-example", []).path
        let words = namespace.executing(["/bin/bash", "-c", script, program])
        let outcome = try await Command(words).run(environment: ["FOLDER": folder.url.path, "NO_PROXY": "*"])
        let parts = outcome.output.components(separatedBy: "after:")
        #expect(!parts[0].contains("report"), "\(outcome.output)")
        #expect(parts.count == 2 && parts[1].contains("reported\n"), "\(outcome.output)")
    }
}
