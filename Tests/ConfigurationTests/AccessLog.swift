import Configuration
import Synchronization

/// An access reporter that records the keys whose values were found.
final class AccessLog: AccessReporter {
    private let events = Mutex<[AccessEvent]>([])

    func report(_ event: AccessEvent) { events.withLock { $0.append(event) } }

    /// Returns the keys with a value that is, or is not, secret.
    func keys(secret isSecret: Bool) -> Set<String> {
        let found = events.withLock { $0 }.filter { event in
            guard case .success(let value?) = event.result else { return false }
            return value.isSecret == isSecret
        }
        return Set(found.map(\.metadata.key.description))
    }
}
