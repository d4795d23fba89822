internal import AirframeTransport
internal import FoundationEssentials
internal import Glibc

/// A region of a file, opened: by the caller of the exchange, since the loop must wait for no file system.
final class OpenedFile: Sendable {
    fileprivate let descriptor: Int32
    fileprivate let modified: timespec
    fileprivate let region: FileRegion

    /// Opens the file.
    ///
    /// - Throws: See `FileRegion.openRegularFile(for:)`.
    init(_ region: FileRegion, origin: Origin) throws(TransportError) {
        self.region = region
        (descriptor, modified) = try region.openRegularFile(for: origin)
    }

    deinit { close(descriptor) }
}

/// A region of a file on its way to libcurl, read straight into libcurl's buffer.
///
/// A class, because it has a position.
final class FileUpload {
    private let file: OpenedFile
    private let origin: Origin
    private var position: Int64 = 0

    private var descriptor: Int32 { file.descriptor }
    private var region: FileRegion { file.region }
    private var modified: timespec { file.modified }

    init(_ file: OpenedFile, origin: Origin) {
        self.file = file
        self.origin = origin
    }

    /// Fills `buffer` with what follows; 0 at the end.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(TransportError) -> Int {
        let wanted = min(Int64(buffer.count), region.length - position)
        guard wanted > 0 else { return 0 }
        while true {
            let count = pread(descriptor, buffer.baseAddress, Int(wanted), off_t(region.offset + position))
            if count > 0 {
                position += Int64(count)
                if position == region.length { try checkUnchanged() }
                return count
            }
            if count == 0 { throw region.lengthMismatch(position, origin, .unknown) }
            guard errno == EINTR else {
                throw Self.failure("cannot be read: \(String(cString: strerror(errno)))", region, origin)
            }
        }
    }

    /// Fails when the file was written to since it was opened: what was sent is then neither the old file nor the new
    /// one. Asked while the last piece is still here, so that the server does not take it for whole.
    private func checkUnchanged() throws(TransportError) {
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mtim.tv_sec == modified.tv_sec,
            status.st_mtim.tv_nsec == modified.tv_nsec
        else {
            throw TransportError(
                .bodyFailed,
                phase: .requestBody,
                processing: .unknown,
                message: "the file \(region.path) of the request's body was changed while it was sent",
                origin: origin
            )
        }
    }

    /// Goes to `offset` from the region's start.
    func seek(to offset: Int64) -> Bool {
        guard (0...region.length).contains(offset) else { return false }
        position = offset
        return true
    }

    private static func failure(_ message: String, _ region: FileRegion, _ origin: Origin) -> TransportError {
        TransportError(
            .bodyFailed,
            phase: .requestBody,
            processing: .notSent,
            message: "the file \(region.path) of the request's body \(message)",
            origin: origin
        )
    }
}

/// A file, or bytes, as a source: for bodies that end with trailers, which go the way of streams.
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

/// See ``DataSource``.
actor FileSource: RequestBodySource {
    private let file: FileUpload

    init(_ file: sending FileUpload) { self.file = file }

    func next() throws -> Data? {
        var chunk = Data(count: 64 * 1024)
        let count = try chunk.withUnsafeMutableBytes { try file.read(into: $0) }
        return count == 0 ? nil : chunk.prefix(count)
    }
}
