internal import HTTPTypes

/// The fields of the last head on a connection, with the lines that they were read from.
///
/// A server says nearly the same with each response. A line that comes again at the same place means the same field: it
/// is compared, not parsed, and takes no memory. When all lines come again, so does the whole list of fields.
struct HTTP1FieldMemory: Sendable {
    /// More is not worth what an idle connection would hold.
    private static let capacity = 2048

    /// The lines, one behind the other.
    private var bytes: [UInt8] = []
    /// Where each line ends.
    private var ends: [Int] = []
    private var roles: [HTTP1FieldRole] = []
    private var fields = HTTPFields()
    /// The response that they were part of.
    private var response: (status: HTTPResponse.Status, head: HTTPResponse)?
    /// Whether lines were noted whose fields are not there yet.
    private var isOutdated = false
    /// A head that came twice in a row, as a whole. It stays when others come: what its bytes mean does not depend on them.
    private(set) var whole: HTTP1KnownHead?

    /// Whether nothing is remembered.
    var isEmpty: Bool { ends.isEmpty && whole == nil }

    /// A head begins. What one that did not come to its end has left is of no use.
    mutating func begin() {
        if isOutdated { clear() }
    }

    private mutating func clear() {
        bytes.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        roles.removeAll(keepingCapacity: true)
        fields = HTTPFields()
        response = nil
        isOutdated = false
    }

    /// What the line at `index` means, if it is the same as last time.
    @inline(__always)
    func role(of line: RawSpan, at index: Int) -> HTTP1FieldRole? {
        guard index < ends.count else { return nil }
        let start = index == 0 ? 0 : ends[index - 1]
        guard ends[index] - start == line.byteCount, line.equals(bytes, from: start) else { return nil }
        return roles[index]
    }

    /// Whether the line at `index` was so long last time.
    func hasLine(ofLength length: Int, at index: Int) -> Bool {
        guard index < ends.count else { return false }
        return ends[index] - (index == 0 ? 0 : ends[index - 1]) == length
    }

    /// Hands over the fields, to be changed in place if nobody else has them any more, and forgets the response.
    mutating func takeFields() -> HTTPFields {
        isOutdated = true
        response = nil
        defer { fields = HTTPFields() }
        return fields
    }

    /// Takes the fields back.
    mutating func giveBack(_ revised: HTTPFields) { fields = revised }

    /// The field of the line at `index`, which came again.
    func field(at index: Int) -> HTTPField { fields[index] }

    /// The fields of the first `count` lines, which came again. When these are all, they are shared.
    func fields(upTo count: Int) -> HTTPFields {
        guard count < fields.count else { return fields }
        var beginning = HTTPFields()
        beginning.reserveCapacity(max(12, fields.count))
        for index in 0..<count { beginning.append(fields[index]) }
        return beginning
    }

    /// Notes a line that is new at `index`.
    mutating func note(_ line: RawSpan, _ role: HTTP1FieldRole, at index: Int) {
        guard index <= ends.count else { return }
        isOutdated = true
        let start = index == 0 ? 0 : ends[index - 1]
        if index < ends.count, ends[index] - start == line.byteCount {
            // A date that has moved on: what follows it stays.
            bytes.overwrite(from: start, with: line)
            roles[index] = role
            return
        }
        bytes.removeSubrange(start...)
        ends.removeSubrange(index...)
        roles.removeSubrange(index...)
        guard start + line.byteCount <= Self.capacity else { return }
        bytes.append(contentsOf: line, in: 0..<line.byteCount)
        ends.append(start + line.byteCount)
        roles.append(role)
    }

    /// Keeps the fields of a head that has come to its end.
    ///
    /// - Parameter isConfidential: Whether a secret is among them, which nobody should find here later.
    mutating func keep(_ section: HTTPFields, isConfidential: Bool) {
        guard !isConfidential else { return clear() }
        // The last head may have had more lines.
        if section.count < ends.count {
            let end = section.isEmpty ? 0 : ends[section.count - 1]
            bytes.removeSubrange(end...)
            ends.removeSubrange(section.count...)
            roles.removeSubrange(section.count...)
        }
        fields = section
        response = nil
        isOutdated = false
    }

    /// Whether `count` lines that came again are the whole of the last head.
    func isWhole(_ count: Int) -> Bool { !isOutdated && count == fields.count }

    /// The last response, if it had this status, for a head whose lines have all come again.
    func response(_ status: HTTPResponse.Status) -> HTTPResponse? {
        guard let response, response.status.code == status.code, response.status.reasonPhrase == status.reasonPhrase
        else { return nil }
        return response.head
    }

    /// Keeps the response that was made of the fields.
    mutating func keep(_ head: HTTPResponse, _ status: HTTPResponse.Status) { response = (status, head) }

    /// Keeps a head that has come again, as a whole. One that differs each time is never worth this.
    mutating func keep(_ head: HTTP1KnownHead) {
        guard head.bytes.count <= Self.capacity else { return }
        whole = head
    }
}
