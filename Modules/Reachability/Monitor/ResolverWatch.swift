internal import CNetlink
internal import Glibc

/// Detects that `/etc/resolv.conf` is written or replaced, also behind a symbolic link.
struct ResolverWatch: ~Copyable {
    /// The descriptor for `poll`; -1 when the system has no watches left: the file is read at every change of the
    /// network.
    let descriptor: Int32

    init() {
        descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
        watchFolders()
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Watches the folders of the file and of the file that it links to. A folder that is watched already stays so.
    ///
    /// The folders are watched: programs replace the file, and a watch on it would stay with the old one. A link is
    /// created and removed without being written.
    private borrowing func watchFolders() {
        guard descriptor >= 0 else { return }
        let changes = UInt32(IN_CLOSE_WRITE | IN_MOVED_TO | IN_CREATE | IN_DELETE)
        for folder in Self.folders { inotify_add_watch(descriptor, folder, changes) }
    }

    private static var folders: Set<String> {
        let link = ResolverConfiguration.path
        guard let target = realpath(link, nil) else { return [folder(of: link)] }
        defer { free(target) }
        return [folder(of: link), folder(of: String(cString: target))]
    }

    private static func folder(of path: String) -> String {
        let folder = path.split(separator: "/").dropLast().joined(separator: "/")
        return "/" + folder
    }

    /// Discards the reported changes. They may have led the link to another folder.
    borrowing func clear() {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while read(descriptor, &buffer, buffer.count) > 0 {}
        watchFolders()
    }
}
