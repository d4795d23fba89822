internal import FoundationEssentials
internal import Synchronization

extension CookieJar {
    /// Writes pending changes, and adopts the changes of other processes. Does nothing without pending changes.
    ///
    /// It waits for the disk, and up to ten seconds for other processes. A jar that is released saves by itself.
    ///
    /// - Throws: The store's error. The changes are kept, and the next save tries again.
    public func save() throws {
        guard store != nil, state.withLock({ !$0.unsaved.isEmpty }) else { return }
        try synchronize()
    }

    /// Writes pending changes, and adopts the changes of other processes, even if this jar has not changed.
    ///
    /// - Throws: The store's error. The changes are kept, and the next save tries again.
    public func synchronize() throws {
        guard let store else { return }
        try saving.withLock { _ in
            let unsaved = state.withLock { state in
                defer { state.unsaved = [:] }
                return state.unsaved
            }
            do {
                var merged: [HTTPCookie] = []
                try store.update { stored in
                    merged = Self.merge(unsaved, into: stored)
                    return merged
                }
                adopt(merged)
            } catch {
                state.withLock { $0.unsaved = unsaved.merging($0.unsaved) { $1 } }
                throw error
            }
        }
    }

    private static func merge(
        _ unsaved: [HTTPCookie.Key: HTTPCookie?],
        into stored: [HTTPCookie]
    ) -> [HTTPCookie] {
        let now = Date()
        var merged = stored.filter { unsaved[$0.key] == nil }
        merged += unsaved.values.compactMap(\.self)
        return merged.filter { !$0.isExpired(at: now) }
            .sorted { ($0.creationDate, $0.order) < ($1.creationDate, $1.order) }
    }

    /// Replaces the saved cookies of the jar by those of the store, except for changes since.
    private func adopt(_ stored: [HTTPCookie]) {
        change { state in
            let keys = Set(stored.map(\.key))
            let unsaved = state.unsaved
            let removed = state.table.removeAll { cookie in
                isKept(cookie) && !keys.contains(cookie.key) && unsaved[cookie.key] == nil
            }
            for cookie in removed { notify(.removed(cookie, .byOtherProcess), in: state) }
            for cookie in stored where unsaved[cookie.key] == nil && state.table[cookie.key] != cookie {
                let (stored, replaced) = state.table.insert(cookie)
                notify(.stored(stored, replacing: replaced), in: state)
            }
        }
    }

    /// Schedules a save, one for all changes until then.
    func scheduleSave() {
        guard store != nil, !isSaveScheduled.exchange(true, ordering: .acquiringAndReleasing) else { return }
        Task.detached(priority: .utility) { [weak self] in
            try? await Task.sleep(for: .milliseconds(200))
            self?.isSaveScheduled.store(false, ordering: .releasing)
            try? self?.save()
        }
    }
}
