internal import CNetlink
internal import Glibc

/// Runs the conversation with NetworkManager while there is a bus: connects, reads, writes, reconnects. It
/// never blocks; the thread that watches the kernel polls its descriptors too.
///
/// Without a bus, it does nothing until one appears in its folder or the network changes.
struct MeteredWatch: ~Copyable {
    private let address: BusAddress?
    private let userID: UInt32
    private var socket: Int32 = -1
    private var folder: Int32 = -1
    private var conversation: MeteredConversation
    private var failures = 0
    /// The time of the next attempt to connect, in nanoseconds of the monotonic clock; `nil` for none.
    private(set) var nextAttempt: Int64?

    /// A starting bus binds its socket a little before it listens, so one or two attempts fail. More mean that
    /// no bus runs.
    private static let mostFailures = 6
    private static let pause: Int64 = 50_000_000

    /// - Parameter address: The address of the bus; `nil` for none.
    init(_ address: BusAddress?) {
        self.address = address
        userID = geteuid()
        conversation = MeteredConversation(userID: userID)
        guard address != nil else { return }
        watchFolder()
        connect(at: 0)
    }

    deinit {
        if socket >= 0 { close(socket) }
        if folder >= 0 { close(folder) }
    }

    /// The values of NetworkManager.
    var table: MeteredTable { socket >= 0 ? conversation.table : MeteredTable() }

    /// Whether no answer is outstanding.
    var isSettled: Bool { socket < 0 || conversation.isComplete }

    /// For `poll`: the connection and the watch of the socket's folder; -1 for none.
    var descriptors: [pollfd] {
        let wantsToWrite = !conversation.outgoing.isEmpty
        return [
            pollfd(fd: socket, events: Int16(POLLIN) | (wantsToWrite ? Int16(POLLOUT) : 0), revents: 0),
            pollfd(fd: folder, events: Int16(POLLIN), revents: 0),
        ]
    }

    /// Handles the descriptors that `poll` marked, and the timers.
    mutating func proceed(_ polled: some Collection<pollfd>, at now: Int64) {
        for descriptor in polled where descriptor.revents != 0 {
            if descriptor.fd == folder, folder >= 0 { lookIntoFolder(at: now) }
            if descriptor.fd == socket, socket >= 0 { talk(at: now) }
        }
        if let nextAttempt, now >= nextAttempt { connect(at: now) }
    }

    /// Handles a change of the network: a bus may have appeared.
    mutating func networkChanged(at now: Int64) {
        guard address != nil, socket < 0, nextAttempt == nil else { return }
        if folder < 0 { watchFolder() }
        connect(at: now)
    }

    /// Runs until no answer is outstanding, for at most `milliseconds`.
    mutating func settle(milliseconds: Int64) {
        let end = Self.now + milliseconds * 1_000_000
        while !isSettled {
            let rest = (end - Self.now) / 1_000_000
            var polled = Array(descriptors.prefix(1))
            guard rest > 0, poll(&polled, 1, Int32(clamping: rest)) > 0 else { return }
            proceed(polled, at: Self.now)
        }
    }

    // MARK: The connection

    private mutating func connect(at now: Int64) {
        nextAttempt = nil
        guard let address, socket < 0 else { return }
        socket = address.connect()
        guard socket >= 0 else { return hasFailed(at: now) }
        conversation = MeteredConversation(userID: userID)
        write(at: now)
    }

    /// Schedules another attempt, later each time; gives up after several failures in a row.
    private mutating func hasFailed(at now: Int64) {
        if socket >= 0 { close(socket) }
        socket = -1
        failures += 1
        nextAttempt = failures < Self.mostFailures ? now + Self.pause << failures : nil
    }

    private mutating func talk(at now: Int64) {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        // A flood on the bus must not delay the kernel's events.
        for _ in 0..<16 {
            let count = recv(socket, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN { break }
            guard count > 0 else { return hasFailed(at: now) }
            do throws(MalformedDBus) {
                try conversation.receive(buffer.prefix(count))
            } catch {
                return hasFailed(at: now)
            }
        }
        if conversation.isComplete { failures = 0 }
        write(at: now)
    }

    private mutating func write(at now: Int64) {
        while !conversation.outgoing.isEmpty {
            let bytes = conversation.outgoing
            let count = send(socket, bytes, bytes.count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL))
            if count < 0, errno == EINTR { continue }
            if count < 0, errno == EAGAIN { return }
            guard count > 0 else { return hasFailed(at: now) }
            conversation.outgoing.removeFirst(count)
        }
    }

    // MARK: The folder

    private mutating func watchFolder() {
        guard let place = address?.place else { return }
        let descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
        guard descriptor >= 0 else { return }
        guard inotify_add_watch(descriptor, place.folder, UInt32(IN_CREATE | IN_MOVED_TO)) >= 0 else {
            close(descriptor)
            return
        }
        folder = descriptor
    }

    private mutating func lookIntoFolder(at now: Int64) {
        var buffer = [UInt8](repeating: 0, count: 4096)
        var hasAppeared = false
        while true {
            let count = read(folder, &buffer, buffer.count)
            guard count > 0 else { break }
            hasAppeared = hasAppeared || Self.names(buffer.prefix(count)).contains(address?.place?.name ?? "")
        }
        guard hasAppeared, socket < 0 else { return }
        failures = 0
        nextAttempt = now
    }

    /// The names in inotify's events: a header of 16 bytes, whose last four are the length of the name that follows.
    private static func names(_ events: some Collection<UInt8>) -> [String] {
        let bytes = Array(events)
        var names: [String] = []
        var offset = 0
        while let length = bytes.span.bytes.value(at: offset + 12, as: UInt32.self),
            Int(length) <= bytes.count - offset - 16
        {
            names.append(bytes.span.bytes.extracting(offset + 16..<offset + 16 + Int(length)).text)
            offset += 16 + Int(length)
        }
        return names
    }

    private static var now: Int64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
