import CHangar
import FlyingSocks
import Foundation
import Synchronization

/// Tells FlyingFox when a socket is ready, by one-shot epoll on its own thread.
///
/// FlyingFox's own pool remembers what it asked of a descriptor and forgets it only when the kernel agrees; a
/// connection that closes in between leaves a stale note, and the next one with that number is never woken.
/// Here the kernel alone remembers: each wait arms the descriptor anew. The pool is also the one public place
/// that sees the sockets, so `TCP_NODELAY` and `100 Continue` are done here.
final class ReadinessPool: AsyncSocketPool {
    private let descriptor: Int32
    private let waiting = Mutex(Waiting())
    private let listenerIsKnown = Atomic(false)

    init() throws {
        descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard descriptor >= 0 else { throw SocketError.makeFailed("epoll_create1") }
    }

    func prepare() async throws {
        Thread.detachNewThread { [self] in
            while true { dispatchEvents() }
        }
    }

    func run() async throws {
        while true { try await Task.sleep(for: .seconds(86_400)) }
    }

    func suspendSocket(_ socket: Socket, untilReadyFor events: Socket.Events) async throws {
        if events.contains(.read) {
            configureIfListening(socket)
            try Expectation.current?.sendContinue(on: socket)
        }
        let file = socket.file.rawValue
        let id = waiting.withLock { $0.makeID() }
        defer {
            if Task.isCancelled { waiting.withLock { _ = $0.forget(id) } }
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                add(Waiter(id: id, continuation: continuation), file: file, events: events)
            }
        } onCancel: {
            let waiter = waiting.withLock { $0.cancel(id, file: file) }
            waiter?.continuation.resume(throwing: CancellationError())
        }
    }

    private func add(_ waiter: Waiter, file: Int32, events: Socket.Events) {
        let (replaced, failure) = waiting.withLock { waiting -> ([Waiter], SocketError?) in
            guard !waiting.forget(waiter.id) else { return ([waiter], nil) }
            let replaced = waiting.insert(waiter, file: file, events: events)
            guard !arm(file, mask: waiting.mask(of: file)) else { return (replaced, nil) }
            let failure = SocketError.makeFailed("epoll_ctl")
            return (replaced + waiting.take(file: file, events: events), failure)
        }
        for waiter in replaced {
            waiter.continuation.resume(throwing: failure ?? SocketError.disconnected)
        }
    }

    /// Level-triggered and one-shot: if the socket is ready already, the event comes immediately.
    private func arm(_ file: Int32, mask: UInt32) -> Bool {
        var event = epoll_event()
        event.events = mask | EPOLLONESHOT.rawValue
        event.data.fd = file
        if epoll_ctl(descriptor, EPOLL_CTL_MOD, file, &event) == 0 { return true }
        return errno == ENOENT && epoll_ctl(descriptor, EPOLL_CTL_ADD, file, &event) == 0
    }

    private func dispatchEvents() {
        var events = [epoll_event](repeating: epoll_event(), count: 128)
        let count = epoll_wait(descriptor, &events, Int32(events.count), -1)
        guard count > 0 else { return }
        let ready = waiting.withLock { waiting in
            events.prefix(Int(count)).flatMap { event -> [Waiter] in
                let file = event.data.fd
                let taken = waiting.take(file: file, events: Self.readiness(event.events))
                let rest = waiting.mask(of: file)
                if rest != 0 { _ = arm(file, mask: rest) }
                return taken
            }
        }
        for waiter in ready { waiter.continuation.resume() }
    }

    /// An error or a hang-up wakes both sides: the read or write that follows learns what it was.
    private static func readiness(_ events: UInt32) -> Socket.Events {
        let failed = events & (EPOLLERR.rawValue | EPOLLHUP.rawValue) != 0
        var ready = Socket.Events()
        if failed || events & EPOLLIN.rawValue != 0 { ready.insert(.read) }
        if failed || events & EPOLLOUT.rawValue != 0 { ready.insert(.write) }
        return ready
    }

    /// Accepted sockets inherit `TCP_NODELAY` from the listening one; without it the body of each small
    /// response waits 40 ms for the acknowledgement of its head, which FlyingFox writes separately.
    private func configureIfListening(_ socket: Socket) {
        guard !listenerIsKnown.load(ordering: .relaxed) else { return }
        var isListening: Int32 = 0
        var size = socklen_t(MemoryLayout<Int32>.size)
        guard getsockopt(socket.file.rawValue, SOL_SOCKET, SO_ACCEPTCONN, &isListening, &size) == 0,
            isListening != 0
        else { return }
        var on: Int32 = 1
        setsockopt(socket.file.rawValue, Int32(IPPROTO_TCP), TCP_NODELAY, &on, size)
        listenerIsKnown.store(true, ordering: .relaxed)
    }
}
