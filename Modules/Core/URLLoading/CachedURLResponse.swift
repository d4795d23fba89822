public import Foundation

/// A response and its body, to be cached.
public final class CachedURLResponse: Sendable {
    /// The places in which a response may be stored.
    public enum StoragePolicy: UInt, Sendable, Hashable {
        /// Anywhere.
        case allowed = 0
        /// In memory only.
        case allowedInMemoryOnly = 1
        /// Nowhere.
        case notAllowed = 2
    }

    /// The response.
    public let response: URLResponse
    /// Its body.
    public let data: Data
    /// The user's values to store with the response.
    public let userInfo: [String: any Sendable]?
    /// The places in which the response may be stored.
    public let storagePolicy: StoragePolicy

    /// Creates a response with its body.
    ///
    /// - Parameters:
    ///   - response: The response.
    ///   - data: Its body.
    ///   - userInfo: The user's values to store with the response.
    ///   - storagePolicy: The places in which the response may be stored.
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
    /// Whether response, body and storage policy are equal. The user's values cannot be compared.
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
