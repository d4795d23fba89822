package import Foundation

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Darwin)
    internal import Darwin
#endif

/// The temporary files of downloads.
package enum TemporaryFile {
    private static let prefix = "download-"
    private static let suffix = ".tmp"

    static func newURL() -> URL { url(named: prefix + UUID().uuidString + suffix) }

    /// Returns the file of that name, or `nil` if the name is not one of a download's temporary file.
    static func existingURL(named name: String) -> URL? {
        guard name.hasPrefix(prefix), name.hasSuffix(suffix),
            UUID(uuidString: String(name.dropFirst(prefix.count).dropLast(suffix.count))) != nil
        else { return nil }
        return url(named: name)
    }

    static func remove(_ url: URL) {
        try? FileManager.default.removeItem(at: url)
    }

    /// Sets the mode of a finished file to that of new files of the process: 0666 without the bits of its umask.
    ///
    /// The file keeps its mode, 0600, if the umask cannot be read.
    package static func applyCreationMask(to url: URL) {
        guard let mask = creationMask else { return }
        _ = chmod(url.path, 0o666 & ~mask)
    }

    /// The process's umask. `umask(2)` returns it only by changing it for all threads; the kernel shows it in `/proc`.
    private static var creationMask: mode_t? {
        guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
            let line = status.split(separator: "\n").first(where: { $0.hasPrefix("Umask:") })
        else { return nil }
        return mode_t(line.dropFirst(6).filter { !$0.isWhitespace }, radix: 8)
    }

    private static func url(named name: String) -> URL {
        FileManager.default.temporaryDirectory.appendingPathComponent(name)
    }
}
