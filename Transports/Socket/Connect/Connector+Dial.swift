internal import AirframeTransport
internal import AirframeWire
internal import CSocket
internal import Glibc

/// A connected socket.
struct Link: Sendable {
    let socket: Socket
    /// The remote address, in the form that connections and events carry.
    let address: SocketAddress
}

/// Why a connection attempt failed.
enum DialFailure: Error {
    case system(SystemFailure)
    case interrupted(Socket.WaitEnd)
}

/// Connection attempts: the addresses are tried in order, each next one in parallel after a delay (RFC 8305 §5).
extension Connector {
    func dial(_ endpoints: [Endpoint]) async throws(TransportError) -> Link {
        exchange.advance(to: .connect)
        guard endpoints.count == 1 else { return try await dialFastest(endpoints) }
        do throws(DialFailure) {
            return try await dial(endpoints[0], engine.spinBudget)
        } catch {
            throw failure(of: endpoints[0], error)
        }
    }

    @inline(never)
    private func dialFastest(_ endpoints: [Endpoint]) async throws(TransportError) -> Link {
        switch await race(endpoints) {
        case .won(let link): return link
        case .interrupted(let end): throw giveUp(end)
        case .lost(let failures): throw failure(failures)
        }
    }

    /// Returns the error of a single attempt.
    @inline(never)
    private func failure(of endpoint: Endpoint, _ failure: DialFailure) -> TransportError {
        switch failure {
        case .system(let failure): self.failure([(endpoint, failure)])
        case .interrupted(let end): giveUp(end)
        }
    }

    /// Handles the interruption of the attempts, and returns its error.
    private func giveUp(_ end: Socket.WaitEnd) -> TransportError {
        // A host that is gone usually drops packets. With a limit, its attempts end here and not with a refusal.
        if case .timeUp = end { forgetAddresses() }
        return exchange.interruption(end) ?? exchange.lost(ECONNABORTED)
    }

    /// Makes the next attempt resolve the name again: the resolver may then return other addresses.
    private func forgetAddresses() {
        engine.addresses.forget(exchange.plan.route.proxy?.host ?? exchange.plan.origin.host)
    }

    // MARK: One attempt

    /// Connects to `endpoint`.
    ///
    /// - Parameter spin: The budget for spinning, in which a server nearby accepts the connection.
    private func dial(_ endpoint: Endpoint, _ spin: SpinBudget? = nil) async throws(DialFailure) -> Link {
        let descriptor: Descriptor
        do throws(SystemFailure) {
            descriptor = try SocketOptions(exchange.plan.options, engine.configuration).open(for: endpoint)
        } catch {
            throw .system(error)
        }
        let address = endpoint.publicAddress
        exchange.emit(.connectStarted(address))
        do throws(DialFailure) {
            let socket = try await Self.connect(descriptor, to: endpoint, engine.reactor, spin, until: due)
            exchange.emit(.connectFinished(address))
            return Link(socket: socket, address: address)
        } catch {
            noteFailure(error, endpoint)
            throw error
        }
    }

    private var due: Int64 { exchange.limits.due(in: .connect, since: exchange.since) }

    private static func connect(
        _ descriptor: consuming Descriptor,
        to endpoint: Endpoint,
        _ reactor: Reactor,
        _ spin: SpinBudget?,
        until due: Int64
    ) async throws(DialFailure) -> Socket {
        var spin = spin
        let number = descriptor.number
        var code = attempt(number, endpoint)
        if code == EAGAIN, endpoint.family == AF_UNIX { code = try await waitForRoom(number, endpoint, until: due) }
        guard code == 0 || code == EINPROGRESS else { throw .system(SystemFailure(code: code, call: "connect")) }
        let socket = Socket(descriptor, reactor)
        guard code == EINPROGRESS else { return socket }
        let alarm = due == .max ? nil : socket.makeAlarm()
        defer { alarm?.cancel() }
        while true {
            let end = await socket.wait(for: .writing, until: due, spin, alarm: alarm ?? socket.makeAlarm())
            spin = nil
            guard case .ready = end else { throw .interrupted(end) }
            let result = socket.connectResult
            if result == 0 { return socket }
            guard result == EINPROGRESS else { throw .system(SystemFailure(code: result, call: "connect")) }
        }
    }

    /// Begins to connect. Returns 0, or the system's error code.
    private static func attempt(_ number: Int32, _ endpoint: Endpoint) -> Int32 {
        endpoint.withSystemAddress { Glibc.connect(number, $0, $1) == 0 ? 0 : errno } ?? ENAMETOOLONG
    }

