import Airframe
import AirframeConformance
import AirframeTestSupport
import Foundation
import Testing

@Suite("Faulty servers and bad input, through the whole chain", .overEachEngine, .timeLimit(.minutes(1)))
struct FaultTests {
    /// A fault, what the server does, and what the error must be.
    struct Fault: Sendable, CustomTestStringConvertible {
        let name: String
        let script: ScriptedServer.Script
        let codes: Set<TransportError.Code>
        var testDescription: String { name }

        init(_ name: String, _ codes: Set<TransportError.Code>, _ script: @escaping ScriptedServer.Script) {
            self.name = name
            self.codes = codes
            self.script = script
        }
    }

    static let faults = [
        Fault("close at accept", [.connectionLost]) { $0.close() },
        // The reset may come before anybody has looked whether the connect succeeded.
        Fault("reset at accept", [.connectionLost, .connectFailed]) { $0.reset() },
        Fault("close after the request", [.connectionLost]) { try $0.readHead() },
        Fault("reset after the request", [.connectionLost]) {
            try $0.readHead()
            $0.reset()
        },
        Fault("reset in the head", [.connectionLost]) {
            try $0.readHead()
            try $0.send("HTTP/1.1 200 OK\r\nContent-")
            $0.pause(.milliseconds(20))
            $0.reset()
        },
        Fault("close in the head", [.connectionLost, .malformedResponse]) {
            try $0.readHead()
            try $0.send("HTTP/1.1 200 OK\r\nContent-")
        },
        Fault("reset in the body", [.connectionLost, .bodyTruncated]) {
            try $0.readHead()
            try $0.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
            $0.pause(.milliseconds(20))
            $0.reset()
        },
        Fault("a Content-Length that lies", [.bodyTruncated]) {
            try $0.readHead()
            try $0.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
        },
        Fault("garbage", [.malformedResponse]) {
            try $0.readHead()
            try $0.send("\u{1}\u{2}\u{3} this is not HTTP at all\r\n\r\n")
        },
        Fault("a head of 1 MiB", [.headTooLarge]) {
            try $0.readHead()
            try $0.send("HTTP/1.1 200 OK\r\n")
            for number in 0..<1_024 { try $0.send("X-\(number): \(String(repeating: "x", count: 1_024))\r\n") }
            try $0.send("Content-Length: 0\r\n\r\n")
        },
        Fault("no answer", [.timedOut]) {
            try $0.readHead()
            _ = $0.peerCloses(within: .seconds(20))
        },
        Fault("a stall in the body", [.timedOut]) {
            try $0.readHead()
            try $0.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc")
            _ = $0.peerCloses(within: .seconds(20))
        },
    ]

    @Test("Each fault has its own error, in time, and leaves no descriptor behind", arguments: faults)
    func fault(_ fault: Fault) async throws {
        let server = try ScriptedServer(fault.script)
        let session = try makeSession()
        let start = ContinuousClock.now
        let response = await session.request(server.origin, requestModifier: { $0.timeoutInterval = 1 })
            .serializingData().response
        let error = try #require(response.error)
        let code = try #require(error.transportError?.code, "\(error)")
        #expect(fault.codes.contains(code), "\(error.transportError?.description ?? "")")
        #expect(ContinuousClock.now - start < .seconds(15))
        #expect(error.transportError?.description.contains("127.0.0.1:\(server.port)") == true)
    }

    @Test("A file that cannot be written is an error that names the file, and leaves no part behind")
    func unwritable() async throws {
        let server = try ScriptedServer {
            try $0.readHead()
            try $0.send("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc")
        }
        let session = try makeSession()
        let target = URL(fileURLWithPath: "/proc/airframe/no-such-folder")
        let error = await session.download(server.origin, to: { _, _ in (target, [.createIntermediateDirectories]) })
            .serializingDownloadedFileURL().response.error
        #expect(error?.isDownloadedFileMoveError == true, "\(String(describing: error))")
        #expect(error?.destinationURL == target)
        let source = try #require(error?.sourceURL)
        #expect(!FileManager.default.fileExists(atPath: source.path))
    }

    @Test("A full disk is an error with the system's message")
    func fullDisk() async throws {
        let server = try ScriptedServer {
            try $0.readHead()
            try $0.send("HTTP/1.1 200 OK\r\nContent-Length: 8388608\r\n\r\n")
            try $0.send([UInt8](repeating: 1, count: 8 << 20))
        }
        // A file system of 1 MiB, in its own mount namespace.
        let airframe = Command.built("airframe", []).path
        let script = """
            mount -t tmpfs -o size=1m tmpfs /mnt &&
            TMPDIR=/mnt exec "$0" get -o /mnt/file "$1"
            """
        let outcome = try await Command(["unshare", "-rm", "sh", "-c", script, airframe, server.origin]).run()
        try #require(!outcome.output.contains("unshare failed"), "\(outcome.output)")
        #expect(outcome.status == 23, "\(outcome.output)")
        #expect(outcome.output.contains("No space left on device"), "\(outcome.output)")
    }
}
