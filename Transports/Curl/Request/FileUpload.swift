internal import AirframeTransport
internal import CCurl
internal import FoundationEssentials
internal import Glibc
internal import Synchronization

/// An open region of a file. The caller of the exchange opens it, because the loop must not wait for a file system.
final class OpenedFile: Sendable {
    fileprivate let descriptor: Int32
    fileprivate let modified: timespec
    fileprivate let region: FileRegion
    /// Whether a read had to wait. Closing such a file may wait as well, on a remote file system.
    fileprivate let isSlow = Atomic(false)

    /// Opens the file.
    ///
    /// - Throws: See `FileRegion.openRegularFile(for:)`.
    init(_ region: FileRegion, origin: Origin) throws(TransportError) {
        self.region = region
        (descriptor, modified) = try region.openRegularFile(for: origin)
    }

    deinit {
        guard isSlow.load(ordering: .relaxed) else {
            close(descriptor)
            return
        }
        let descriptor = descriptor
        WorkerThreads.files.run { close(descriptor) }
    }
}

/// The upload of a region of a file.
///
/// The loop reads bytes in the page cache directly into libcurl's buffer. From the first byte on for which it would
/// have to wait, a thread of ``WorkerThreads/files`` reads instead, so that a slow disk or file server does not stop
/// the other exchanges of the transport.
///
/// A class, because it has a position.
final class FileUpload {
    private let reader: FileReader
    private let exchange: ExchangeID
    private let origin: Origin
    /// The pump for bytes that a thread reads.
    private(set) var pump: StreamPump?

    init(_ file: OpenedFile, exchange: ExchangeID, origin: Origin) {
        reader = FileReader(file, origin: origin)
        self.exchange = exchange
        self.origin = origin
    }

    /// Fills `buffer` with the next bytes.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Upload.Read {
        if let pump { return Upload.Read(pump.take(into: buffer)) }
        do throws(TransportError) {
            if let count = try reader.readCached(into: buffer) { return count == 0 ? .end : .bytes(count) }
        } catch {
            return .failed(error)
        }
        let (file, position) = (reader.file, reader.position)
        file.isSlow.store(true, ordering: .relaxed)
        let pump = StreamPump(
            exchange: exchange,
            origin: origin,
            length: file.region.length - position,
            trailers: nil,
            executor: WorkerThreads.files
        ) { [origin] in
            FileSource(FileReader(file, from: position, origin: origin))
        }
        self.pump = pump
        return Upload.Read(pump.take(into: buffer))
    }

    /// Goes to `offset` from the region's start.
    func seek(to offset: Int64) -> Bool {
        guard reader.seek(to: offset) else { return false }
        pump?.cancel()
        pump = nil
        return true
    }
}

/// A reader of a region of a file.
///
/// A class, because it has a position.
final class FileReader {
    fileprivate let file: OpenedFile
    fileprivate private(set) var position: Int64
    private let origin: Origin

    private var descriptor: Int32 { file.descriptor }
    private var region: FileRegion { file.region }
    private var modified: timespec { file.modified }

    /// - Parameter position: The offset to start at, from the region's start.
    init(_ file: OpenedFile, from position: Int64 = 0, origin: Origin) {
        self.file = file
        self.position = position
        self.origin = origin
    }

    /// Fills `buffer` with the next bytes, and waits for the file system if necessary. Returns 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(TransportError) -> Int {
        try read(into: buffer) { pread($0, $1, $2, $3) } ?? 0
    }

    /// Fills `buffer` with the next bytes, as far as they are in memory.
    ///
    /// - Returns: The number of bytes, 0 at the end, or `nil` if the read would have to wait or the file system does
    ///   not know.
    func readCached(into buffer: UnsafeMutableRawBufferPointer) throws(TransportError) -> Int? {
        try read(into: buffer) { airframe_pread_cached($0, $1, $2, Int64($3)) }
    }

    private func read(
        into buffer: UnsafeMutableRawBufferPointer,
        by call: (Int32, UnsafeMutableRawPointer?, Int, off_t) -> Int
    ) throws(TransportError) -> Int? {
        let wanted = min(Int64(buffer.count), region.length - position)
        guard wanted > 0 else { return 0 }
        while true {
            let count = call(descriptor, buffer.baseAddress, Int(wanted), off_t(region.offset + position))
            if count > 0 {
                if position + Int64(count) == region.length { try checkUnchanged() }
                position += Int64(count)
                return count
            }
            if count == 0 { throw region.lengthMismatch(position, origin, .unknown) }
            switch errno {
            case EINTR: continue
            // Not in memory, or not supported by the file system or the kernel.
            case EAGAIN, EOPNOTSUPP, ENOSYS, EINVAL: return nil
            default: throw failure("cannot be read: \(String(cString: strerror(errno)))")
            }
        }
    }

    /// Fails if the file was written to since it was opened: the sent bytes are then neither the old file nor the new
    /// one. Checked before the last piece is sent, so that the server does not take the content for complete.
    private func checkUnchanged() throws(TransportError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mtim.tv_sec == modified.tv_sec,
            status.st_mtim.tv_nsec == modified.tv_nsec
        else {
            throw failure("was changed while it was sent")
        }
    }

    /// Goes to `offset` from the region's start.
    func seek(to offset: Int64) -> Bool {
        guard (0...region.length).contains(offset) else { return false }
        position = offset
        return true
    }

    private func failure(_ message: String) -> TransportError {
        TransportError(
            .bodyFailed,
            phase: .requestBody,
            processing: .unknown,
            message: "the file \(region.path) of the request's body \(message)",
            origin: origin
        )
    }
}

/// A source of bytes in memory, for bodies with trailers, which are sent as streams.
actor DataSource: RequestBodySource {
    private var rest: Data

    init(_ data: Data) { rest = data }

    func next() -> Data? {
        guard !rest.isEmpty else { return nil }
        let chunk = rest.prefix(64 * 1024)
        rest = rest.dropFirst(chunk.count)
        return chunk
    }
}

/// A source that reads a file in pieces of 256 KiB. It blocks its thread, so the task that pulls runs on
/// ``WorkerThreads/files``.
actor FileSource: RequestBodySource {
    private let file: FileReader

    init(_ file: sending FileReader) { self.file = file }

    func next() throws -> Data? {
        let chunk = try Data(pageAlignedUpTo: 256 * 1024) { try file.read(into: $0) }
        return chunk.isEmpty ? nil : chunk
    }
}
