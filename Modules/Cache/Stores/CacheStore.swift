public import FoundationEssentials

/// Where responses are stored: in memory, on disk, on another machine.
///
/// A store neither knows the rules of HTTP caching nor decides anything by them: it returns what was committed until it
/// was replaced, removed or evicted. A store that fails throws a ``CacheStoreError``; the layer then acts as if nothing
/// were stored, and reports the error as a decision.
public protocol CacheStore: AnyObject, Sendable {
    /// All responses stored under `key`, in any order.
    func entries(for key: CacheKey) async throws(CacheStoreError) -> [CacheEntry]

    /// The content of a stored response, checked for damage, or `nil` when it is no longer there.
    func content(of entry: CacheEntry) async throws(CacheStoreError) -> CacheContent?

    /// Begins to store a response.
    ///
    /// - Parameters:
    ///   - entry: The response without its content.
    ///   - expectedLength: The content's length in bytes, if it is known.
    /// - Returns: `nil` when the store does not take content of that length.
    func writer(for entry: CacheEntry, expectedLength: Int64?) async throws(CacheStoreError) -> (any CacheWriter)?

    /// Replaces the head of the stored response with `entry`'s identifier; does nothing when it is not stored.
    func update(_ entry: CacheEntry) async throws(CacheStoreError)

    /// Removes one response.
    func remove(_ entry: CacheEntry) async throws(CacheStoreError)

    /// Removes all responses under `key`.
    func removeAll(for key: CacheKey) async throws(CacheStoreError)

    /// Removes the responses that were received at `date` or later; all of them for `nil`.
    func removeAll(since date: Date?) async throws(CacheStoreError)
}

/// A store that looks entries up without waiting, on the caller's thread: a miss then costs no asynchronous call.
protocol ImmediateCacheStore: CacheStore {
    /// All responses stored under `key`, in any order.
    func entriesAtOnce(for key: CacheKey) throws(CacheStoreError) -> [CacheEntry]
}

/// Takes the content of one response while it arrives. Letting it go without ``commit(_:)`` discards it.
public protocol CacheWriter: AnyObject, Sendable {
    /// Takes the next bytes.
    ///
    /// - Returns: Whether the store still takes the response; `false` when the content has become too large.
    func append(_ data: Data) async throws(CacheStoreError) -> Bool

    /// Makes the response visible, in the place of one with the same key and variant.
    ///
    /// - Parameter entry: The response, with its content's length and trailers.
    func commit(_ entry: CacheEntry) async throws(CacheStoreError)
}

/// The content of a stored response.
public enum CacheContent: Sendable {
    /// In memory.
    case data(Data)
    /// In a file, from `offset` on; the file descriptor is closed with the last reference.
    case file(CacheFile, offset: Int64, length: Int64)

    /// The number of bytes.
    public var length: Int64 {
        switch self {
        case .data(let data): Int64(data.count)
        case .file(_, _, let length): length
        }
    }

    /// The whole content, in memory.
    ///
    /// - Throws: ``CacheStoreError`` when a file cannot be read, or has become shorter.
    public func bytes() throws(CacheStoreError) -> Data {
        switch self {
        case .data(let data): return data
        case .file(let file, let offset, let length):
            let data = try file.read(Int(length), at: offset)
            guard data.count == Int(length) else {
                throw CacheStoreError(action: "read", place: file.path, reason: "the file has become shorter")
            }
            return data
        }
    }

    /// A part of the content. `range` is within `0..<length`.
    func slice(_ range: Range<Int64>) -> CacheContent {
        switch self {
        case .data(let data):
            let start = data.startIndex + Int(range.lowerBound)
            return .data(data[start..<(start + Int(range.upperBound - range.lowerBound))])
        case .file(let file, let offset, _):
            return .file(file, offset: offset + range.lowerBound, length: range.upperBound - range.lowerBound)
        }
    }
}

/// A store that cannot do what it was asked to.
public struct CacheStoreError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What was tried: `read`, `write`, `remove`, ….
    public let action: String
    /// The file or server.
    public let place: String
    /// Why it failed, in the words of the system or the library.
    public let reason: String

    /// Describes a failure.
    public init(action: String, place: String, reason: String) {
        self.action = action
        self.place = place
        self.reason = reason
    }

    /// `cannot write /var/cache/a: No space left on device`.
    public var description: String { "cannot \(action) \(place): \(reason)" }
}
