import Foundation
import Glibc
import Testing

/// `openssl s_server`, which answers with a page about the connection: for TLS that the peers do not speak.
final class OpenSSLServer {
    let port: Int
    private let process: Process

    /// - Parameter connections: After how many it ends, should the tests be killed before they end it.
    init(certificate: String, key: String, connections: Int) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/openssl")
        process.arguments = [
            "s_server", "-accept", "127.0.0.1:0", "-naccept", "\(connections)", "-www", "-cert", certificate,
            "-cert_chain", certificate, "-key", key,
        ]
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        process.standardInput = FileHandle.nullDevice
        try process.run()
        self.process = process
        var text = ""
        var found: Int?
        while found == nil {
            let data = output.fileHandleForReading.availableData
            guard !data.isEmpty else { break }
            text += String(decoding: data, as: UTF8.self)
            found = text.split(separator: "\n").first { $0.hasPrefix("ACCEPT") && $0.contains(":") }
                .flatMap { Int($0.split(separator: ":").last ?? "") }
        }
        port = try #require(found, "openssl s_server says no port: \(text)")
    }

    deinit {
        // Not `terminate`: the process inherits the signals that the test's thread has blocked.
        kill(process.processIdentifier, SIGKILL)
    }
}
