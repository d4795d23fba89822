internal import AirframeTransport
internal import FoundationEssentials

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The first bytes of a region of a file, and the length of the region.
struct FileBeginning {
    let bytes: Data
    let length: Int64

    /// Reads up to `limit` bytes; `nil` if the file cannot be read or is not a regular file, which engines reject.
    init?(of region: FileRegion, limit: Int) {
        // Otherwise opening a named pipe would wait for its writer.
        let descriptor = open(region.path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        length = min(region.length, max(0, Int64(status.st_size) - region.offset))
        var data = Data(count: Int(clamping: min(length, Int64(max(0, limit)))))
        let count = data.withUnsafeMutableBytes { pread(descriptor, $0.baseAddress, $0.count, off_t(region.offset)) }
        guard count >= 0 else { return nil }
        bytes = data.prefix(count)
    }
}
