import Foundation

/// Standard output, in the order of the calls.
///
/// Writes to standard output. Nothing else may: `print` has its own buffer, so mixing the two reorders output in a
/// pipe.
enum StandardOutput {
    /// Writes all of `data`.
    ///
    /// - Throws: When the reader has gone, or the device is full.
    static func write(_ data: Data) throws { try FileHandle.standardOutput.write(contentsOf: data) }

    /// Writes a text.
    ///
    /// - Throws: When the reader has gone, or the device is full.
    static func write(_ text: String) throws { try write(Data(text.utf8)) }
}
