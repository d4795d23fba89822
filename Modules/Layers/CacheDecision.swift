public import AirframeTransport
public import FoundationEssentials
public import HTTPTypes

/// The key of a request's decision on what a cache stores of its response.
///
/// A cache layer calls the closure before it stores the response. The layer stores the response that the closure
/// returns, and nothing for `nil`. Without a closure the layer decides.
public enum CacheDecision: TransportRequestKey {
    /// Decides on one response.
    public typealias Value = (@Sendable (CacheableResponse) async -> CacheableResponse?)?
    /// No decision: the layer decides.
    public static var defaultValue: Value { nil }
}

/// A complete response that a cache is about to store.
public struct CacheableResponse: Sendable {
    /// The stores that may keep a response.
    public enum Storage: Sendable, Hashable {
        /// All stores.
        case anywhere
        /// Stores in memory only.
        case memory
        /// No store.
        case nowhere
    }

    /// The request that the response answers.
    public let request: HTTPRequest
    /// Status and header fields.
    public var head: HTTPResponse
    /// The body.
    public var data: Data
    /// The stores that may keep it.
    public var storage: Storage
    /// Additional values to store with it.
    public var userInfo: [String: any Sendable]

    /// Creates a response.
    ///
    /// - Parameters:
    ///   - head: Status and header fields.
    ///   - data: The body.
    ///   - request: The request that the response answers.
    ///   - storage: The stores that may keep it.
    ///   - userInfo: Additional values to store with it.
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
