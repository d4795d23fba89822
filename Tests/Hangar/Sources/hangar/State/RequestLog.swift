import Synchronization

/// The last requests: 1,000 of them, and 10,000 more of those that carry a token, so that the
/// traffic of others does not push them out.
final class RequestLog: Sendable {
    struct Entry: Sendable {
        let number: Int
        let method: String
        let path: String
        let fields: [Field]

        var json: JSON {
            let sorted = fields.sorted { $0.name < $1.name }.map { (name: $0.name, value: $0.value) }
            return [
                "number": .integer(number), "method": .string(method), "path": .string(path),
                "headers": .grouped(sorted),
            ]
        }
    }

    private struct Records {
        var lastNumber = 0
        var recent = Ring(capacity: 1_000)
        var tokened = Ring(capacity: 10_000)
    }

    private let records = Mutex(Records())

    func record(_ call: Call) {
        let isTokened = call.field(Self.tokenField) != nil
        records.withLock { records in
            records.lastNumber += 1
            let entry = Entry(
                number: records.lastNumber, method: call.method, path: call.target, fields: call.fields)
            records.recent.append(entry)
            if isTokened { records.tokened.append(entry) }
        }
    }

    var recent: [Entry] { records.withLock { $0.recent.entries } }

    func entries(token: String) -> [Entry] {
        records.withLock { $0.tokened.entries }.filter { entry in
            entry.fields.contains { $0.name.lowercased() == Self.tokenField.lowercased() && $0.value == token }
        }
    }

    func clear() {
        records.withLock { $0 = Records() }
    }

    private static let tokenField = "X-Log-Token"

    /// The newest entries, oldest first.
    private struct Ring {
        let capacity: Int
        private var storage: [Entry] = []
        private var oldest = 0

        init(capacity: Int) {
            self.capacity = capacity
        }

        var entries: [Entry] { Array(storage[oldest...] + storage[..<oldest]) }

        mutating func append(_ entry: Entry) {
            guard storage.count == capacity else { return storage.append(entry) }
            storage[oldest] = entry
            oldest = (oldest + 1) % capacity
        }
    }
}
