internal import AirframeTransport
internal import AirframeWire

/// Wakes tasks when their descriptors are ready or their alarms fire, from one thread.
///
/// The tasks that it wakes read and write on their own threads, with two exceptions: input is read ahead if many
/// connections have some (``AheadReader``), and the holder of the poll reads for an HTTP/2 connection that no stream's
/// task reads. The thread starts when it is first needed, and ends when the reactor is released. A class, so that its
/// deinitializer can end the thread.
final class Reactor: Sendable {
    let loop: ReactorLoop

    init() throws(TransportError) { loop = ReactorLoop(try Poller()) }

    deinit { loop.stop() }

    /// Whether the calling thread is the reactor's own.
    var isCurrent: Bool { loop.isCurrent }

    /// An executor that runs tasks on the reactor's thread.
    var executor: any TaskExecutor { loop }

    /// Records that an exchange has read or written, which shows that Swift's pool is making progress.
    func noteMovement() { loop.poll.noteMovement() }

    /// Starts to watch `descriptor`. Returns the system's error code, or 0.
    func watch(_ descriptor: borrowing Descriptor, _ readiness: Readiness) -> Int32 {
        let code = loop.start()
        guard code == 0 else { return code }
        let reference = Unmanaged.passRetained(readiness)
        let failure = loop.poller.add(descriptor, reference)
        if failure != 0 { reference.release() }
        return failure
    }

    /// Stops watching `descriptor`, which is about to be closed.
    func forget(_ descriptor: borrowing Descriptor, _ readiness: Readiness) {
        loop.poller.remove(descriptor)
        loop.bury(Unmanaged.passUnretained(readiness))
    }

    /// Creates an alarm. Its action runs on the reactor's thread and must not block.
    func makeAlarm(_ action: @escaping @Sendable () -> Void) -> Alarm {
        _ = loop.start()
        return Alarm(loop.alarms, action: action)
    }
}
