internal import Synchronization

/// The requests of a session that have not finished.
///
/// Each request stores its index, so that its removal takes no search and no hash.
package final class ActiveRequests: Sendable {
    private struct Places {
        var requests: [Request?] = []
        var free: [Int] = []
        /// Whether the session was released, so that no request can be made.
        var isClosed = false
    }

    // Guards the requests; nothing is called while it is held.
    private let places = Mutex(Places())

    init() {}

    /// All active requests.
    var all: Set<Request> { places.withLock { Set($0.requests.lazy.compactMap(\.self)) } }

    /// Whether no request is active.
    var isEmpty: Bool { places.withLock { $0.requests.count == $0.free.count } }

    /// Whether the session was released.
    var isClosed: Bool { places.withLock { $0.isClosed } }

    /// Adds `request`. Returns `false` if the session was released.
    @discardableResult
    func insert(_ request: Request) -> Bool {
        places.withLock { places in
            guard !places.isClosed else { return false }
            let place = places.free.popLast() ?? places.requests.count
            if place < places.requests.count {
                places.requests[place] = request
            } else {
                places.requests.append(request)
            }
            // Within the lock: another thread may find the request and remove it as soon as the lock is released.
            request.place.store(place, ordering: .relaxed)
            return true
        }
    }

    /// Removes `request`, if it is there.
    func remove(_ request: Request) {
        let place = request.place.exchange(Request.noPlace, ordering: .relaxed)
        guard place != Request.noPlace else { return }
        // The last reference may be this one: it is released without the lock.
        _ = places.withLock { places in
            guard place < places.requests.count else { return nil as Request? }
            places.free.append(place)
            return places.requests[place].take()
        }
    }

    /// Records that the session was released, and removes and returns the remaining requests. They retain the context
    /// that retains this object, so that a cycle would remain otherwise.
    func close() -> [Request] {
        let requests = places.withLock { places in
            defer { places = Places(isClosed: true) }
            return places.requests
        }
        return requests.compactMap(\.self)
    }
}
