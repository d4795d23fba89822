import AirframeTransfers
import Foundation

/// Hashes by coreutils, so that the module's own are not checked against themselves.
enum Sum {
    /// Returns the SHA-256 of the content by `sha256sum`.
    static func sha256(of content: Data) -> TransferChecksum? {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/sha256sum")
        let (input, output) = (Pipe(), Pipe())
        process.standardInput = input
        process.standardOutput = output
        guard (try? process.run()) != nil else { return nil }
        try? input.fileHandleForWriting.write(contentsOf: content)
        try? input.fileHandleForWriting.close()
        let text = String(decoding: (try? output.fileHandleForReading.readToEnd()) ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        return TransferChecksum(String(text.prefix(64)))
    }
}
