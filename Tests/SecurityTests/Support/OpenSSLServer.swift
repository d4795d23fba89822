import Foundation
import Glibc
import Testing

/// `openssl s_server` with one kind of certificate.
///
/// `@unchecked Sendable`: the process is immutable once it runs, and only killed.
final class OpenSSLServer: @unchecked Sendable {
    let port: Int
    private let process: Process
    private let log: String

    /// Its output about its clients' certificates and errors.
    var errors: String { (try? String(contentsOfFile: log, encoding: .utf8)) ?? "" }

    init(_ name: String, _ pki: PKI, arguments: [String] = []) throws {
        let output = Pipe()
        process = Process()
        process.executableURL = URL(filePath: "/usr/bin/openssl")
        // It ends by itself after some connections, should the tests be killed before they end it.
        process.arguments =
            [
                "s_server", "-accept", "127.0.0.1:0", "-naccept", "64", "-www", "-cipher", "DEFAULT@SECLEVEL=0",
                "-cert", pki.path("\(name).pem"), "-cert_chain", pki.path("\(name).pem"),
                "-key", pki.path("\(name).key"),
            ] + arguments
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        log = pki.path("s_server-\(UUID().uuidString).log")
        _ = FileManager.default.createFile(atPath: log, contents: nil)
        process.standardError = try FileHandle(forWritingTo: URL(filePath: log))
        try process.run()
        port = try #require(ListeningPort.read(from: output), "openssl s_server says no port")
    }

    deinit { stop() }

    func stop() {
        // Not `terminate`: the process inherits the signals that the test's thread has blocked.
        kill(process.processIdentifier, SIGKILL)
    }
}
