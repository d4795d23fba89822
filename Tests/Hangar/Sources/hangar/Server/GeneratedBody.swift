import FlyingSocks
import Foundation

/// A response body that is made while it is sent.
///
/// FlyingFox asks for a piece only when it has written the one before, so a step runs at the client's pace and
/// memory stays at one piece. A step that throws ends the connection in the middle of the body.
struct GeneratedBody: AsyncBufferedSequence {
    typealias Element = UInt8
    /// The next piece, never empty; nil ends the body.
    typealias Step = () async throws -> Data?

    private let start: @Sendable () -> Step

    /// - Parameter start: called when sending begins; what the step it returns keeps is one transfer's own.
    init(_ start: @escaping @Sendable () -> Step) {
        self.start = start
    }

    func makeAsyncIterator() -> Iterator {
        Iterator(step: start())
    }

    struct Iterator: AsyncBufferedIteratorProtocol {
        private let step: Step
        private var pending = Data()

        fileprivate init(step: @escaping Step) {
            self.step = step
        }

        mutating func next() async throws -> UInt8? {
            if pending.isEmpty, let piece = try await step() { pending = piece }
            return pending.popFirst()
        }

        mutating func nextBuffer(suggested count: Int) async throws -> Data? {
            guard pending.isEmpty else {
                defer { pending = Data() }
                return pending
            }
            return try await step()
        }
    }
}

extension GeneratedBody {
    init(_ data: Data) {
        self.init {
            var rest: Data? = data.isEmpty ? nil : data
            return {
                defer { rest = nil }
                return rest
            }
        }
    }

    /// The same, and then the connection is closed, `delay` after the last byte.
    func closing(after delay: Duration) -> GeneratedBody {
        GeneratedBody {
            let step = start()
            return {
                if let piece = try await step() { return piece }
                try await Task.sleep(for: delay)
                throw ConnectionClose()
            }
        }
    }

    /// The same, counted: a piece counts once FlyingFox asks for the next, having written it.
    func metered(_ meter: WriteMeter, id: String) -> GeneratedBody {
        GeneratedBody {
            let step = start()
            var unwritten = 0
            return {
                meter.add(unwritten, to: id)
                let piece = try await step()
                unwritten = piece?.count ?? 0
                return piece
            }
        }
    }
}

/// Thrown where a body has to end the connection: FlyingFox has no other way to close one.
struct ConnectionClose: Error {}
