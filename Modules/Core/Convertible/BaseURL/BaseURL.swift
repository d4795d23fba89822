internal import AirframeTransport
public import Foundation

/// A URL against which relative references are resolved.
///
/// | base | reference | request |
/// |---|---|---|
/// | `https://api.test/v2` | `users/7` | `https://api.test/v2/users/7` |
/// | `https://api.test/v2/` | `/users/7` | `https://api.test/v2/users/7` |
/// | `https://api.test/v2` | `?page=2` | `https://api.test/v2?page=2` |
/// | `https://api.test/v2?key=1` | `users?page=2` | `https://api.test/v2/users?key=1&page=2` |
/// | `https://api.test/v2` | `a/../b` | `https://api.test/v2/b` |
/// | `https://api.test/v2` | `../admin` | fails |
/// | `https://api.test/v2` | `https://cdn.test/x` | `https://cdn.test/x` |
///
/// Paths are appended, and not resolved by RFC 3986 §5: a slash at the end of the base or at the beginning of the
/// reference makes no difference. A reference whose dot segments, percent-encoded or not, lead out of the base is
/// rejected, so that user input in a path cannot reach another part of the server. The query of the base is sent with
/// every request, before the reference's own; the fragment of the base is dropped.
public struct BaseURL: Sendable, Hashable {
    /// The URL.
    public let url: URL

    /// Creates a base of `url`.
    ///
    /// - Throws: ``BaseURLError/Reason/invalidBase`` for a URL without a scheme or a host.
    public init(_ url: URL) throws(BaseURLError) {
        guard url.scheme != nil, url.host()?.isEmpty == false else {
            throw BaseURLError(base: url.absoluteString, reference: nil, reason: .invalidBase)
        }
        self.url = url
    }

    /// Returns the URL for a reference.
    ///
    /// - Parameter reference: A path with or without a query and a fragment, or an absolute URL, which is returned as
    ///   it is.
    /// - Throws: ``BaseURLError`` for a reference that leads out of the base or names another host without a scheme.
    public func joining(_ reference: URL) throws(BaseURLError) -> URL {
        guard reference.scheme == nil else { return reference.absoluteURL }
        let text = reference.relativeString
        guard !text.hasPrefix("//") else { throw error(text, .namesHost) }
        let (own, parts) = (Parts(url.absoluteString, isAbsolute: true), Parts(text, isAbsolute: false))
        guard let path = Self.join(own.path, parts.path) else { throw error(text, .leavesBase) }
        let query = [own.query, parts.query].compactMap(\.self).filter { !$0.isEmpty }.joined(separator: "&")
        let fragment = parts.fragment.map { "#\($0)" } ?? ""
        let joined = own.authority + path + (query.isEmpty ? "" : "?\(query)") + fragment
        guard let url = URL(string: joined) else { throw error(text, .invalidReference) }
        return url
    }

    private func error(_ reference: String, _ reason: BaseURLError.Reason) -> BaseURLError {
        BaseURLError(base: url.absoluteString, reference: reference, reason: reason)
    }

    // MARK: Paths

    /// Returns the path of the base followed by a relative one, or `nil` if that leads out of the base.
    private static func join(_ base: Substring, _ reference: Substring) -> String? {
        var segments: [Substring] = []
        var isFolder = false
        var rest = reference
        while rest.first == "/" { rest = rest.dropFirst() }
        for segment in rest.split(separator: "/", omittingEmptySubsequences: false) {
            isFolder = segment.isEmpty
            let names = decodedNames(of: segment)
            if names.count == 1, names[0] == "." {
                isFolder = true
            } else if names.count == 1, names[0] == ".." {
                isFolder = true
                guard segments.popLast() != nil else { return nil }
            } else {
                // A percent-encoded slash is part of a segment here, and may be a separator for the server.
                guard !leaves(names, depth: segments.count) else { return nil }
                segments.append(segment)
            }
        }
        var path = String(base)
        guard !reference.isEmpty else { return path }
        while path.last == "/" { path.removeLast() }
        if isFolder, segments.last?.isEmpty != true { segments.append("") }
        return path + "/" + segments.joined(separator: "/")
    }

    /// Returns the names that a server may read in a segment after decoding slashes and dots.
    private static func decodedNames(of segment: Substring) -> [String] {
        guard segment.utf8.contains(UInt8(ascii: "%")) else { return [String(segment)] }
        let decoded = String(decoding: PercentEncoding.decode(segment), as: UTF8.self)
        return decoded.split(omittingEmptySubsequences: false) { $0 == "/" || $0 == "\\" }.map(String.init)
    }

    private static func leaves(_ names: [String], depth: Int) -> Bool {
        guard names.count > 1 else { return false }
        var depth = depth
        for name in names where name != "." && !name.isEmpty {
            depth += name == ".." ? -1 : 1
            if depth < 0 { return true }
        }
        return false
    }
}

/// The parts of a URL's text (RFC 3986 §3).
private struct Parts {
    /// Scheme and authority.
    let authority: Substring
    let path: Substring
    let query: Substring?
    let fragment: Substring?

    /// - Parameters:
    ///   - text: The text of a URL.
    ///   - isAbsolute: Whether it begins with a scheme and an authority.
    init(_ text: String, isAbsolute: Bool) {
        var rest = text[...]
        if let hash = rest.firstIndex(of: "#") {
            fragment = rest[rest.index(after: hash)...]
            rest = rest[..<hash]
        } else {
            fragment = nil
        }
        if let mark = rest.firstIndex(of: "?") {
            query = rest[rest.index(after: mark)...]
            rest = rest[..<mark]
        } else {
            query = nil
        }
        guard isAbsolute, let start = rest.firstRange(of: "://") else {
            (authority, path) = (rest.prefix(0), rest)
            return
        }
        let end = rest[start.upperBound...].firstIndex(of: "/") ?? rest.endIndex
        (authority, path) = (rest[..<end], rest[end...])
    }
}
