package import AirframeTransport
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// A cache of stores of roots: an evaluator uses the same roots in each handshake, and reading a bundle takes 17 ms.
package final class RootStores: Sendable {
    package static let shared = RootStores()

    /// The roots and, for a file, its state when it was read: a file may change while the process runs.
    private struct Key: Hashable {
        let roots: TrustRoots
        let file: FileState?
    }

    /// The state of a file of roots.
    package struct FileState: Hashable, Sendable {
        private let device: UInt64
        private let inode: UInt64
        private let size: Int64
        private let seconds: Int
        private let nanoseconds: Int

        fileprivate init?(_ path: String) {
            var state = stat()
            guard stat(path, &state) == 0 else { return nil }
            device = UInt64(state.st_dev)
            inode = UInt64(state.st_ino)
            size = Int64(state.st_size)
            seconds = state.st_mtim.tv_sec
            nanoseconds = state.st_mtim.tv_nsec
        }
    }

    private static let capacity = 16

    // Guards the stores.
    private let stores = Mutex<[Key: TrustStore]>([:])

    /// Returns the store of `roots`. Reads it if it is not cached, or if its file has changed.
    ///
    /// - Throws: An error if the roots cannot be used.
    package func store(for roots: TrustRoots) throws(TransportError) -> TrustStore {
        guard let key = Self.key(roots) else { return try TrustStore.store(for: roots) }
        if let known = stores.withLock({ $0[key] }) { return known }
        // The state is taken before the file is read, so a file that changes in between is read again.
        let made = try TrustStore.store(for: roots)
        return stores.withLock { stores in
            if let known = stores[key] { return known }
            if stores.count >= Self.capacity { stores.removeAll() }
            stores[key] = made
            return made
        }
    }

    /// Returns the present state of the file of `roots`; `nil` if they are no file, or it cannot be determined.
    package static func fileState(of roots: TrustRoots) -> FileState? {
        guard case .pemFile(let path) = roots else { return nil }
        return FileState(path)
    }

    /// Returns the key of `roots`; `nil` if the state of their file cannot be determined.
    private static func key(_ roots: TrustRoots) -> Key? {
        guard case .pemFile = roots else { return Key(roots: roots, file: nil) }
        return fileState(of: roots).map { Key(roots: roots, file: $0) }
    }
}
