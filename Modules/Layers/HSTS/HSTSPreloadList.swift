internal import FoundationEssentials

extension HSTSStore {
    /// Adds the policies of a preload list, which never expire, and removes those of an earlier list (RFC 6797 §12.3).
    ///
    /// The file is a list of hosts, one per line, in which a leading dot includes subdomains and `#` starts a comment;
    /// or Chromium's `transport_security_state_static.json`, whose entries with `"mode": "force-https"` are read.
    ///
    /// - Parameter path: The file's path.
    /// - Throws: ``StateFileError`` if the file cannot be read or has neither format.
    public func loadPreloadList(from path: String) throws {
        guard let content = try LockedFile(path: path).read() else {
            throw StateFileError(path: path, action: "read", reason: "it does not exist")
        }
        let text = String(decoding: content, as: UTF8.self)
        preload(try HSTSPreloadList.policies(in: text, of: path))
    }
}

enum HSTSPreloadList {
    private struct Chromium: Decodable {
        struct Entry: Decodable {
            var name: String
            var mode: String?
            var include_subdomains: Bool?
        }

        var entries: [Entry]
    }

    static func policies(in text: String, of path: String) throws -> [HSTSPolicy] {
        let lines = text.split(whereSeparator: \.isNewline).map(trimmed)
        if let first = lines.first(where: { !$0.isEmpty && !$0.hasPrefix("//") }), first.hasPrefix("{") {
            let json = lines.filter { !$0.hasPrefix("//") }.joined(separator: "\n")
            guard let list = try? JSONDecoder().decode(Chromium.self, from: Data(json.utf8)) else {
                throw StateFileError(path: path, action: "read", reason: "it is not a preload list in JSON")
            }
            return list.entries.filter { $0.mode == "force-https" }.map {
                HSTSPolicy(host: $0.name, includesSubdomains: $0.include_subdomains ?? false)
            }
        }
        return try lines.compactMap { line in
            let host = trimmed(line.prefix { $0 != "#" })
            guard !host.isEmpty else { return nil }
            guard !host.contains(where: { $0.isWhitespace || "/:@".contains($0) }) else {
                throw StateFileError(path: path, action: "read", reason: "\(host.debugDescription) is not a host")
            }
            let includesSubdomains = host.hasPrefix(".")
            let name = includesSubdomains ? String(host.dropFirst()) : String(host)
            return HSTSPolicy(host: name, includesSubdomains: includesSubdomains)
        }
    }

    private static func trimmed(_ text: Substring) -> Substring {
        let start = text.drop(while: \.isWhitespace)
        guard let last = start.lastIndex(where: { !$0.isWhitespace }) else { return "" }
        return start[...last]
    }
}
