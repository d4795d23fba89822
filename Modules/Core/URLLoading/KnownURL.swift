internal import Foundation
internal import HTTPTypes
internal import Synchronization

/// A URL that requests are made for, taken apart once.
///
/// Programs ask the same places again and again: parsing the text and making the head of it costs as much as sending a
/// small request. Immutable, and shared by all requests for the URL.
final class KnownURL: Sendable {
    let url: URL
    /// Where a request for it goes; `nil` when it names no host that can be connected to.
    let target: RequestTarget?
    /// Whether it names one. Beside the target, because asking an optional copies it.
    let hasTarget: Bool
    /// Whether it may be a `file:` or `data:` URL, which needs no connection.
    let mayBeLocal: Bool
    /// The head of a `GET` without header fields.
    let head: HTTPRequest
    /// What stands before an `@` in the URL: beside the target, because copying that costs more than looking here.
    let userInformation: UserInformation?

    private init(_ url: URL) {
        self.url = url
        target = RequestTarget(url.absoluteString)
        hasTarget = target != nil
        mayBeLocal = target == nil || target?.scheme == "file"
        userInformation = target?.userInformation
        head = HTTPRequest(method: .get, scheme: target?.scheme, authority: target?.authority, path: target?.path)
    }

    // MARK: The URLs of late

    private struct Memory {
        var last: (text: String, known: KnownURL)?
        var byText: [String: KnownURL] = [:]
    }

    private static let capacity = 64
    private static let longest = 512

    // Guards the URLs that requests were made for lately.
    private static let memory = Mutex(Memory())

    /// The URL that `text` is; `nil` when it is none.
    static func find(_ text: String) -> KnownURL? {
        find(text) { URL(string: text) }
    }

    /// What is known of `url`.
    static func find(_ url: URL) -> KnownURL? {
        find(url.absoluteString) { url }
    }

    private static func find(_ text: String, _ makeURL: () -> URL?) -> KnownURL? {
        if let known = recall(text) { return known }
        guard let known = makeURL().map(KnownURL.init) else { return nil }
        // A password is kept no longer than its request needs it.
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
