internal import FoundationEssentials
internal import HTTPTypes

/// The state of reading a response's body.
///
/// It protects sources from concurrent readers and from readers after the end.
enum ResponseBodyState {
    /// All bytes are in memory and unread.
    case whole(Data, trailers: HTTPFields?)
    /// The source may have more; no reader waits.
    case idle
    /// A reader waits for the source.
    case reading
    /// The body is complete.
    case ended(trailers: HTTPFields?)
    /// The body failed.
    case failed(TransportError)

    /// A result that needs no call of the source.
    struct Known {
        let data: Data?
    }

    /// Returns the next result if it needs no call of the source.
    mutating func takeKnown() -> Known? {
        switch self {
        case .whole(let data, let trailers):
            self = .ended(trailers: trailers)
            return Known(data: data)
        case .ended: return Known(data: nil)
        case .idle, .reading, .failed: return nil
        }
    }

    /// Returns all bytes if they are in memory.
    ///
    /// - Parameters:
    ///   - limit: The maximum number of bytes.
    ///   - error: The error of a body with more bytes. Evaluated only for such a body, which then fails.
    mutating func takeWhole(
        upTo limit: Int,
        else error: @autoclosure () -> TransportError
    ) throws(TransportError) -> Data? {
        guard case .whole(let data, let trailers) = self else { return nil }
        guard data.count <= limit else {
            let failure = error()
            self = .failed(failure)
            throw failure
        }
        self = .ended(trailers: trailers)
        return data
    }

    /// Begins a read: returns its result, or `nil` if the reader has to call the source.
    mutating func begin() throws(TransportError) -> Known? {
        switch self {
        case .whole(let data, let trailers):
            self = .ended(trailers: trailers)
            return Known(data: data)
        case .idle:
            self = .reading
            return nil
        case .reading:
            throw TransportError(
                .bodyInUse,
                phase: .responseBody,
                processing: .unknown,
                message: "two readers read the response's body concurrently; it supports one at a time"
            )
        case .ended: return Known(data: nil)
        case .failed(let error): throw error
        }
    }

    /// Ends a read that returned bytes. Throws if the body was cancelled during it.
    mutating func pause() throws(TransportError) {
        if case .failed(let error) = self { throw error }
        self = .idle
    }

    /// Ends a read that reached the end. Throws if the body was cancelled during it: then the end is not the body's.
    mutating func finish(trailers: HTTPFields?) throws(TransportError) {
        if case .failed(let error) = self { throw error }
        self = .ended(trailers: trailers)
    }

    /// Ends a read that threw.
    mutating func fail(_ error: TransportError) {
        if case .reading = self { self = .failed(error) }
    }

    /// Discards the unread part. Returns whether the source must be cancelled.
    mutating func giveUp(_ error: @autoclosure () -> TransportError) -> Bool {
        switch self {
        case .idle, .reading:
            self = .failed(error())
            return true
        case .whole:
            self = .failed(error())
            return false
        case .ended, .failed: return false
        }
    }
}
