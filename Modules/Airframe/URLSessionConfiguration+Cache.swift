public import AirframeCache
public import AirframeCore

extension URLSessionConfiguration {
    /// The cache of the session's responses; `nil` for a session that stores none.
    ///
    /// Default configurations share ``URLCache/shared``, which is in memory; ephemeral ones have their own cache,
    /// in memory too. A server that acts for several users needs a cache for each, or none: responses to requests with
    /// `Authorization` are stored separately, but those that depend on a cookie only if their `Vary` field says so.
    ///
    /// A cache that you set also stores responses that are stale when they arrive and cannot be validated, as
    /// Foundation's does. They answer only requests that accept a stale response, such as those with
    /// `returnCacheDataElseLoad` and `returnCacheDataDontLoad`.
    public var urlCache: URLCache? {
        get {
            switch urlCacheState {
            case .shared: .shared
            case .own: ownURLCache(orElse: URLCache(memoryCapacity: 4 << 20, diskCapacity: 0)) as? URLCache
            case .none: nil
            case .object(let cache): cache as? URLCache
            }
        }
        set {
            urlCacheState = newValue.map { .object($0) } ?? .none
            hasChosenURLCache = newValue != nil
        }
    }
}
