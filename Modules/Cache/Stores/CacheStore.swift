internal import AirframeTransport
public import FoundationEssentials

/// A place where responses are stored: in memory, on disk, on another machine.
///
/// A store does not implement the rules of HTTP caching. It returns committed responses until they are replaced,
/// removed or evicted. When a store throws a ``CacheStoreError``, the layer treats the request as a miss and reports
/// the error as a decision.
public protocol CacheStore: AnyObject, Sendable {
    /// Returns all responses stored under `key`, in any order.
    ///
    /// - Throws: ``CacheStoreError`` if the store cannot be read. A layer treats the request as a miss.
    func entries(for key: CacheKey) async throws(CacheStoreError) -> [CacheEntry]

    /// Returns the content of a stored response, checked for damage, or `nil` if it is no longer stored.
    ///
    /// - Throws: ``CacheStoreError`` if the store cannot be read. A layer treats the request as a miss.
    func content(of entry: CacheEntry) async throws(CacheStoreError) -> CacheContent?

    /// Begins to store a response.
    ///
    /// - Parameters:
    ///   - entry: The response without its content.
    ///   - expectedLength: The content's length in bytes, if it is known.
    /// - Returns: `nil` if the store rejects content of that length.
    /// - Throws: ``CacheStoreError``. A layer then stores nothing; the request does not fail.
    func writer(for entry: CacheEntry, expectedLength: Int64?) async throws(CacheStoreError) -> (any CacheWriter)?

    /// Replaces the head of the stored response with `entry`'s identifier; does nothing if it is not stored.
    ///
    /// - Throws: ``CacheStoreError`` if the store cannot be changed. The request does not fail.
    func update(_ entry: CacheEntry) async throws(CacheStoreError)

    /// Removes one response.
    ///
    /// - Throws: ``CacheStoreError`` if the store cannot be changed. The request does not fail.
    func remove(_ entry: CacheEntry) async throws(CacheStoreError)

    /// Removes all responses under `key`.
    ///
    /// - Throws: ``CacheStoreError`` if the store cannot be changed. The request does not fail.
    func removeAll(for key: CacheKey) async throws(CacheStoreError)

    /// Removes the responses that were received at `date` or later; all of them for `nil`.
    ///
    /// - Throws: ``CacheStoreError`` if the store cannot be changed.
    func removeAll(since date: Date?) async throws(CacheStoreError)
}

/// A store that looks entries up synchronously, on the caller's thread. A miss then needs no asynchronous call
/// (Docs/Decisions/0114).
protocol ImmediateCacheStore: CacheStore {
    /// All responses stored under `key`, in any order.
    func entriesAtOnce(for key: CacheKey) throws(CacheStoreError) -> [CacheEntry]
}

/// Receives the content of one response while it arrives. A writer that is released without ``commit(_:)`` discards it.
public protocol CacheWriter: AnyObject, Sendable {
    /// Appends the next bytes.
    ///
    /// - Returns: `false` if the content is too large for the store.
    /// - Throws: ``CacheStoreError``. A layer then releases the writer; the reader of the response is not affected.
    func append(_ data: Data) async throws(CacheStoreError) -> Bool

    /// Makes the response visible. It replaces a response with the same key and variant.
    ///
    /// - Parameter entry: The response, with its content's length and trailers.
    /// - Throws: ``CacheStoreError``. The response is then not stored.
    func commit(_ entry: CacheEntry) async throws(CacheStoreError)
}

/// The content of a stored response.
public enum CacheContent: Sendable {
    /// In memory.
    case data(Data)
    /// In a file, starting at `offset`; the file descriptor is closed with the last reference.
    case file(CacheFile, offset: Int64, length: Int64)

    /// The number of bytes.
    public var length: Int64 {
        switch self {
        case .data(let data): Int64(data.count)
        case .file(_, _, let length): length
        }
    }

    /// Reads the whole content into memory.
    ///
    /// - Throws: ``CacheStoreError`` if a file cannot be read, or has been truncated.
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

    /// Returns a part of the content. `range` is within `0..<length`.
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

/// A failed operation of a store.
public struct CacheStoreError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The operation: `read`, `write`, `remove`, ….
    public let action: String
    /// The file or server.
    public let place: String
    /// The error message of the system or the library.
    public let reason: String

    /// Creates a description of a failure.
    ///
    /// - Parameters:
    ///   - action: The operation: `read`, `write`, `remove`, ….
    ///   - place: The file or server.
    ///   - reason: The error message of the system or the library.
    public init(action: String, place: String, reason: String) {
        self.action = action
        self.place = place
        self.reason = reason
    }

    /// `cannot write /var/cache/a: No space left on device`.
    public var description: String { "cannot \(action) \(place): \(reason)" }
}
