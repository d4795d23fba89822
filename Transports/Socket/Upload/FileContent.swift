internal import AirframeTransport
internal import CSocket
internal import Glibc

/// A region of a file that is being uploaded.
///
/// A class, because the uploading task and the exchange share the descriptor.
final class FileContent: Sendable {
    let region: FileRegion
    private let descriptor: Descriptor
    private let modified: timespec
    private let origin: Origin

    /// Opens the file.
    ///
    /// - Throws: See `FileRegion.openRegularFile(for:)`.
    init(_ region: FileRegion, origin: Origin) throws(TransportError) {
        self.region = region
        self.origin = origin
        let (number, modified) = try region.openRegularFile(for: origin)
        descriptor = Descriptor(number)
        self.modified = modified
    }

    /// The maximum number of bytes sent at a time. The kernel accepts up to 2 GiB; smaller pieces produce progress
    /// events during a fast transfer.
    private static let pieceSize: Int64 = 1 << 20

    /// The size of the end of a region that passes through memory. Once it has been read, only writes remain, and no
    /// slow file system delays the end of the upload.
    static let lastPieceSize = Int64(BufferPool.size)

    /// Throws if the end of the region is about to be sent and the file was modified since it was opened. The bytes are
    /// then neither the old file nor the new one, and the server must not receive a complete request.
    func checkUnchanged(before position: Int64) throws(TransportError) {
        guard region.length - position <= Self.pieceSize else { return }
        var status = stat()
        guard fstat(descriptor.number, &status) == 0, status.st_mtim.tv_sec == modified.tv_sec,
            status.st_mtim.tv_nsec == modified.tv_nsec
        else { throw Self.failure("was changed while it was sent", region, origin, .unknown) }
    }

    /// Sends bytes after `position` from file to socket within the kernel, up to the last piece.
    func send(to socket: Socket, from position: Int64) -> IOResult {
        let count = min(region.length - Self.lastPieceSize - position, Self.pieceSize)
        return socket.sendFile(descriptor, from: region.offset + position, count: Int(count))
    }

    /// Reads the bytes after `position`, up to the size of `buffer`.
    func read(into buffer: UnsafeMutableRawBufferPointer, from position: Int64) throws(TransportError) -> Int {
        let wanted = min(Int64(buffer.count), region.length - position)
        while true {
            let count = pread(descriptor.number, buffer.baseAddress, Int(wanted), off_t(region.offset + position))
            if count > 0 { return count }
            if count == 0 { throw shortened(at: position) }
            guard errno == EINTR else { throw unreadable(errno) }
        }
    }

    /// Returns the error for a file that has become shorter.
    func shortened(at position: Int64) -> TransportError { region.lengthMismatch(position, origin, .unknown) }

    /// Returns the error for a failed read.
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
}
