internal import AirframeTransport
internal import FoundationEssentials

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

extension DiskCacheStore {
    /// The age at which a temporary file is removed. A younger one may still be in use by another process.
    private static let orphanAge = 600

    /// Evicts the least recently used responses until at most nine tenths of the capacity are used, and removes
    /// temporary files of killed processes. Only one process sweeps at a time.
    func sweep() {
        // A store that cannot evict cannot write either; the next write reports the error.
        try? CacheFolder.withLock("\(folder.path)/locks/sweep") { () throws(CacheStoreError) in
            struct Resource {
                let path: String
                let group: (key: CacheKey, entries: [CacheEntry])
                let used: Int64
                let cost: Int64
            }
            let now = time(nil)
            var (resources, bodies, total) = ([Resource](), Set<String>(), Int64(0))
            for path in folder.files(in: "entries") {
                var status = stat()
                guard stat(path, &status) == 0 else { continue }
                guard let group = readGroup(path) else {
                    // Files with other names are being written, or were when a process was killed.
                    if !path.hasSuffix(".new") || now - status.st_mtim.tv_sec > Self.orphanAge { unlink(path) }
                    continue
                }
                let cost = group.entries.reduce(Int64(status.st_size)) { $0.addingClamped($1.fileLength) }
                for entry in group.entries where entry.fileLength > 0 {
                    bodies.insert(folder.bodyPath(entry.identifier))
                }
                // In nanoseconds, because many responses are stored within one second.
                let used = max(status.st_atim.nanoseconds, status.st_mtim.nanoseconds)
                resources.append(Resource(path: path, group: group, used: used, cost: cost))
                total = total.addingClamped(cost)
            }
            removeOrphans(except: bodies, now: now)
            folder.setUsage(total)
            let target = capacity / 10 * 9
            for resource in resources.sorted(by: { $0.used < $1.used }) where total > target {
                try removeGroup(resource.group.key)
                total -= resource.cost
            }
        }
    }

    private func removeOrphans(except bodies: Set<String>, now: Int) {
        for path in folder.files(in: "bodies") where !bodies.contains(path) {
            var status = stat()
            if stat(path, &status) == 0, now - status.st_mtim.tv_sec > Self.orphanAge { unlink(path) }
        }
    }
}

extension CacheFolder {
    /// The number of bytes stored, according to the usage file.
    func usage() -> Int64 {
        guard let file = try? CacheFile(path: usagePath), let bytes = try? file.read(8, at: 0) else { return 0 }
        var reader = ByteReader(bytes)
        let count: UInt64? = reader.number()
        return max(0, Int64(bitPattern: count ?? 0))
    }

    /// Adds to the usage, and returns it. A lost usage file is restored by the next sweep.
    func addUsage(_ delta: Int64) -> Int64 {
        let sum = try? Self.withLock("\(path)/locks/usage") { () throws(CacheStoreError) in
            let sum = max(0, usage().addingClamped(delta))
            setUsage(sum)
            return sum
        }
        return sum ?? 0
    }

    func setUsage(_ count: Int64) {
        var writer = ByteWriter()
        writer.number(UInt64(bitPattern: count))
        guard let descriptor = try? Self.create(usagePath, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW) else { return }
        defer { close(descriptor) }
        _ = writer.bytes.withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    }
}

extension Int64 {
    /// Returns the sum, or the nearest number of 64 bits. A damaged file may contain any number.
    func addingClamped(_ other: Int64) -> Int64 {
        let (sum, overflow) = addingReportingOverflow(other)
        guard overflow else { return sum }
        return other < 0 ? .min : .max
    }
}

extension timespec {
    /// The time in nanoseconds; a time that does not fit counts as the latest.
    fileprivate var nanoseconds: Int64 {
        let (seconds, isTooLarge) = Int64(tv_sec).multipliedReportingOverflow(by: 1_000_000_000)
        return isTooLarge ? .max : seconds.addingReportingOverflow(Int64(tv_nsec)).partialValue
    }
}
