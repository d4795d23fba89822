internal import AirframeTransport
internal import Synchronization

/// Credentials by protection space, for sessions whose configuration has the storage.
///
/// A request without a credential of its own uses the storage's default credential for its server. Credentials are kept
/// in memory and never written to disk, regardless of their persistence.
public final class URLCredentialStorage: Sendable {
    /// The storage that default configurations share. Initially empty.
    public static let shared = URLCredentialStorage()

    private struct Space {
        var credentials: [String: URLCredential] = [:]
        var `default`: URLCredential?
    }

    // Guards all credentials.
    private let spaces = Mutex<[URLProtectionSpace: Space]>([:])
    /// Whether a credential was ever stored. Each request checks this, and most storages are empty.
    private let isUsed = Atomic(false)

    /// Creates an empty storage.
    public init() {}

    /// Returns the credentials of a protection space by user name.
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

    /// Returns the credential for requests to a protection space.
    public func defaultCredential(for space: URLProtectionSpace) -> URLCredential? {
        spaces.withLock { $0[space]?.default }
    }

    /// Sets the credential for requests to a protection space.
    public func setDefaultCredential(_ credential: URLCredential, for space: URLProtectionSpace) {
        set(credential, for: space)
        spaces.withLock { $0[space, default: Space()].default = credential }
    }

    var mayHaveCredentials: Bool { isUsed.load(ordering: .acquiring) }

    /// Returns the default credential for a server if there is exactly one: the realm is unknown before the challenge.
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
