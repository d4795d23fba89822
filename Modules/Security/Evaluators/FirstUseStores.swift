internal import Foundation
internal import Synchronization

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
public final class FileFirstUseStore: FirstUseStore {
    private let url: URL
    // Guards the file against other threads of this process; it is read again each time, because others may write it
    // too.
    private let turn = Mutex(())

    /// Creates a store. The file is created with the first server.
    public init(path: String) { url = URL(fileURLWithPath: path) }

    /// See ``FirstUseStore/remember(_:forHost:port:)``.
    ///
    /// - Throws: ``CertificateError`` when the file cannot be read or written, or is malformed: an unreadable file must
    ///   not make every server a new one.
    public func remember(_ pin: String, forHost host: String, port: Int) throws -> String {
        try turn.withLock { _ in
            let text = try contents()
            for line in text.split(separator: "\n") {
                let parts = line.split(separator: " ")
                guard parts.count == 3, parts[2].hasPrefix("sha256/") else {
                    throw CertificateError(
                        "the file of known servers \(url.path) is malformed: \(line.debugDescription)")
                }
                if parts[0] == host, Int(parts[1]) == port { return String(parts[2]) }
            }
            do {
                try Data("\(text)\(host) \(port) \(pin)\n".utf8).write(to: url, options: .atomic)
            } catch {
                throw CertificateError(
                    "the file of known servers \(url.path) cannot be written: \(error.localizedDescription)")
            }
            return pin
        }
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
