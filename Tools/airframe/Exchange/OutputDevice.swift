import AirframeCommandLine
import Foundation
import Glibc

/// A file or device that content is written to. It is opened with the first bytes, so that a request that fails leaves
/// it as it was.
final class OutputDevice {
    private let path: String
    private var descriptor: Int32 = -1

    init(path: String) { self.path = path }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Opens the file, and makes it where there is none.
    ///
    /// - Throws: ``CommandFailure`` when it cannot be opened.
    func prepare() throws {
        guard descriptor < 0 else { return }
        // An open descriptor under `/dev/fd` may be a file that others write to as well.
        let placement = LocalFile.isSpecial(path) ? O_APPEND : O_TRUNC
        descriptor = open(LocalFile.url(path).path, O_WRONLY | O_CREAT | O_CLOEXEC | placement, 0o666)
        guard descriptor >= 0 else { throw Self.failure(path, errno) }
    }

    /// Writes all of `data`.
    ///
    /// - Throws: ``CommandFailure`` when the file cannot be opened, or the device is full.
    func write(_ data: Data) throws {
        try prepare()
        let code = data.withUnsafeBytes { Descriptor.write($0, to: descriptor) }
        guard code == 0 else { throw Self.failure(path, code) }
    }

    private static func failure(_ path: String, _ code: Int32) -> CommandFailure {
        CommandFailure("\(path) cannot be written: \(String(cString: strerror(code)))", status: .write)
    }
}
