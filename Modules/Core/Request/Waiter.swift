/// A run of a request that waits for something.
///
/// A class, because a continuation has no layout that the compiler knows: a state that held it itself would have none
/// either, and each look at it would cost some hundred instructions. It is made only where somebody waits.
final class Waiter: Sendable {
    private let continuation: CheckedContinuation<Void, Never>

    init(_ continuation: CheckedContinuation<Void, Never>) { self.continuation = continuation }

    func resume() { continuation.resume() }
}
