internal import Synchronization

extension Request {
    /// A change of a request's state that is reported to the monitors.
    struct Announcement {
        enum Change {
            case resumed
            case suspended
            case cancelled
            /// A task was created for a request that is not resumed.
            case created(isSuspended: Bool)
        }

        let change: Change
        /// The task that changed with the request, unless there was none or it had ended.
        let task: URLSessionTask?
    }

    /// The queue of announcements. One thread at a time makes them, in the order of the changes: the first to enqueue
    /// one makes it, and those that others enqueue meanwhile. The pipeline reports no end while the queue is not empty,
    /// so that monitors learn of a cancellation before its consequences.
    enum Announcements {
        case none
        /// Announcements are being made; `next` follow. The pipeline may wait for the last one.
        case underWay(next: [Announcement], waiter: Waiter?)

        /// The next step of the thread that makes announcements.
        enum Next {
            case announce(Announcement)
            case end(waiter: Waiter?)
        }

        var isNone: Bool { if case .none = self { true } else { false } }

        /// Returns whether the caller has to make the announcement. Otherwise the thread that is making others does.
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

        /// Registers a waiter. Returns whether there is something to wait for.
        mutating func wait(_ waiter: Waiter) -> Bool {
            guard case .underWay(let next, nil) = self else { return false }
            self = .underWay(next: next, waiter: waiter)
            return true
        }
    }

    /// Reports `announcement` to monitors, and those that are enqueued meanwhile.
    func announce(_ announcement: Announcement) {
        var announcement = announcement
        while true {
            report(announcement)
            switch mutable.withLock({ $0.announcements.next() }) {
            case .announce(let next): announcement = next
            case .end(let waiter):
                waiter?.resume()
                return
            }
        }
    }

    private func report(_ announcement: Announcement) {
        let monitor = monitors
        switch announcement.change {
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
        switch announcement.change {
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

    /// Whether monitors have not been notified of every change that users made.
    var isAnnouncing: Bool { mutable.withLock { !$0.announcements.isNone } }

    /// Waits until monitors have been notified of every change that users made before now.
    @inline(__always)
    func announcementsDelivered() async {
        if isAnnouncing { await waitForAnnouncements() }
    }

    // Not inlined, like every wait that few attempts need: the size of the continuation is known only at run time, and
    // each attempt would allocate it.
    @inline(never)
    private func waitForAnnouncements() async {
        await withCheckedContinuation { continuation in
            let waiter = Waiter(continuation)
            let mustWait = mutable.withLock { $0.announcements.wait(waiter) }
            if !mustWait { waiter.resume() }
        }
    }
}
