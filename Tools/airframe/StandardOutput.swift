import Foundation

/// Standard output, in the order of the calls.
///
/// The one way to write there: `print` has a buffer of its own, and what goes around it comes out first in a pipe.
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
