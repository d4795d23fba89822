internal import Foundation
internal import Synchronization

#if canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#endif

/// A store of keys in memory.
public final class MemoryFirstUseStore: FirstUseStore {
    // Guards the pins.
    private let pins = Mutex<[String: String]>([:])

    /// Creates an empty store.
    public init() {}

    /// See ``FirstUseStore/remember(_:forHost:port:)``.
    public func remember(_ pin: String, forHost host: String, port: Int) -> String {
        pins.withLock { pins in
            let key = "\(host) \(port)"
            if let known = pins[key] { return known }
            pins[key] = pin
            return pin
        }
    }

    /// Removes a server's key. The next connection counts as the first.
    public func forget(host: String, port: Int) { pins.withLock { $0["\(host) \(port)"] = nil } }
}

/// A store of keys in a file: one line for each server, with host, port and pin.
///
/// Several stores and processes can use one file. A new server is added under the lock on a second file, whose name
/// ends in `.lock`.
public final class FileFirstUseStore: FirstUseStore {
    private let url: URL
    // Guards the file against other threads that use this store.
    private let turn = Mutex(())

    /// Creates a store. The file is created with the first server.
    public init(path: String) { url = URL(fileURLWithPath: path) }

    /// See ``FirstUseStore/remember(_:forHost:port:)``.
    ///
    /// - Throws: ``CertificateError`` when the file cannot be read, locked or written, or is malformed: an unreadable
    ///   file must not make every server a new one.
    public func remember(_ pin: String, forHost host: String, port: Int) throws -> String {
        // Reading needs no lock, because the file is replaced as a whole.
        if let known = try knownPin(in: contents(), host, port) { return known }
        return try turn.withLock { _ in
            let lock = try acquireLock()
            // Released explicitly: a child of `fork` may have a copy of the descriptor, which keeps the lock.
            defer {
                flock(lock, LOCK_UN)
                close(lock)
            }
            let text = try contents()
            if let known = try knownPin(in: text, host, port) { return known }
            do {
                try Data("\(text)\(host) \(port) \(pin)\n".utf8).write(to: url, options: .atomic)
            } catch {
                throw failure("written", error.localizedDescription)
            }
            return pin
        }
    }

    private func knownPin(in text: String, _ host: String, _ port: Int) throws(CertificateError) -> String? {
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: " ")
            guard parts.count == 3, parts[2].hasPrefix("sha256/") else {
                throw CertificateError("the file of known servers \(url.path) is malformed: \(line.debugDescription)")
            }
            if parts[0] == host, Int(parts[1]) == port { return String(parts[2]) }
        }
        return nil
    }

    /// Locks a second file, because a change replaces the first.
    private func acquireLock() throws(CertificateError) -> Int32 {
        let descriptor = open("\(url.path).lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw failure("locked", String(cString: strerror(errno))) }
        // Ten seconds: a write takes milliseconds, and a process that hangs must not block this one.
        for _ in 0..<10_000 {
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return descriptor }
            guard errno == EWOULDBLOCK || errno == EINTR else { break }
            usleep(1_000)
        }
        let error = failure("locked", String(cString: strerror(errno)))
        close(descriptor)
        throw error
    }

    private func failure(_ action: String, _ reason: String) -> CertificateError {
        CertificateError("the file of known servers \(url.path) cannot be \(action): \(reason)")
    }

    private func contents() throws(CertificateError) -> String {
        guard FileManager.default.fileExists(atPath: url.path) else { return "" }
        guard let data = FileManager.default.contents(atPath: url.path) else {
            throw CertificateError("the file of known servers \(url.path) cannot be read")
        }
        let text = String(decoding: data, as: UTF8.self)
        return text.isEmpty || text.hasSuffix("\n") ? text : text + "\n"
    }
}
