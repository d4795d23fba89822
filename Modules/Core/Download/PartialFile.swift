internal import AirframeTransport
internal import Foundation

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// Writes a download to a new file. The descriptor closes when the writer goes.
struct FileWriter: ~Copyable {
    private var descriptor: Int32
    private let url: URL
    private let failingURL: URL?

    /// Creates the file, readable for its owner only.
    init(creating url: URL, for task: URLSessionTask) throws(AFError) {
        self.url = url
        failingURL = task.currentRequest?.url
        descriptor = open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw Self.failure("created", url, failingURL, errno) }
    }

    deinit {
        if descriptor >= 0 { _ = Self.closeDescriptor(descriptor) }
    }

    /// Writes all of `data`.
    mutating func write(_ data: Data) throws(AFError) {
        let code = data.withUnsafeBytes { buffer in Self.writeAll(buffer, to: descriptor) }
        guard code == 0 else { throw Self.failure("written", url, failingURL, code) }
    }

    /// Closes the file. An error that a file system reports only now is not lost.
    mutating func close() throws(AFError) {
        let code = Self.closeDescriptor(descriptor)
        descriptor = -1
        guard code == 0 else { throw Self.failure("written", url, failingURL, code) }
    }

    private static func closeDescriptor(_ descriptor: Int32) -> Int32 {
        // EINTR closes the descriptor on Linux all the same.
        close_(descriptor) == 0 || errno == EINTR ? 0 : errno
    }

    /// Returns 0, or the `errno` of the write that failed.
    private static func writeAll(_ buffer: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32 {
        var rest = buffer[...]
        while !rest.isEmpty {
            let piece = UnsafeRawBufferPointer(rebasing: rest)
            let count = write_(descriptor, piece.baseAddress, piece.count)
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { return count < 0 ? errno : EIO }
            rest = rest.dropFirst(count)
        }
        return 0
    }

    private static func failure(_ verb: String, _ url: URL, _ failingURL: URL?, _ code: Int32) -> AFError {
        let words = String(cString: strerror(code))
        let message = "the file \(url.path) cannot be \(verb): \(words)"
        var details: [String: Any] = [NSLocalizedDescriptionKey: message, NSFilePathErrorKey: url.path]
        details[NSUnderlyingErrorKey] = NSError(domain: NSPOSIXErrorDomain, code: Int(code))
        details[NSURLErrorFailingURLErrorKey] = failingURL
        return .sessionTaskFailed(
            error: URLError(verb == "created" ? .cannotCreateFile : .cannotWriteToFile, userInfo: details))
    }
}

// The C library's functions, under names that do not hide behind the methods.
private func close_(_ descriptor: Int32) -> Int32 { close(descriptor) }
private func write_(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}

/// Files that downloads are written to before they have a place.
enum TemporaryFile {
    static func newURL() -> URL {
        FileManager.default.temporaryDirectory.appendingPathComponent("download-\(UUID().uuidString).tmp")
    }

    static func remove(_ url: URL) {
        try? FileManager.default.removeItem(at: url)
    }
}
