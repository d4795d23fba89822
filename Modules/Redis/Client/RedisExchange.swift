internal import Glibc

/// The connection of a ``RedisLoop`` and the commands that wait for replies over it. Confined to the loop's thread.
final class RedisExchange {
    private enum Phase {
        case closed
        case resolving(until: ContinuousClock.Instant)
        case connecting(until: ContinuousClock.Instant)
        case open
    }

    private let loop: RedisLoop
    private let configuration: RedisClient.Configuration
    private let wakeUp: Int32
    private var connection: RedisConnection?
    private var phase = Phase.closed
    /// The addresses of the server that have not been tried.
    private var addresses: [RedisClient.Configuration.Address] = []
    /// Replies to `AUTH` and `SELECT` come before those of all commands.
    private var greetings = 0
    /// Whether a command got a reply over this connection.
    private var hasAnswered = false
    /// The commands without a reply, in their order.
    private var pending: [RedisLoop.Command] = []

    init(_ loop: RedisLoop, _ configuration: RedisClient.Configuration, wakeUp: Int32) {
        self.loop = loop
        self.configuration = configuration
        self.wakeUp = wakeUp
    }

    // MARK: Commands

    /// Sends commands, and opens a connection if there is none.
    func submit(_ commands: [RedisLoop.Command]) {
        guard !commands.isEmpty else { return }
        pending += commands
        do throws(RedisConnection.Failure) {
            switch phase {
            case .closed: open()
            case .resolving: break
            case .connecting: for command in commands { try connection?.append(command.bytes) }
            case .open:
                for command in commands { try connection?.append(command.bytes) }
                try connection?.write()
            }
        } catch {
            lose(error)
        }
    }

    private func takeReplies() throws(RedisConnection.Failure) {
        var count = 0
        defer { pending.removeFirst(count) }
        while let reply = try connection?.nextReply() {
            if greetings > 0 {
                greetings -= 1
                if case .error(let text) = reply { throw RedisConnection.Failure(reason: text) }
                continue
            }
            guard count < pending.count else {
                throw RedisConnection.Failure(reason: "the server sent a reply without a command")
            }
            if !hasAnswered {
                hasAnswered = true
                loop.endPauses()
            }
            loop.finish(pending[count].id, .success(reply))
            count += 1
        }
    }

    // MARK: Connecting

    private func open() {
        if let error = loop.currentPause() { return fail(error) }
        let limit = ContinuousClock.now.advanced(by: configuration.connectTimeout)
        switch configuration.address {
        case .unixSocket:
            addresses = [configuration.address]
            connect(until: limit)
        case .tcp(let host, _):
            phase = .resolving(until: limit)
            loop.resolve(host)
        }
    }

    private func takeAddresses() {
        guard case .resolving(let limit) = phase, case .tcp(_, let port) = configuration.address,
            let answer = loop.takeAddresses()
        else { return }
        switch answer {
        case .success(let found):
            addresses = found.map { .tcp(host: $0, port: port) }
            connect(until: limit)
        case .failure(let failure): lose(failure)
        }
    }

    /// Begins to connect to the next address.
    private func connect(until limit: ContinuousClock.Instant) {
        var failure = RedisConnection.Failure(reason: "the server's name has no address")
        while !addresses.isEmpty {
            do throws(RedisConnection.Failure) {
                let connection = try RedisConnection(to: addresses.removeFirst())
                try greet(connection)
                for command in pending { try connection.append(command.bytes) }
                self.connection = connection
                phase = .connecting(until: limit)
                return
            } catch {
                failure = error
            }
        }
        lose(failure)
    }

    private func greet(_ connection: RedisConnection) throws(RedisConnection.Failure) {
        greetings = 0
        if let password = configuration.password {
            let words: [any RedisWord] = configuration.username.map { ["AUTH", $0, password] } ?? ["AUTH", password]
            try connection.append(RedisCommand(words).bytes)
            greetings += 1
        }
        if configuration.database != 0 {
            try connection.append(RedisCommand("SELECT", configuration.database).bytes)
            greetings += 1
        }
    }

    // MARK: Waiting

    /// Waits for the socket, for new commands or for the next time limit, and handles what is due.
    ///
    /// - Returns: `false` if nothing happened for ``RedisLoop/idleTime``.
    func waitForSocket() -> Bool {
        var descriptors = [pollfd(fd: wakeUp, events: Int16(POLLIN), revents: 0)]
        if let connection {
            let events = Int16(POLLIN) | (connection.hasOutput ? Int16(POLLOUT) : 0)
            descriptors.append(pollfd(fd: connection.descriptor, events: events, revents: 0))
        }
        let limit = nextLimit ?? .now.advanced(by: RedisLoop.idleTime)
        let wait = max(.zero, ContinuousClock.now.duration(to: limit))
        let count = poll(&descriptors, nfds_t(descriptors.count), Int32(clamping: wait.wholeMilliseconds))
        if descriptors[0].revents != 0 {
            var bytes = [UInt8](repeating: 0, count: 64)
            while Glibc.read(wakeUp, &bytes, bytes.count) > 0 {}
            takeAddresses()
        }
        if descriptors.count > 1, descriptors[1].revents != 0 { exchange(descriptors[1].revents) }
        if let limit = nextLimit, limit <= .now { expire() }
        return count != 0 || nextLimit != nil
    }

    /// The earliest time limit; `nil` if nothing is pending.
    private var nextLimit: ContinuousClock.Instant? {
        guard let first = pending.first?.deadline else { return nil }
        switch phase {
        case .resolving(let limit), .connecting(let limit): return min(limit, first)
        case .closed, .open: return first
        }
    }

    private func exchange(_ events: Int16) {
        do throws(RedisConnection.Failure) {
            if events & Int16(POLLOUT | POLLERR | POLLHUP) != 0, connection?.hasOutput == true {
                try connection?.write()
                // The first write shows that the connection is established.
                if case .connecting = phase { phase = .open }
            }
            if events & Int16(POLLIN | POLLERR | POLLHUP) != 0 {
                try connection?.read()
                try takeReplies()
            }
        } catch {
            if case .connecting(let limit) = phase, !addresses.isEmpty {
                connect(until: limit)
            } else {
                lose(error)
            }
        }
    }

    // MARK: Failures

    private func expire() {
        let isOpen = if case .open = phase { true } else { false }
        let words = isOpen ? "no reply" : "no connection"
        let limit = isOpen ? configuration.commandTimeout : configuration.connectTimeout
        let error = loop.error(.timeout, "\(words) within \(limit)")
        loop.beginPause(error)
        fail(error)
    }

    /// Handles a broken connection. A server that has never answered is retried after a pause.
    private func lose(_ failure: RedisConnection.Failure) {
        let error = loop.error(.connection, failure.reason)
        if !hasAnswered { loop.beginPause(error) }
        fail(error)
    }

    /// Closes the connection and fails all commands.
    func fail(_ error: RedisError) {
        connection = nil
        phase = .closed
        addresses = []
        greetings = 0
        hasAnswered = false
        let failed = pending
        pending = []
        for command in failed { loop.finish(command.id, .failure(error)) }
    }
}

extension Duration {
    /// Rounds up, so that a wait never ends early.
    fileprivate var wholeMilliseconds: Int64 {
        let milliseconds = self / .milliseconds(1)
        return Int64(min(milliseconds.rounded(.up), 1e9))
    }
}
