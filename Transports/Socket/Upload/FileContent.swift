internal import AirframeTransport
internal import CSocket
internal import Glibc

/// A region of a file that is being sent.
///
/// A class, because the task that sends it and the exchange share the descriptor.
final class FileContent: Sendable {
    let region: FileRegion
    private let descriptor: Descriptor
    private let modified: timespec
    private let origin: Origin

    /// Opens the file.
    ///
    /// - Throws: ``TransportError/Code/bodyFailed`` when it cannot be opened, ``TransportError/Code/bodyLengthMismatch``
    ///   when it is too short.
    init(_ region: FileRegion, origin: Origin) throws(TransportError) {
        self.region = region
        self.origin = origin
        descriptor = Descriptor(open(region.path, O_RDONLY | O_CLOEXEC))
        guard descriptor.isOpen else {
            throw Self.failure("cannot be opened: \(SystemError.text(errno))", region, origin, .notSent)
        }
        var status = stat()
        guard fstat(descriptor.number, &status) == 0 else {
            modified = timespec()
            throw Self.failure("cannot be read: \(SystemError.text(errno))", region, origin, .notSent)
        }
        modified = status.st_mtim
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw Self.failure("is not a regular file", region, origin, .notSent)
        }
        guard Int64(status.st_size) >= region.offset + region.length else {
            throw Self.mismatch(Int64(status.st_size) - region.offset, region, origin, .notSent)
        }
    }

    /// The most bytes that are sent at a time. The kernel moves up to 2 GiB; less keeps the events of a fast transfer
    /// coming.
    private static let pieceSize: Int64 = 1 << 20

    /// Fails when the end of the region is about to be sent and the file was written to since it was opened: what was
    /// sent is then neither the old file nor the new one, and the server must not take it for whole.
    func checkUnchanged(before position: Int64) throws(TransportError) {
        guard region.length - position <= Self.pieceSize else { return }
        var status = stat()
        guard fstat(descriptor.number, &status) == 0, status.st_mtim.tv_sec == modified.tv_sec,
            status.st_mtim.tv_nsec == modified.tv_nsec
        else { throw Self.failure("was changed while it was sent", region, origin, .unknown) }
    }

    /// Sends what follows `position`, from file to socket within the kernel.
    func send(to socket: Socket, from position: Int64) -> IOResult {
        let count = min(region.length - position, Self.pieceSize)
        return socket.sendFile(descriptor, from: region.offset + position, count: Int(count))
    }

    /// Reads what follows `position`, up to the size of `buffer`.
    func read(into buffer: UnsafeMutableRawBufferPointer, from position: Int64) throws(TransportError) -> Int {
        let wanted = min(Int64(buffer.count), region.length - position)
        while true {
            let count = pread(descriptor.number, buffer.baseAddress, Int(wanted), off_t(region.offset + position))
            if count > 0 { return count }
            if count == 0 { throw shortened(at: position) }
            guard errno == EINTR else { throw unreadable(errno) }
        }
    }

    /// The file has become shorter while it was sent.
    func shortened(at position: Int64) -> TransportError { Self.mismatch(position, region, origin, .unknown) }

    /// The file cannot be read.
    func unreadable(_ code: Int32) -> TransportError {
        Self.failure("cannot be read: \(SystemError.text(code))", region, origin, .unknown)
    }

    private static func failure(
        _ message: String,
        _ region: FileRegion,
        _ origin: Origin,
        _ processing: TransportError.Processing
    ) -> TransportError {
        TransportError(
            .bodyFailed,
            phase: .requestBody,
            processing: processing,
            message: "the file \(region.path) of the request's body \(message)",
            origin: origin
        )
    }

    private static func mismatch(
        _ count: Int64,
        _ region: FileRegion,
        _ origin: Origin,
        _ processing: TransportError.Processing
    ) -> TransportError {
        let place = region.offset > 0 ? " from byte \(region.offset) on" : ""
        return TransportError(
            .bodyLengthMismatch,
            phase: .requestBody,
            processing: processing,
            message: "the file \(region.path) has \(max(0, count)) bytes\(place); \(region.length) were announced",
            origin: origin
        )
    }
}
