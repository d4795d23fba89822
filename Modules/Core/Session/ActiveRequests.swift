internal import Synchronization

/// The requests of a session that have not finished.
///
/// Each keeps the number of its place, so that letting it go takes no search and no hash.
package final class ActiveRequests: Sendable {
    private struct Places {
        var requests: [Request?] = []
        var free: [Int] = []
        /// Whether the session is gone: no request can be made any more.
        var isClosed = false
    }

    // Nothing is called while it is held.
    private let places = Mutex(Places())

    init() {}

    /// All of them.
    var all: Set<Request> { places.withLock { Set($0.requests.lazy.compactMap(\.self)) } }

    /// Whether the session is gone.
    var isClosed: Bool { places.withLock { $0.isClosed } }

    /// Takes `request` in.
    func insert(_ request: Request) {
        let place = places.withLock { places in
            guard let place = places.free.popLast() else {
                places.requests.append(request)
                return places.requests.count - 1
            }
            places.requests[place] = request
            return place
        }
        request.place.store(place, ordering: .relaxed)
    }

    /// Lets `request` go, if it is there.
    func remove(_ request: Request) {
        let place = request.place.exchange(Request.noPlace, ordering: .relaxed)
        guard place != Request.noPlace else { return }
        // Freed without the lock, should this be the last who knows it.
        _ = places.withLock { places in
            guard place < places.requests.count else { return nil as Request? }
            places.free.append(place)
            return places.requests[place].take()
        }
    }

    /// Notes that the session is gone, and returns the requests that it leaves behind. They are no longer held here: they
    /// hold what holds this.
    func close() -> [Request] {
        let requests = places.withLock { places in
            defer { places = Places(isClosed: true) }
            return places.requests
        }
        return requests.compactMap(\.self)
    }
}
