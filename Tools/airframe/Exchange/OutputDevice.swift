import AirframeCommandLine
import Foundation
import Glibc

/// A file or device that content is written to.
final class OutputDevice: Sendable {
    private let path: String
    private let descriptor: Int32

    /// Opens the file, and makes it where there is none.
    ///
    /// - Throws: ``CommandFailure`` when it cannot be opened.
    init(path: String) throws {
        self.path = path
        descriptor = open(LocalFile.url(path).path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw Self.failure(path, errno) }
    }

    deinit { close(descriptor) }

    /// Writes all of `data`.
    ///
    /// - Throws: ``CommandFailure`` when the device is full.
    func write(_ data: Data) throws {
        try data.withUnsafeBytes { bytes in
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
                if count > 0 {
                    rest = rest.dropFirst(count)
                } else if errno != EINTR {
                    throw Self.failure(path, errno)
                }
            }
        }
    }

    private static func failure(_ path: String, _ code: Int32) -> CommandFailure {
        CommandFailure("\(path) cannot be written: \(String(cString: strerror(code)))", status: .write)
    }
}
