import FlyingSocks
import Foundation
import Synchronization

/// A client that waits for `100 Continue` before it sends its body (RFC 9110 §10.1.1).
///
/// The interim response goes out when a handler asks for body bytes that have not come: a handler that refuses
/// without reading never invites them. The handler's task carries the expectation to the pool.
final class Expectation: Sendable {
    @TaskLocal static var current: Expectation?

    private let answered = Atomic(false)

    /// Whether the client received `100 (Continue)`.
    var isAnswered: Bool { answered.load(ordering: .relaxed) }

    func sendContinue(on socket: Socket) throws {
        guard !answered.exchange(true, ordering: .relaxed) else { return }
        _ = try socket.write(Data("HTTP/1.1 100 Continue\r\n\r\n".utf8))
    }
}
