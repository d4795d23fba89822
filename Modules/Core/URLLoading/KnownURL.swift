internal import Foundation
internal import HTTPTypes
internal import Synchronization

/// A URL that was parsed once for several requests.
///
/// Programs send many requests to the same URLs; parsing one and making its head takes 8,000 instructions
/// (Docs/Decisions/0024-memory-for-what-comes-again.md). Immutable, and shared by all requests for the URL.
final class KnownURL: Sendable {
    let url: URL
    /// The target of requests; `nil` if the URL names no host that can be connected to.
    let target: RequestTarget?
    /// Whether the URL has a target. Testing the optional, or reading ``userInformation`` from it, would copy it:
    /// `MutableState.hasInterceptor` has the figures, 6 retains per request for all such flags.
    let hasTarget: Bool
    /// Whether the URL may be a `file:` or `data:` URL, which needs no connection.
    let mayBeLocal: Bool
    /// Whether requests may share what is derived from the URL. It is not kept if it has user information, which may be
    /// a password.
    let isShared: Bool
    /// The head of a `GET` without header fields.
    let head: HTTPRequest
    /// The user information of the URL.
    let userInformation: UserInformation?

    private init(_ url: URL) {
        self.url = url
        target = RequestTarget(url.absoluteString)
        hasTarget = target != nil
        mayBeLocal = target == nil || target?.scheme == "file"
        userInformation = target?.userInformation
        isShared = hasTarget && userInformation == nil
        head = HTTPRequest(method: .get, scheme: target?.scheme, authority: target?.authority, path: target?.path)
    }

    // MARK: Recent URLs

    private struct Memory {
        var last: (text: String, known: KnownURL)?
        var byText: [String: KnownURL] = [:]
    }

    private static let capacity = 64
    private static let longest = 512

    // Guards the URLs of recent requests.
    private static let memory = Mutex(Memory())

    /// Returns the parsed URL of `text`, or `nil` if it is not a URL.
    static func find(_ text: String) -> KnownURL? {
        find(text) { URL(string: text) }
    }

    /// Returns the parsed form of `url`.
    static func find(_ url: URL) -> KnownURL? {
        find(url.absoluteString) { url }
    }

    private static func find(_ text: String, _ makeURL: () -> URL?) -> KnownURL? {
        if let known = recall(text) { return known }
        guard let known = makeURL().map(KnownURL.init) else { return nil }
        // A URL with a password is not kept.
        guard text.utf8.count <= longest, !text.utf8.contains(UInt8(ascii: "@")) else { return known }
        memory.withLock { memory in
            if memory.byText.count >= capacity { memory.byText.removeAll(keepingCapacity: true) }
            memory.byText[text] = known
            memory.last = (text, known)
        }
        return known
    }

    private static func recall(_ text: String) -> KnownURL? {
        memory.withLock { memory in
            if let last = memory.last, last.text == text { return last.known }
            guard let known = memory.byText[text] else { return nil }
            memory.last = (text, known)
            return known
        }
    }
}
