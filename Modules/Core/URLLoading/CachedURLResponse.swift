public import Foundation

/// A response on its way into a cache.
public final class CachedURLResponse: Sendable {
    /// Where a response may be kept.
    public enum StoragePolicy: UInt, Sendable, Hashable {
        /// Anywhere.
        case allowed = 0
        /// In memory, not on disk.
        case allowedInMemoryOnly = 1
        /// Nowhere.
        case notAllowed = 2
    }

    /// The response.
    public let response: URLResponse
    /// Its body.
    public let data: Data
    /// What its keeper wants to keep beside it.
    public let userInfo: [String: any Sendable]?
    /// Where it may be kept.
    public let storagePolicy: StoragePolicy

    /// Puts a response together with its body.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - data: Its body.
    ///   - userInfo: What to keep beside it.
    ///   - storagePolicy: Where it may be kept.
    public init(
        response: URLResponse,
        data: Data,
        userInfo: [String: any Sendable]? = nil,
        storagePolicy: StoragePolicy = .allowed
    ) {
        self.response = response
        self.data = data
        self.userInfo = userInfo
        self.storagePolicy = storagePolicy
    }
}

extension CachedURLResponse: Hashable {
    /// Whether response, body and storage policy are the same. What is kept beside them cannot be compared.
    public static func == (left: CachedURLResponse, right: CachedURLResponse) -> Bool {
        left === right
            || (left.response == right.response && left.data == right.data && left.storagePolicy == right.storagePolicy)
    }

    /// Hashes the response and its body.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(response)
        hasher.combine(data)
    }
}
