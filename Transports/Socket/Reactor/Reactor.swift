internal import AirframeTransport
internal import AirframeWire

/// Tells tasks when their descriptors are ready and when their time is up, from one thread.
///
/// It reads and writes nothing: the tasks that it wakes do that on their own threads. The thread starts when it is
/// first needed, and ends when the reactor is dropped. A class, because dropping it is what ends the thread.
final class Reactor: Sendable {
    let loop: ReactorLoop

    init() throws(TransportError) { loop = ReactorLoop(try Poller()) }

    deinit { loop.stop() }

    /// Whether the calling thread is the reactor's own.
    var isCurrent: Bool { loop.isCurrent }

    /// Runs tasks on the reactor's thread.
    var executor: any TaskExecutor { loop }

    /// Records that an exchange has read or written: the pool is at work.
    func noteMovement() { loop.poll.noteMovement() }

    /// Starts to watch `descriptor`. Returns the system's error, or 0.
    func watch(_ descriptor: borrowing Descriptor, _ readiness: Readiness) -> Int32 {
        let code = loop.start()
        guard code == 0 else { return code }
        let reference = Unmanaged.passRetained(readiness)
        let failure = loop.poller.add(descriptor, reference)
        if failure != 0 { reference.release() }
        return failure
    }

    /// Ends the watch over `descriptor`, which is about to be closed.
    func forget(_ descriptor: borrowing Descriptor, _ readiness: Readiness) {
        loop.poller.remove(descriptor)
        loop.bury(Unmanaged.passUnretained(readiness))
    }

    /// A new alarm. Its action runs on the reactor's thread and must not block.
    func makeAlarm(_ action: @escaping @Sendable () -> Void) -> Alarm {
        _ = loop.start()
        return Alarm(loop.alarms, action: action)
    }
}
