internal import HTTPTypes

/// The fields of a head or trailer while they come in, and where those are that frame the message.
struct HTTP1FieldSection: Sendable {
    /// Where the fields of one name are. Most come once; looking them up again would cost more than reading them.
    enum Occurrence: Sendable, Equatable {
        case absent
        case once(Int)
        case repeated

        mutating func add(_ index: Int) { self = self == .absent ? .once(index) : .repeated }
    }

    var fields = HTTPFields()
    private(set) var contentLength = Occurrence.absent
    private(set) var transferEncoding = Occurrence.absent
    private(set) var connection = Occurrence.absent
    private(set) var isConfidential = false
    /// How many lines were the same as last time, when all were: ``fields`` is then still empty.
    private var recalledCount: Int? = 0

    /// Reads a line and adds its field.
    mutating func add(_ line: RawSpan, limit: Int) throws(HTTP1Violation) {
        recalledCount = nil
        let index = try nextIndex(limit: limit)
        note(try HTTP1FieldLine.parse(line, into: &fields), at: index)
    }

    /// Reads a line that may be the same as last time, and adds its field.
    mutating func add(_ line: RawSpan, limit: Int, _ memory: inout HTTP1FieldMemory) throws(HTTP1Violation) {
        if let count = recalledCount {
            if let role = memory.role(of: line, at: count) {
                recalledCount = count + 1
                note(role, at: count)
                return
            }
            fields = memory.fields(upTo: count)
            recalledCount = nil
        }
        let index = try nextIndex(limit: limit)
        if let role = memory.role(of: line, at: index) {
            fields.append(memory.field(at: index))
            note(role, at: index)
        } else {
            let role = try HTTP1FieldLine.parse(line, into: &fields)
            note(role, at: index)
            memory.note(line, role, at: index)
        }
    }

    /// All lines have come. Returns whether they are the last head's.
    mutating func finish(_ memory: inout HTTP1FieldMemory) -> Bool {
        if let count = recalledCount {
            recalledCount = nil
            fields = memory.fields(upTo: count)
            if memory.isWhole(count) { return true }
        }
        memory.keep(fields, isConfidential: isConfidential)
        return false
    }

    private mutating func nextIndex(limit: Int) throws(HTTP1Violation) -> Int {
        let index = fields.count
        guard index < limit else { throw .tooLarge("the response has more than \(limit) header fields") }
        if index == 0 { fields.reserveCapacity(12) }
        return index
    }

    private mutating func note(_ role: HTTP1FieldRole, at index: Int) {
        switch role {
        case .none: break
        case .contentLength: contentLength.add(index)
        case .transferEncoding: transferEncoding.add(index)
        case .connection: connection.add(index)
        case .confidential: isConfidential = true
        }
    }
}
