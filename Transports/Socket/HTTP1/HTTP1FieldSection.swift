internal import HTTPTypes

/// The fields of a head or trailer that is being parsed, with the indices of the fields that frame the message.
struct HTTP1FieldSection: Sendable {
    /// The indices of the fields with one name, recorded while they are parsed. Most names occur once.
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

    var isEmpty: Bool { fields.isEmpty }

    /// Parses a line and adds its field.
    @inline(__always)
    mutating func add(_ line: RawSpan, limit: Int) throws(HTTP1Violation) {
        let index = try nextIndex(limit: limit)
        let (field, role) = try HTTP1FieldLine.parse(line)
        fields.append(field)
        note(role, at: index)
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
