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

    /// Reads a line and adds its field.
    mutating func add(_ line: RawSpan, limit: Int) throws(HTTP1Violation) {
        let index = fields.count
        guard index < limit else { throw .tooLarge("the response has more than \(limit) header fields") }
        if index == 0 { fields.reserveCapacity(12) }
        switch try HTTP1FieldLine.parse(line, into: &fields) {
        case .none: break
        case .contentLength: contentLength.add(index)
        case .transferEncoding: transferEncoding.add(index)
        case .connection: connection.add(index)
        }
    }
}
