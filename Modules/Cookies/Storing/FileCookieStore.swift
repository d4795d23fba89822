internal import AirframeLayers
internal import FoundationEssentials

/// Cookies in a file that only its owner may read.
///
/// A change is written to a new file, synchronized and renamed, under a lock that processes share, so that the file is
/// always complete. Values are in the clear. The same folder holds `FILE.lock` and, while the file is replaced,
/// `FILE.new`.
public struct FileCookieStore: CookieStore {
    /// A format of a file of cookies.
    public enum Format: Sendable, Hashable {
        /// Airframe's own format, with all properties of a cookie.
        case json
        /// The `cookies.txt` of Netscape, curl and wget, which lacks `SameSite`, partitions and creation dates.
        case netscape
    }

    /// The file's path.
    public let path: String
    /// The format in which the file is written. Files of both formats are read.
    public let format: Format

    /// Creates a store on a file, which is created when needed.
    ///
    /// - Parameters:
    ///   - path: The file's path.
    ///   - format: The format in which the file is written. A file of the other format is read, and rewritten in this
    ///     one.
    public init(path: String, format: Format = .json) {
        self.path = path
        self.format = format
    }

    /// Creates a store on a file, which keeps its format. A new file has Netscape's format if its name ends in `.txt`.
    ///
    /// - Throws: `StateFileError` if the file cannot be read.
    public init(existing path: String) throws {
        let content = try LockedFile(path: path).read()
        let isNetscape = content.map { $0.first == UInt8(ascii: "#") } ?? path.hasSuffix(".txt")
        self.init(path: path, format: isNetscape ? .netscape : .json)
    }

    /// Returns the cookies of the file; none if there is no file.
    ///
    /// - Throws: `StateFileError` if the file cannot be read, is of a newer version, or is not a file of cookies.
    public func load() throws -> [HTTPCookie] { try cookies(in: LockedFile(path: path).read()) }

    /// Replaces the file under its lock.
    ///
    /// - Throws: `StateFileError` if the file cannot be locked, read or written.
    public func update(_ change: ([HTTPCookie]) -> [HTTPCookie]) throws {
        try LockedFile(path: path).update { content in
            let cookies = try change(cookies(in: content))
            switch format {
            case .json: return try JSONEncoder().encode(CookieFile(cookies: cookies))
            case .netscape: return Data(NetscapeCookies.text(of: cookies).utf8)
            }
        }
    }

    private func cookies(in content: Data?) throws -> [HTTPCookie] {
        guard let content, !content.isEmpty else { return [] }
        if content.first != UInt8(ascii: "{") {
            do {
                return try NetscapeCookies.cookies(in: String(decoding: content, as: UTF8.self))
            } catch {
                throw StateFileError(path: path, action: "read", reason: "it holds no cookies: \(error)")
            }
        }
        guard let version = try? JSONDecoder().decode(CookieFile.Version.self, from: content).version else {
            throw StateFileError(path: path, action: "read", reason: "it is not a file of cookies")
        }
        guard version == CookieFile.current else {
            let reason = "its version \(version) is unknown; only version \(CookieFile.current) is supported"
            throw StateFileError(path: path, action: "read", reason: reason)
        }
        guard let file = try? JSONDecoder().decode(CookieFile.self, from: content) else {
            throw StateFileError(path: path, action: "read", reason: "its cookies are malformed")
        }
        return file.cookies
    }
}

/// The file as JSON.
struct CookieFile: Codable {
    static let current = 1

    struct Version: Decodable {
        let version: Int
    }

    var version = Self.current
    var cookies: [HTTPCookie]
}
