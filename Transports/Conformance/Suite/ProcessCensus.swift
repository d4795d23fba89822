internal import Glibc

/// What this process holds of the kernel's goods.
package enum ProcessCensus {
    /// The number of open descriptors.
    package static var descriptorCount: Int { names(in: "/proc/self/fd").count }

    /// The number of threads.
    static var threadCount: Int { names(in: "/proc/self/task").count }

    /// The number of sockets of this process that are connected to a port of the loopback address, not counting those
    /// that were accepted on it.
    package static func socketCount(to port: Int) -> Int {
        let inodes = inodesConnected(to: port)
        return names(in: "/proc/self/fd").count { name in
            var buffer = [CChar](repeating: 0, count: 64)
            let length = readlink("/proc/self/fd/\(name)", &buffer, buffer.count - 1)
            guard length > 0 else { return false }
            let text = String(decoding: buffer.prefix(length).map(UInt8.init(bitPattern:)), as: UTF8.self)
            return inodes.contains { text == "socket:[\($0)]" }
        }
    }

    /// Lets the process open as many descriptors as the system allows it to: a thousand exchanges have two ends each.
    static func raiseDescriptorLimit() {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(resource, &limit) == 0, limit.rlim_cur < limit.rlim_max else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(resource, &limit)
    }

    private static func inodesConnected(to port: Int) -> [Substring] {
        let hexadecimal = String(port, radix: 16, uppercase: true)
        let suffix = ":" + String(repeating: "0", count: 4 - hexadecimal.count) + hexadecimal
        // Columns: number, local address, remote address, state, …, inode.
        return contents(of: "/proc/self/net/tcp").split(separator: "\n").compactMap { line in
            let columns = line.split(separator: " ")
            guard columns.count > 9, columns[2].hasSuffix(suffix), columns[9] != "0" else { return nil }
            return columns[9]
        }
    }

    private static func contents(of path: String) -> String {
        guard let file = fopen(path, "r") else { return "" }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 64 << 10)
        while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer.prefix(count) }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func names(in path: String) -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
