internal import CNetlink
internal import Glibc

/// What the watching thread does.
///
/// A change that comes alone is told at once. While changes come in a burst, one path is told for each `debounce`:
/// until it has passed, the socket is not even looked at. The kernel's queue holds the events, and should it run over,
/// everything is read anew.
struct PathLoop: ~Copyable {
    private var reader: PathReader
    private let resolverWatch = ResolverWatch()
    private let host: HostResolver?
    private var metered: MeteredWatch
    private let wake: WakeUp
    private let isStopped: Flag
    private let debounce: Int64
    private let update: NetworkPathWatch.Update

    /// The last path that was told.
    private var last: NetworkPath?
    /// The last path that there was, told or held back until the host's addresses are known.
    private var seen: NetworkPath?
    /// Whether something has happened that the last path does not show.
    private var isDirty = true
    /// When the next path may be told, in nanoseconds of the monotonic clock.
    private var nextTurn: Int64 = 0
    /// When a host's name that was not found is looked up again; `nil` while there is no need.
    private var nextLookup: Int64?
    private var lookupPause: Int64 = Self.shortestPause

    private static let shortestPause: Int64 = 1_000_000_000
    private static let longestPause: Int64 = 60_000_000_000

    init(
        _ reader: consuming PathReader,
        host: HostResolver?,
        bus: BusAddress?,
        wake: WakeUp,
        isStopped: Flag,
        debounce: Duration,
        update: @escaping NetworkPathWatch.Update
    ) {
        self.reader = reader
        self.host = host
        metered = MeteredWatch(bus)
        self.wake = wake
        self.isStopped = isStopped
        // At most a minute: a longer one would make the monitor useless. `components` traps for huge durations.
        self.debounce = min(max(Int64(clamping: debounce.attoseconds / 1_000_000_000), 0), 60_000_000_000)
        self.update = update
    }

    mutating func run() {
        do throws(NetworkPathError) {
            host?.refresh()
            while !isStopped.isRaised {
                if isDirty, now >= nextTurn { try turn() }
                try wait()
            }
        } catch {
            if !isStopped.isRaised { update(.failure(error)) }
        }
    }

    /// Reads what is new and tells the path when it differs.
    private mutating func turn() throws(NetworkPathError) {
        isDirty = try !reader.refresh()
        nextTurn = now + debounce
        let answer = host?.answer
        var asked: (String, [IPAddress])?
        if let host {
            if case .addresses(let addresses) = answer {
                asked = (host.name, addresses)
            } else {
                asked = (host.name, [])
            }
        }
        let path = try reader.path(host: asked, metered: metered.table)
        // What changes the path may change the host's addresses too. A failure from before says nothing any more.
        let isNew = path.withoutHost != seen?.withoutHost
        if seen != nil, isNew {
            host?.refresh(forgetsFailure: true)
            metered.networkChanged(at: now)
        }
        seen = path
        // The answer is awaited: a path that says the host is not found would be wrong. Without a way out, that is all
        // there is to tell.
        let mustWait = answer == .unknown || (isNew && host?.answer == .unknown)
        if mustWait, path.reason == .hostNotFound { return }
        planLookup(path)
        guard path != last, !isStopped.isRaised else { return }
        last = path
        update(.success(path))
    }

    /// A name is often asked for before the name server can be reached; while it is not found, it is asked for again.
    private mutating func planLookup(_ path: NetworkPath) {
        guard path.reason == .hostNotFound, path.supportsIPv4 || path.supportsIPv6 else {
            nextLookup = nil
            lookupPause = Self.shortestPause
            return
        }
        guard nextLookup == nil else { return }
        nextLookup = now + lookupPause
        lookupPause = min(lookupPause * 2, Self.longestPause)
    }

    private mutating func wait() throws(NetworkPathError) {
        let rests = now < nextTurn
        // Resting, the thread looks at nothing but the wake-up.
        var descriptors = [pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0)]
        if !rests {
            descriptors.append(pollfd(fd: reader.descriptor, events: Int16(POLLIN), revents: 0))
            descriptors.append(pollfd(fd: resolverWatch.descriptor, events: Int16(POLLIN), revents: 0))
            descriptors += metered.descriptors
        }
        let count = poll(&descriptors, nfds_t(descriptors.count), timeout(rests: rests))
        guard count >= 0 || errno == EINTR else { throw NetworkPathError("wait for network events", code: errno) }
        if let nextLookup, now >= nextLookup {
            self.nextLookup = nil
            host?.refresh()
        }
        if !rests { heedBus(descriptors.dropFirst(3)) }
        guard count > 0 else { return }
        if descriptors[0].revents != 0 {
            wake.clear()
            isDirty = true
        }
        guard !rests else { return }
        if descriptors[1].revents != 0 {
            try settle()
            isDirty = true
        }
        if descriptors[2].revents != 0 {
            resolverWatch.clear()
            isDirty = true
        }
    }

    private mutating func heedBus(_ polled: ArraySlice<pollfd>) {
        let before = metered.table
        metered.proceed(polled, at: now)
        if metered.table != before { isDirty = true }
    }

    private func timeout(rests: Bool) -> Int32 {
        var instants: [Int64] = []
        if rests { instants.append(nextTurn) }
        if isDirty { instants.append(nextTurn) }
        if let nextLookup { instants.append(nextLookup) }
        if !rests, let nextAttempt = metered.nextAttempt { instants.append(nextAttempt) }
        guard let first = instants.min() else { return -1 }
        // Rounded up, or it would wake just before and wait again.
        return Int32(clamping: (max(0, first - now) + 999_999) / 1_000_000)
    }

    /// Takes events until none has come for a millisecond, for four at most: one change makes several events, and the
    /// path between the first and the last never was.
    private mutating func settle() throws(NetworkPathError) {
        let end = now + 4_000_000
        repeat {
            try reader.takeEvents()
            var descriptor = pollfd(fd: reader.descriptor, events: Int16(POLLIN), revents: 0)
            guard poll(&descriptor, 1, 1) > 0 else { return }
        } while now < end
    }

    private var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}

extension NetworkPath {
    /// What of the path does not depend on the host that was asked for.
    fileprivate var withoutHost: [AnyHashable] { [interfaces, defaultRoutes, dnsServers, supportsIPv4, supportsIPv6] }
}
