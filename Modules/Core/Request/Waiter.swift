/// A suspended run of a request.
///
/// A class, because a continuation has no layout that the compiler knows: an enum that stored it in a case would have
/// none either, and each access to the enum would go through run-time metadata: 13,000 instructions per request. It is
/// allocated only for a wait.
final class Waiter: Sendable {
    private let continuation: CheckedContinuation<Void, Never>

    init(_ continuation: CheckedContinuation<Void, Never>) { self.continuation = continuation }

    func resume() { continuation.resume() }
}
