internal import AirframeTransport
public import FoundationEssentials
internal import Synchronization

/// The cookies of sessions, with Foundation's spelling over a ``CookieJar``.
///
/// Sessions with a default configuration use ``shared``, as on Apple's platforms; each ephemeral configuration has its
/// own storage. A program that acts for several users needs a storage for each user.
///
/// ```swift
/// let storage = HTTPCookieStorage(jar: try CookieJar(file: "cookies.json"))
/// ```
public final class HTTPCookieStorage: Sendable {
    /// The storage of default configurations, in memory.
    public static let shared = HTTPCookieStorage()

    /// The cookies.
    public let jar: CookieJar

    private let policy = Atomic<UInt>(HTTPCookie.AcceptPolicy.always.rawValue)

    /// Creates a storage.
    ///
    /// - Parameter jar: The cookies, by default a new jar in memory.
    public init(jar: CookieJar = CookieJar()) { self.jar = jar }

    /// The cookies that are accepted; all by default. The stricter of this policy and the session's applies.
    public var cookieAcceptPolicy: HTTPCookie.AcceptPolicy {
        get { HTTPCookie.AcceptPolicy(rawValue: policy.load(ordering: .relaxed)) ?? .always }
        set { policy.store(newValue.rawValue, ordering: .relaxed) }
    }

    /// All cookies.
    public var cookies: [HTTPCookie]? { jar.cookies }

    /// The changes from now on.
    public var changes: AsyncStream<CookieChange> { jar.changes }

    /// Returns the cookies for a request for `url`, in the order of the `Cookie` field.
    public func cookies(for url: URL) -> [HTTPCookie]? { jar.cookies(for: url) }

    /// Stores a cookie, unless the policy accepts none.
    public func setCookie(_ cookie: HTTPCookie) {
        guard cookieAcceptPolicy != .never else { return }
        jar.insert(cookie)
    }

    /// Stores the cookies of a response from `url` that the policy accepts.
    ///
    /// - Parameters:
    ///   - cookies: The cookies.
    ///   - url: The URL of the response.
    ///   - mainDocumentURL: The document that the request belonged to.
    public func setCookies(_ cookies: [HTTPCookie], for url: URL?, mainDocumentURL: URL?) {
        switch cookieAcceptPolicy {
        case .never: return
        case .always: break
        case .onlyFromMainDocumentDomain:
            guard let document = mainDocumentURL else { break }
            guard let url, var request = CookieRequest(url: url), let host = document.host(percentEncoded: false) else {
                return
            }
            request.firstParty = .init(scheme: document.scheme ?? "http", host: host)
            guard request.isOfFirstPartyDomain else { return }
        }
        for cookie in cookies { jar.insert(cookie) }
    }

    /// Removes a cookie.
    public func deleteCookie(_ cookie: HTTPCookie) { jar.remove(cookie) }

    /// Removes the cookies that were first stored at `date` or later.
    public func removeCookies(since date: Date) { jar.removeAll { $0.creationDate >= date } }
}

extension HTTPCookieStorage: CustomStringConvertible {
    /// The number of cookies.
    public var description: String { "cookie storage with \(jar.cookies.count) cookies" }
}

extension HTTPCookie.AcceptPolicy {
    /// The stricter of two policies.
    func stricter(_ other: Self) -> Self {
        if self == .never || other == .never { return .never }
        return self == .always ? other : self
    }
}
