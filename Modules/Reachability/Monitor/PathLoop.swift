internal import CNetlink
internal import Glibc

/// The loop of the watching thread.
///
/// A single change is reported immediately. During a burst of changes, one path is reported for each `debounce`:
/// until it has passed, the socket is not read. The kernel's queue holds the events, and if it overflows,
/// all tables are read again.
struct PathLoop: ~Copyable {
    private var reader: PathReader
    private let resolverWatch = ResolverWatch()
    private let host: HostResolver?
    private var metered: MeteredWatch
    private let wake: WakeUp
    private let isStopped: Flag
    private let debounce: Int64
    private let update: NetworkPathWatch.Update

    /// The last path that was reported.
    private var last: NetworkPath?
    /// The last path, whether reported or held until the host's addresses are known.
    private var seen: NetworkPath?
    /// Whether an event has arrived since the last path.
    private var isDirty = true
    /// The earliest time of the next report, in nanoseconds of the monotonic clock.
    private var nextTurn: Int64 = 0
    /// The time of the next lookup of a name that was not found; `nil` for none.
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
        // At most a minute: with a longer interval the monitor would miss outages. `components` traps for huge
        // durations.
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

    /// Reads the events, and reports the path if it differs.
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
        // A changed path may change the host's addresses too, and outdates a failed lookup.
        let isNew = path.withoutHost != seen?.withoutHost
        if seen != nil, isNew {
            host?.refresh(forgetsFailure: true)
            metered.networkChanged(at: now)
        }
        seen = path
        // Wait for the lookup: a path with `hostNotFound` would be wrong. Without a route, the path says so
        // immediately.
        let mustWait = answer == .unknown || (isNew && host?.answer == .unknown)
        if mustWait, path.reason == .hostNotFound { return }
        planLookup(path)
        guard path != last, !isStopped.isRaised else { return }
        last = path
        update(.success(path))
    }

    /// A name is often looked up before the name server can be reached: repeat the lookup while it fails.
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
        // During the pause the thread polls only the wake-up.
        var descriptors = [pollfd(fd: wake.descriptor, events: Int16(POLLIN), revents: 0)]
        if !rests {
            descriptors.append(pollfd(fd: reader.descriptor, events: Int16(POLLIN), revents: 0))
            descriptors.append(pollfd(fd: resolverWatch.descriptor, events: Int16(POLLIN), revents: 0))
            descriptors += metered.descriptors
        }
        let instants = [rests || isDirty ? nextTurn : nil, nextLookup, rests ? nil : metered.nextAttempt]
        let timeout = Self.timeout(until: instants, now: now)
        let count = poll(&descriptors, nfds_t(descriptors.count), timeout)
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

    /// Returns the milliseconds until the earliest of `instants`; -1, without a limit, if there is none.
    private static func timeout(until instants: [Int64?], now: Int64) -> Int32 {
        guard let first = instants.compactMap(\.self).min() else { return -1 }
        // Rounded up, so that the thread does not wake just before the time and wait again.
        return Int32(clamping: (max(0, first - now) + 999_999) / 1_000_000)
    }

    /// Reads events until none has arrived for a millisecond, for at most four: one change causes several events, and
    /// the path between the first and the last is inconsistent.
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
    /// The part of the path that does not depend on the host.
    fileprivate var withoutHost: [AnyHashable] { [interfaces, defaultRoutes, dnsServers, supportsIPv4, supportsIPv6] }
}
