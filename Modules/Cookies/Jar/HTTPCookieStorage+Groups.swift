internal import FoundationEssentials
internal import Synchronization

extension HTTPCookieStorage {
    // Guards the storages by their groups' identifiers.
    private static let groups = Mutex<[String: HTTPCookieStorage]>([:])

    /// The storage that the programs of a group share.
    ///
    /// It is a ``CookieJar`` on the file `$XDG_DATA_HOME/IDENTIFIER/cookies.json`, by default beneath `~/.local/share`:
    /// all programs that a user runs with the same identifier share it. Each process writes its changes shortly after
    /// they were made, and adopts those of other processes at the same time and when it starts. If the file cannot be
    /// read, the storage is in memory.
    ///
    /// - Parameter identifier: The group's name. Characters other than letters, digits, `.`, `-` and `_` become `_`.
    public static func sharedCookieStorage(forGroupContainerIdentifier identifier: String) -> HTTPCookieStorage {
        if let storage = groups.withLock({ $0[identifier] }) { return storage }
        let jar = (try? groupFile(identifier)).flatMap { try? CookieJar(file: $0) } ?? CookieJar()
        let opened = HTTPCookieStorage(jar: jar)
        return groups.withLock { groups in
            let storage = groups[identifier] ?? opened
            groups[identifier] = storage
            return storage
        }
    }

    private static func groupFile(_ identifier: String) throws -> String {
        let data = ProcessInfo.processInfo.environment["XDG_DATA_HOME"] ?? ""
        // The XDG Base Directory Specification demands that relative paths are ignored.
        let home = FileManager.default.homeDirectoryForCurrentUser.path + "/.local/share"
        let folder = "\(data.hasPrefix("/") ? data : home)/\(folderName(identifier))"
        // Accessible by the owner only, like the file: cookies are secrets.
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        return folder + "/cookies.json"
    }

    private static func folderName(_ identifier: String) -> String {
        let name = identifier.map { character in
            let isKept = character.isLetter || character.isNumber || ".-_".contains(character)
            return character.isASCII && isKept ? character : "_"
        }
        // Excludes the folder itself, its parent and hidden names.
        return name.first == "." || name.isEmpty ? "_" + String(name) : String(name)
    }
}
