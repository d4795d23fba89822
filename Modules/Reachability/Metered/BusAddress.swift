internal import CNetlink
internal import Glibc

/// The address of the system bus (D-Bus Specification, "Server Addresses"): a socket in the file system, or an abstract
/// one.
package struct BusAddress: Sendable, Hashable {
    /// The path, or the name of an abstract socket.
    package let path: String
    package let isAbstract: Bool

    /// Names a socket.
    package init(path: String, isAbstract: Bool) {
        self.path = path
        self.isAbstract = isAbstract
    }

    /// The addresses in `text`, separated by semicolons, that are Unix sockets.
    package static func all(_ text: String) -> [BusAddress] {
        text.split(separator: ";").compactMap { address in
            guard address.hasPrefix("unix:") else { return nil }
            let pairs = address.dropFirst(5).split(separator: ",").compactMap { pair -> (String, String)? in
                let parts = pair.split(separator: "=", maxSplits: 1).map(String.init)
                return parts.count == 2 ? (parts[0], parts[1]) : nil
            }
            let values = Dictionary(pairs) { first, _ in first }
            if let path = values["path"] { return BusAddress(path: unescaped(path), isAbstract: false) }
            return values["abstract"].map { BusAddress(path: unescaped($0), isAbstract: true) }
        }
    }

    /// The system bus: the address in the environment, or the usual one.
    static var system: BusAddress? {
        let usual = "unix:path=/run/dbus/system_bus_socket"
        return all(getenv("DBUS_SYSTEM_BUS_ADDRESS").map { String(cString: $0) } ?? usual).first
    }

    /// The folder and the name of the socket, if it has one.
    var place: (folder: String, name: String)? {
        guard !isAbstract, let slash = path.lastIndex(of: "/") else { return nil }
        return (slash == path.startIndex ? "/" : String(path[..<slash]), String(path[path.index(after: slash)...]))
    }

    /// Connects without blocking.
    ///
    /// - Returns: The descriptor, or -1 when nothing listens.
    func connect() -> Int32 {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = (isAbstract ? [0] : []) + Array(path.utf8)
        // One byte is left for the NUL at the end.
        guard bytes.count < MemoryLayout.size(ofValue: address.sun_path) else { return -1 }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let descriptor = airframe_bus_socket()
        guard descriptor >= 0 else { return -1 }
        let offset = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
        let size = socklen_t(offset + bytes.count + (isAbstract ? 0 : 1))
        let code = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.connect(descriptor, $0, size) }
        }
        guard code == 0 else {
            close(descriptor)
            return -1
        }
        return descriptor
    }

    /// Addresses are escaped as URLs are.
    private static func unescaped(_ text: String) -> String {
        var bytes: [UInt8] = []
        var rest = Substring(text)
        while let character = rest.utf8.first {
            if character == UInt8(ascii: "%"), let byte = UInt8(rest.dropFirst().prefix(2), radix: 16) {
                bytes.append(byte)
                rest = rest.dropFirst(3)
            } else {
                bytes.append(character)
                rest = Substring(rest.utf8.dropFirst())
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
