import AirframeConformance
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
}