    /// Connects to a Unix socket whose queue is full. Linux reports the error immediately and never says when there is
    /// room (connect(2)), so this asks again after pauses of 1 to 16 ms.
    ///
    /// - Returns: The result of the last attempt, 0 or the system's error code.
    private static func waitForRoom(
        _ number: Int32,
        _ endpoint: Endpoint,
        until due: Int64
    ) async throws(DialFailure) -> Int32 {
        var pause = Duration.milliseconds(1)
        while true {
            try? await SystemClock.shared.sleep(for: pause)
            guard !Task.isCancelled else { throw .interrupted(.cancelled) }
            let code = attempt(number, endpoint)
            guard code == EAGAIN else { return code }
            guard Monotonic.now < due else { throw .interrupted(.timeUp) }
            pause = min(pause * 2, .milliseconds(16))
        }
    }

    @inline(never)
    private func noteFailure(_ failure: DialFailure, _ endpoint: Endpoint) {
        let words =
            switch failure {
            case .system(let failure): failure.message
            case .interrupted: "given up"
            }
        let error = TransportError(
            .connectFailed,
            phase: .connect,
            processing: .notSent,
            message: "\(endpoint.publicAddress): \(words)",
            origin: exchange.plan.origin
        )
        exchange.emit(.connectFailed(endpoint.publicAddress, error))
    }

    // MARK: Several attempts

    private enum RaceEnd: Sendable {
        case won(Link)
        case lost([(Endpoint, SystemFailure)])
        case interrupted(Socket.WaitEnd)
    }

    private enum RaceEvent: Sendable {
        case connected(Link)
        case failed(Endpoint, DialFailure)
        case delayIsOver(Int)
    }

    private func race(_ endpoints: [Endpoint]) async -> RaceEnd {
        await withTaskGroup(of: RaceEvent.self) { group in
            var failures: [(Endpoint, SystemFailure)] = []
            var next = 0
            var running = 0
            func startNext() {
                guard next < endpoints.count else { return }
                let (endpoint, index) = (endpoints[next], next)
                next += 1
                running += 1
                group.addTask {
                    do throws(DialFailure) {
                        return .connected(try await dial(endpoint))
                    } catch {
                        return .failed(endpoint, error)
                    }
                }
                guard next < endpoints.count else { return }
                let delay = engine.configuration.connectionAttemptDelay
                group.addTask {
                    try? await SystemClock.shared.sleep(for: delay)
                    return .delayIsOver(index)
                }
            }
            startNext()
            while running > 0, let event = await group.next() {
                switch event {
                case .connected(let link):
                    group.cancelAll()
                    return .won(link)
                case .failed(_, .interrupted(let end)):
                    group.cancelAll()
                    return .interrupted(end)
                case .failed(let endpoint, .system(let failure)):
                    running -= 1
                    failures.append((endpoint, failure))
                    startNext()
                case .delayIsOver(let index):
                    // Ignore the delays of earlier attempts.
                    if index == next - 1, !Task.isCancelled { startNext() }
                }
            }
            // Without this, the group waits for a delay that nobody needs any more.
            group.cancelAll()
            return .lost(failures)
        }
    }

    // MARK: Errors

    /// Returns the error of attempts that have all failed.
    private func failure(_ failures: [(Endpoint, SystemFailure)]) -> TransportError {
        forgetAddresses()
        let host = exchange.plan.origin.host
        // An address of a family that the local address does not have was not tried.
        let tried = failures.filter { !$0.1.isOfOtherFamily }
        guard let (endpoint, last) = tried.last ?? failures.last else {
            return error(.connectFailed, "\(host) has no address", nil)
        }
        let words = failures.map { "\($0.0.publicAddress): \($0.1.message)" }.joined(separator: "; ")
        if last.isExhaustion {
            let limit = SocketOptions.descriptorLimit
            let message = "no socket could be opened for \(endpoint.publicAddress): \(SystemError.text(last.code))"
            return error(.engineFailure, "\(message); the process may have \(limit)", words)
        }
        if let refusal = last.refusal { return error(.unsupportedOption, refusal.message, words) }
        if let proxy = exchange.plan.route.proxy {
            let message = "the proxy \(proxy.host):\(proxy.port) cannot be reached: \(SystemError.text(last.code))"
            return TransportError(
                .proxyFailed, phase: .proxy, processing: .notSent, message: message, origin: exchange.plan.origin,
                libraryMessage: words)
        }
        if last.call == "bind" || last.call == "interface" {
            let message = "the local address or interface cannot be used: \(SystemError.text(last.code))"
            return error(.connectFailed, message, words)
        }
        if tried.allSatisfy({ [ENETUNREACH, EHOSTUNREACH, ENETDOWN].contains($0.1.code) }) {
            return error(.networkUnreachable, "there is no route to \(host): \(SystemError.text(last.code))", words)
        }
        return error(
            .connectFailed,
            "no address of \(host) accepts a connection: \(SystemError.text(last.code))",
            words
        )
    }

    private func error(_ code: TransportError.Code, _ message: String, _ words: String?) -> TransportError {
        exchange.plan.error(code, phase: .connect, message: message, library: words)
    }
}
