internal import Glibc

/// Small files of the system.
enum SystemFile {
    /// The text of a file, up to 64 KiB of it; `nil` when it cannot be read.
    static func read(_ path: String) -> String? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var content: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while content.count < 65_536 {
            let count = Glibc.read(descriptor, &buffer, buffer.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { return nil }
            guard count > 0 else { break }
            content += buffer.prefix(count)
        }
        return String(decoding: content, as: UTF8.self)
    }
}

/// The resolver's configuration (resolv.conf(5)).
enum ResolverConfiguration {
    static let path = "/etc/resolv.conf"

    /// The name servers in `text`, in its order.
    static func nameServers(in text: String) -> [String] {
        text.split(whereSeparator: \.isNewline).compactMap { line in
            let words = line.split { $0 == " " || $0 == "\t" }
            return words.count >= 2 && words[0] == "nameserver" ? String(words[1]) : nil
        }
    }
}
