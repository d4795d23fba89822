import AirframeCommandLine
import Foundation
import Glibc

/// Standard output, in the order of the calls.
///
/// Writes to standard output. Nothing else may: `print` has its own buffer, so mixing the two reorders output in a
/// pipe.
enum StandardOutput {
    /// Writes all of `data`.
    ///
    /// - Throws: ``OutputError`` when the reader has gone, or the device is full.
    static func write(_ data: Data) throws {
        let code = data.withUnsafeBytes { Descriptor.write($0, to: STDOUT_FILENO) }
        guard code == 0 else { throw OutputError(code: code) }
    }

    /// Writes a string.
    ///
    /// - Throws: ``OutputError`` when the reader has gone, or the device is full.
    static func write(_ text: String) throws { try write(Data(text.utf8)) }
}

/// Standard output cannot be written.
struct OutputError: Error, CustomStringConvertible {
    let code: Int32

    /// Whether the reader has gone, as `head` does when it has its lines.
    var isBrokenPipe: Bool { code == EPIPE }

    var status: ExitStatus { isBrokenPipe ? .brokenPipe : .write }

    var description: String { "standard output cannot be written: \(String(cString: strerror(code)))" }
}
