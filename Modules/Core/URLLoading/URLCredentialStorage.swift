internal import AirframeTransport
internal import Synchronization

/// Credentials by protection space, for sessions whose configuration has the storage.
///
/// A request without a credential of its own uses the default credential of the storage for its server. It is kept in
/// memory: nothing is written to disk, whatever a credential's persistence says.
public final class URLCredentialStorage: Sendable {
    /// The storage that default configurations share. Empty at first.
    public static let shared = URLCredentialStorage()

    private struct Space {
        var credentials: [String: URLCredential] = [:]
        var `default`: URLCredential?
    }

    // Guards all credentials.
    private let spaces = Mutex<[URLProtectionSpace: Space]>([:])
    /// Whether any credential was ever stored: most storages have none, and each request asks.
    private let isUsed = Atomic(false)

    /// Makes an empty storage.
    public init() {}

    /// The credentials of a protection space, by the names of their users.
    public func credentials(for space: URLProtectionSpace) -> [String: URLCredential]? {
        spaces.withLock { $0[space]?.credentials }
    }

    /// All credentials.
    public var allCredentials: [URLProtectionSpace: [String: URLCredential]] {
        spaces.withLock { $0.mapValues(\.credentials) }
    }

    /// Stores a credential for a protection space.
    public func set(_ credential: URLCredential, for space: URLProtectionSpace) {
        guard let user = credential.user else { return }
        isUsed.store(true, ordering: .releasing)
        spaces.withLock { $0[space, default: Space()].credentials[user] = credential }
    }

    /// Removes a credential from a protection space.
    public func remove(_ credential: URLCredential, for space: URLProtectionSpace) {
        guard let user = credential.user else { return }
        spaces.withLock { spaces in
            spaces[space]?.credentials[user] = nil
            if spaces[space]?.default?.user == user { spaces[space]?.default = nil }
        }
    }

    /// The credential that requests to a protection space use.
    public func defaultCredential(for space: URLProtectionSpace) -> URLCredential? {
        spaces.withLock { $0[space]?.default }
    }

    /// Sets the credential that requests to a protection space use.
    public func setDefaultCredential(_ credential: URLCredential, for space: URLProtectionSpace) {
        set(credential, for: space)
        spaces.withLock { $0[space, default: Space()].default = credential }
    }

    var mayHaveCredentials: Bool { isUsed.load(ordering: .acquiring) }

    /// The default credential for a server, if there is exactly one: which realm it asks for is known only later.
    func credential(for origin: Origin) -> URLCredential? {
        guard mayHaveCredentials else { return nil }
        let scheme = origin.isSecure ? "https" : "http"
        let candidates = spaces.withLock { spaces in
            Set(
                spaces.compactMap { space, stored in
                    let isServer =
                        HostName.normalized(space.host) == HostName.normalized(origin.host)
                        && space.port == origin.port && (space.protocol ?? scheme) == scheme
                    return isServer ? stored.default : nil
                })
        }
        return candidates.count == 1 ? candidates.first : nil
    }
}

extension URLCredentialStorage: CustomStringConvertible {
    /// The number of protection spaces; no credential.
    public var description: String { "credentials for \(spaces.withLock { $0.count }) protection spaces" }
}
