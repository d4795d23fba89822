internal import Synchronization

extension Request {
    /// What a user did, on its way to the monitors.
    struct Announcement {
        enum News {
            case resumed
            case suspended
            case cancelled
            /// A task was made for a request that is not resumed.
            case created(isSuspended: Bool)
        }

        let news: News
        /// The task that it happened to as well, if there was one that had not ended.
        let task: URLSessionTask?
    }

    /// The announcements on their way. They are made one after the other, in the order in which things happened, by
    /// whoever came first; and while there are any, the pipeline tells monitors nothing of an end: they hear of a
    /// cancellation before they hear what it brought about.
    enum Announcements {
        case none
        /// Somebody is making announcements; these come next. The pipeline may wait for the last.
        case underWay(next: [Announcement], waiter: Waiter?)

        /// What there is to do for one who has made an announcement.
        enum Next {
            case announce(Announcement)
            case end(waiter: Waiter?)
        }

        var isNone: Bool { if case .none = self { true } else { false } }

        /// Returns whether the caller has to make the announcement; somebody else does otherwise.
        mutating func add(_ announcement: Announcement) -> Bool {
            guard case .underWay(let next, let waiter) = self else {
                self = .underWay(next: [], waiter: nil)
                return true
            }
            self = .underWay(next: next + [announcement], waiter: waiter)
            return false
        }

        mutating func next() -> Next {
            guard case .underWay(let next, let waiter) = self else { return .end(waiter: nil) }
            guard let first = next.first else {
                self = .none
                return .end(waiter: waiter)
            }
            self = .underWay(next: Array(next.dropFirst()), waiter: waiter)
            return .announce(first)
        }

        /// Returns whether there is something to wait for.
        mutating func wait(_ waiter: Waiter) -> Bool {
            guard case .underWay(let next, nil) = self else { return false }
            self = .underWay(next: next, waiter: waiter)
            return true
        }
    }

    /// Tells monitors of `announcement`, and of those that come meanwhile.
    func announce(_ announcement: Announcement) {
        var announcement = announcement
        while true {
            tell(announcement)
            switch mutable.withLock({ $0.announcements.next() }) {
            case .announce(let next): announcement = next
            case .end(let waiter):
                waiter?.resume()
                return
            }
        }
    }

    private func tell(_ announcement: Announcement) {
        let monitor = monitors
        switch announcement.news {
        case .resumed:
            monitor?.requestDidResume(self)
            post(.didResume)
        case .suspended:
            monitor?.requestDidSuspend(self)
            post(.didSuspend)
        case .cancelled:
            monitor?.requestDidCancel(self)
            post(.didCancel)
        case .created: break
        }
        guard let task = announcement.task else { return }
        switch announcement.news {
        case .resumed:
            monitor?.request(self, didResumeTask: task)
            post(.didResumeTask)
        case .suspended:
            monitor?.request(self, didSuspendTask: task)
            post(.didSuspendTask)
        case .cancelled:
            monitor?.request(self, didCancelTask: task)
            post(.didCancelTask)
        case .created(let isSuspended):
            monitor?.request(self, didCreateTask: task)
            guard isSuspended else { return }
            monitor?.request(self, didSuspendTask: task)
            post(.didSuspendTask)
        }
    }

    /// Whether monitors have yet to hear of something that a user did.
    var isAnnouncing: Bool { mutable.withLock { !$0.announcements.isNone } }

    /// Waits until monitors have heard of what users did before now.
    func untilAnnounced() async {
        await withCheckedContinuation { continuation in
            let waiter = Waiter(continuation)
            let mustWait = mutable.withLock { $0.announcements.wait(waiter) }
            if !mustWait { waiter.resume() }
        }
    }
}
