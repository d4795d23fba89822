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
    /// How many lines have come, when each was as long as the one in its place last time: ``fields`` is then empty, if all were
    /// the same, or the last head's with what is new in its place.
    private var followedCount: Int? = 0
    /// Whether one of them was not the same.
    private var isRevised = false

    /// Reads a line and adds its field.
    mutating func add(_ line: RawSpan, limit: Int) throws(HTTP1Violation) {
        followedCount = nil
        try append(line, at: try nextIndex(limit: limit))
    }

    /// Reads a line that may be the same as last time, and adds its field.
    mutating func add(_ line: RawSpan, limit: Int, _ memory: inout HTTP1FieldMemory) throws(HTTP1Violation) {
        if let count = followedCount {
            if let role = memory.role(of: line, at: count) {
                followedCount = count + 1
                return note(role, at: count)
            }
            if memory.hasLine(ofLength: line.byteCount, at: count), try revise(line, at: count, &memory) { return }
            stopFollowing(at: count, &memory)
        }
        let index = try nextIndex(limit: limit)
        if let role = memory.role(of: line, at: index) {
            fields.append(memory.field(at: index))
            note(role, at: index)
        } else {
            memory.note(line, try append(line, at: index), at: index)
        }
    }

    /// Gives the field in the place of `line` its new value, if it has the same name as last time: a date, the number of a
    /// request.
    private mutating func revise(
        _ line: RawSpan,
        at index: Int,
        _ memory: inout HTTP1FieldMemory
    ) throws(HTTP1Violation) -> Bool {
        let (field, role) = try HTTP1FieldLine.parse(line)
        let last = isRevised ? fields[index] : memory.field(at: index)
        // Letter by letter: fields with names in other letters are the same to `HTTPFields`.
        guard field.name.rawName == last.name.rawName else { return false }
        if !isRevised { fields = memory.takeFields() }
        isRevised = true
        fields[index] = field
        followedCount = index + 1
        note(role, at: index)
        memory.note(line, role, at: index)
        return true
    }

    /// What comes now is not as it was last time: from here on fields are added one by one.
    private mutating func stopFollowing(at count: Int, _ memory: inout HTTP1FieldMemory) {
        followedCount = nil
        guard isRevised else {
            fields = memory.fields(upTo: count)
            return
        }
        memory.giveBack(fields)
        if count < fields.count { fields.removeSubrange(count...) }
    }

    /// All lines have come. Returns whether they are the last head's.
    mutating func finish(_ memory: inout HTTP1FieldMemory) -> Bool {
        if let count = followedCount {
            stopFollowing(at: count, &memory)
            if memory.isWhole(count) { return true }
        }
        memory.keep(fields, isConfidential: isConfidential)
        return false
    }

    @discardableResult
    @inline(__always)
    private mutating func append(_ line: RawSpan, at index: Int) throws(HTTP1Violation) -> HTTP1FieldRole {
        let (field, role) = try HTTP1FieldLine.parse(line)
        fields.append(field)
        note(role, at: index)
        return role
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
