internal import Synchronization

/// The alarms of a reactor: a binary heap, the earliest first.
final class AlarmHeap: Sendable {
    private struct Entry {
        var time: Int64
        let alarm: Alarm
    }

    // Guards the entries, and the indices that alarms have in them.
    private let entries = Mutex<[Entry]>([])
    /// Called after an alarm has become the first.
    private let firstHasChanged: @Sendable () -> Void

    init(firstHasChanged: @escaping @Sendable () -> Void) { self.firstHasChanged = firstHasChanged }

    /// When the first alarm is due; `.max` for never. A copy that can be read without the lock.
    private let first = Atomic<Int64>(.max)

    /// When the first alarm is due; `.max` for never.
    var earliest: Int64 { first.load(ordering: .sequentiallyConsistent) }

    /// Inserts `alarm`, or moves it to an earlier time.
    func enter(_ alarm: Alarm, for time: Int64) {
        let isFirst = entries.withLock { entries in
            guard time < alarm.entered.load(ordering: .sequentiallyConsistent) else { return false }
            alarm.entered.store(time, ordering: .sequentiallyConsistent)
            var place = alarm.place.load(ordering: .relaxed)
            if place < 0 {
                place = entries.count
                entries.append(Entry(time: time, alarm: alarm))
            } else {
                entries[place].time = time
            }
            defer { note(entries) }
            return Self.rise(place, &entries) == 0
        }
        if isFirst { firstHasChanged() }
    }

    /// Removes `alarm`.
    func remove(_ alarm: Alarm) {
        entries.withLock { entries in
            let place = alarm.place.load(ordering: .relaxed)
            if place >= 0 { Self.remove(place, &entries) }
            note(entries)
        }
    }

    /// Fires each alarm that is due at `now` once. An alarm that an action sets to the past fires at the next call, so
    /// that it cannot keep the reactor's thread from its poll.
    func ring(at now: Int64) {
        // An earlier action may have cancelled or postponed a later alarm.
        for alarm in takeDue(at: now) where alarm.nextDue <= now { alarm.ring() }
    }

    private func takeDue(at now: Int64) -> [Alarm] {
        entries.withLock { entries in
            defer { note(entries) }
            var due: [Alarm] = []
            while let alarm = Self.popDue(at: now, &entries) { due.append(alarm) }
            return due
        }
    }

    private func note(_ entries: [Entry]) {
        first.store(entries.first?.time ?? .max, ordering: .sequentiallyConsistent)
    }

    /// Removes and returns the first alarm that is due at `now`. Alarms that were set to a later time are inserted
    /// again.
    private static func popDue(at now: Int64, _ entries: inout [Entry]) -> Alarm? {
        while let first = entries.first, first.time <= now {
            remove(0, &entries)
            let due = first.alarm.nextDue
            guard due > now else { return first.alarm }
            guard due != .max else { continue }
            first.alarm.entered.store(due, ordering: .sequentiallyConsistent)
            entries.append(Entry(time: due, alarm: first.alarm))
            rise(entries.count - 1, &entries)
        }
        return nil
    }

    private static func remove(_ place: Int, _ entries: inout [Entry]) {
        guard let last = entries.popLast() else { return }
        let removed = place < entries.count ? entries[place].alarm : last.alarm
        removed.place.store(-1, ordering: .relaxed)
        removed.entered.store(.max, ordering: .sequentiallyConsistent)
        guard place < entries.count else { return }
        entries[place] = last
        if rise(place, &entries) == place { sink(place, &entries) }
    }

    @discardableResult
    private static func rise(_ start: Int, _ entries: inout [Entry]) -> Int {
        var child = start
        while child > 0 {
            let parent = (child - 1) / 2
            guard entries[child].time < entries[parent].time else { break }
            entries.swapAt(child, parent)
            entries[child].alarm.place.store(child, ordering: .relaxed)
            child = parent
        }
        entries[child].alarm.place.store(child, ordering: .relaxed)
        return child
    }

    private static func sink(_ start: Int, _ entries: inout [Entry]) {
        var parent = start
        while true {
            let left = 2 * parent + 1
            guard left < entries.count else { break }
            let right = left + 1
            let child = right < entries.count && entries[right].time < entries[left].time ? right : left
            guard entries[child].time < entries[parent].time else { break }
            entries.swapAt(child, parent)
            entries[parent].alarm.place.store(parent, ordering: .relaxed)
            parent = child
        }
        entries[parent].alarm.place.store(parent, ordering: .relaxed)
    }
}
