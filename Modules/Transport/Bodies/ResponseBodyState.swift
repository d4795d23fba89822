internal import FoundationEssentials
internal import HTTPTypes

/// How far the reading of a response's body has come.
///
/// It keeps a source from what no source has to expect: two readers at once, and a reader after the end.
enum ResponseBodyState {
    /// All bytes are here, and nobody has taken them.
    case whole(Data, trailers: HTTPFields?)
    /// The source has more; nobody waits for it.
    case idle
    /// A reader waits for the source.
    case reading
    /// The body came whole.
    case ended(trailers: HTTPFields?)
    /// The body broke off.
    case failed(TransportError)

    /// What a reader gets without asking the source.
    struct Known {
        let data: Data?
    }

    /// What a reader gets who does not want to ask the source; `nil` when it would have to.
    mutating func takeKnown() -> Known? {
        switch self {
        case .whole(let data, let trailers):
            self = .ended(trailers: trailers)
            return Known(data: data)
        case .ended: return Known(data: nil)
        case .idle, .reading, .failed: return nil
        }
    }

    /// All bytes, if they are here; `nil` when nobody knows yet.
    mutating func takeWhole() -> Data? {
        guard case .whole(let data, let trailers) = self else { return nil }
        self = .ended(trailers: trailers)
        return data
    }

    /// A reader comes: returns what it gets, or `nil` when it has to ask the source.
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
                message: "two readers asked for the response's body at once; it has one reader at a time"
            )
        case .ended: return Known(data: nil)
        case .failed(let error): throw error
        }
    }

    /// The reader got bytes. Fails when the body was given up while it waited.
    mutating func pause() throws(TransportError) {
        if case .failed(let error) = self { throw error }
        self = .idle
    }

    /// The reader got the end. Fails when the body was given up while it waited: then this is not the body's own end.
    mutating func finish(trailers: HTTPFields?) throws(TransportError) {
        if case .failed(let error) = self { throw error }
        self = .ended(trailers: trailers)
    }

    /// The reader got an error.
    mutating func fail(_ error: TransportError) {
        if case .reading = self { self = .failed(error) }
    }

    /// The caller gives up what is left. Returns whether the source has to be told.
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
