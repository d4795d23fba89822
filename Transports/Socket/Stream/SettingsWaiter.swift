/// A task that waits for the SETTINGS of a connection's peer.
///
/// A class, because the connection and the task share it.
final class SettingsWaiter: Sendable {
    private let slot = ReadySlot()

    /// Waits until ``rouse()`` is called.
    nonisolated(nonsending) func wait() async { await slot.wait() }

    /// Wakes the task, so that it checks the connection and its limits.
    func rouse() { slot.signal() }
}
