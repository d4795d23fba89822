public import AirframeTransport
public import FoundationEssentials
public import HTTPTypes

/// A request's own word on what a cache keeps of its response.
///
/// A layer that caches reads the value of a request whose response it is about to keep, and asks it first: what it returns
/// is kept, and nothing for `nil`. Without a value the layer decides by itself.
public enum CacheDecision: TransportRequestKey {
    /// Decides on one response.
    public typealias Value = (@Sendable (CacheableResponse) async -> CacheableResponse?)?
    /// No word: the layer decides.
    public static var defaultValue: Value { nil }
}

/// A response on its way into a cache, whole.
public struct CacheableResponse: Sendable {
    /// Where a response may be kept.
    public enum Storage: Sendable, Hashable {
        /// Anywhere.
        case anywhere
        /// In memory, not on disk.
        case memory
        /// Nowhere.
        case nowhere
    }

    /// The request that the response answers.
    public let request: HTTPRequest
    /// Status and header fields.
    public var head: HTTPResponse
    /// The body.
    public var data: Data
    /// Where it may be kept.
    public var storage: Storage
    /// What its keeper wants to keep beside it.
    public var userInfo: [String: any Sendable]

    /// Puts a response together.
    ///
    /// - Parameters:
    ///   - head: Status and header fields.
    ///   - data: The body.
    ///   - request: The request that the response answers.
    ///   - storage: Where it may be kept.
    ///   - userInfo: What to keep beside it.
    public init(
        head: HTTPResponse,
        data: Data,
        answering request: HTTPRequest,
        storage: Storage = .anywhere,
        userInfo: [String: any Sendable] = [:]
    ) {
        self.request = request
        self.head = head
        self.data = data
        self.storage = storage
        self.userInfo = userInfo
    }
}
