/// The instants at which transfers are to be checked: a binary heap, the earliest first.
///
/// An entry is only a hint. When it is due, the engine checks the transfer's limits and inserts it again if it is too
/// early. Limits that move with every byte therefore cost nothing while bytes flow.
struct TimerQueue {
    struct Entry {
        let due: Int64
        let exchange: ExchangeID
    }

    private var heap: [Entry] = []

    /// The earliest instant, in nanoseconds of the system's monotonic clock.
    var earliest: Int64? { heap.first?.due }

    mutating func insert(_ entry: Entry) {
        heap.append(entry)
        var child = heap.count - 1
        while child > 0 {
            let parent = (child - 1) / 2
            guard heap[child].due < heap[parent].due else { return }
            heap.swapAt(child, parent)
            child = parent
        }
    }

    /// Removes and returns the earliest entry that is due at `now`.
    mutating func popDue(at now: Int64) -> ExchangeID? {
        guard let first = heap.first, first.due <= now, let last = heap.popLast() else { return nil }
        if !heap.isEmpty {
            heap[0] = last
            sink()
        }
        return first.exchange
    }

    /// Removes all entries, when nothing is in flight.
    mutating func removeAll() { heap.removeAll(keepingCapacity: true) }

    private mutating func sink() {
        var parent = 0
        while true {
            let left = 2 * parent + 1
            guard left < heap.count else { return }
            let right = left + 1
            let child = right < heap.count && heap[right].due < heap[left].due ? right : left
            guard heap[child].due < heap[parent].due else { return }
            heap.swapAt(child, parent)
            parent = child
        }
    }
}
