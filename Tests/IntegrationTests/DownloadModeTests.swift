import Airframe
import AirframeConformance
import AirframeSocket
import Foundation
import Glibc
import Testing

@Suite("Who may read a downloaded file", .timeLimit(.minutes(1)))
struct DownloadModeTests {
    private func mode(of path: String) throws -> mode_t {
        var status = stat()
        try #require(stat(path, &status) == 0)
        return status.st_mode & 0o7777
    }

    /// The mode that this process gives to a new file.
    private func plainMode() throws -> mode_t {
        let file = try ScratchFile()
        let descriptor = open(file.url.path, O_WRONLY | O_CREAT | O_EXCL, 0o666)
        try #require(descriptor >= 0)
        close(descriptor)
        return try mode(of: file.url.path)
    }

    private func download(to destination: DownloadRequest.Destination?) async throws -> URL {
        let server = try ScriptedServer { connection in
            try connection.readHead()
            try connection.send("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello")
        }
        defer { server.stop() }
        let configuration = URLSessionConfiguration.af.default
        configuration.transportOptions.proxy = ProxyPolicy.none
        let session = Session(transport: SocketTransport(), configuration: configuration)
        return try await session.download(server.origin, to: destination).serializingDownloadedFileURL().value
    }

    @Test("at its destination those whom the umask lets, also on another file system", arguments: ["/tmp", "/dev/shm"])
    func destination(directory: String) async throws {
        let target = URL(fileURLWithPath: directory).appendingPathComponent("airframe-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: target) }
        let file = try await download { _, _ in (target, []) }
        #expect(try mode(of: file.path) == plainMode())
        #expect(try String(contentsOf: file, encoding: .utf8) == "hello")
    }

    @Test("in its place in the temporary directory the owner alone, where no destination was named")
    func temporary() async throws {
        let file = try await download(to: nil)
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(try mode(of: file.path) == 0o600)
    }
}
