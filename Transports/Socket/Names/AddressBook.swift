internal import AirframeTransport
internal import AirframeWire
internal import Synchronization

/// The addresses of hosts that were asked for a short while ago, and the questions that are open.
final class AddressBook: Sendable {
    private struct Entry {
        let addresses: [IPAddress]
        let end: Int64
    }

    private struct State {
        var entries: [String: Entry] = [:]
        /// Questions without an answer yet; requests for the same name share one.
        var questions: [String: Question] = [:]
        var lastQuestion: UInt64 = 0
    }

    private struct Question {
        let id: UInt64
        let task: Task<[IPAddress], any Error>
        var waiterCount = 1
    }

    private static let capacity = 1024

    private let resolver: any NameResolver
    private let age: Int64
    // Guards what is known, and what is asked.
    private let state = Mutex(State())

    init(_ configuration: SocketTransport.Configuration) {
        resolver = configuration.resolver
        age = configuration.addressAge.wholeNanoseconds
    }

    /// The addresses of `host` that are known, or `nil` when it has to be asked for.
    func known(_ host: String) -> [IPAddress]? {
        state.withLock { state in
            guard let entry = state.entries[host], entry.end > Monotonic.now else { return nil }
            return entry.addresses
        }
    }

    /// Asks for the addresses of `host`. The resolver's task is cancelled when all of its callers are.
    func ask(_ host: String) async throws -> [IPAddress] {
        let question = state.withLock { state in
            if let open = state.questions[host] {
                state.questions[host]?.waiterCount += 1
                return open
            }
            state.lastQuestion += 1
            let id = state.lastQuestion
            let question = Question(id: id, task: Task { try await self.answer(host, id) })
            state.questions[host] = question
            return question
        }
        return try await withTaskCancellationHandler {
            try await question.task.value
        } onCancel: {
            leave(host, question.id)
        }
    }

    /// Forgets `host`: none of its addresses answered.
    func forget(_ host: String) { state.withLock { $0.entries[host] = nil } }

    private func leave(_ host: String, _ id: UInt64) {
        let abandoned = state.withLock { state -> Question? in
            guard var question = state.questions[host], question.id == id else { return nil }
            question.waiterCount -= 1
            state.questions[host] = question.waiterCount == 0 ? nil : question
            return question.waiterCount == 0 ? question : nil
        }
        abandoned?.task.cancel()
    }

    private func answer(_ host: String, _ id: UInt64) async throws -> [IPAddress] {
        defer {
            state.withLock { state in
                if state.questions[host]?.id == id { state.questions[host] = nil }
            }
        }
        let addresses = try await resolver.addresses(of: host).compactMap { IPAddress($0) }
        guard !addresses.isEmpty else { throw NameResolutionError(host: host, message: "the name has no address") }
        if age > 0 { keep(addresses, of: host) }
        return addresses
    }

    private func keep(_ addresses: [IPAddress], of host: String) {
        let now = Monotonic.now
        state.withLock { state in
            if state.entries.count >= Self.capacity {
                state.entries = state.entries.filter { $0.value.end > now }
                if state.entries.count >= Self.capacity { state.entries.removeAll() }
            }
            state.entries[host] = Entry(addresses: addresses, end: Monotonic.sum(now, age))
        }
    }
}
