internal import Synchronization

extension Request {
    /// Asks the session's monitors how they observe the request, in the task that created it.
    func chooseMonitors() {
        guard let shared = context.monitor else { return }
        switch shared.monitoring(self) {
        case .shared: break
        case .ignored: mutable.withLock { $0.monitor = nil }
        case .own(let own):
            let monitor = own as? CompositeEventMonitor ?? CompositeEventMonitor(monitors: [own])
            mutable.withLock { $0.monitor = monitor }
        }
    }

    /// Adds a monitor, or the one that it provides for this request.
    func add(_ monitor: any EventMonitor) {
        let added: any EventMonitor
        switch monitor.monitoring(self) {
        case .shared: added = monitor
        case .ignored: return
        case .own(let own): added = own
        }
        mutable.withLock { state in
            state.monitor = CompositeEventMonitor(state.monitor, own: added)
        }
    }
}
