internal import HTTPTypes

/// The members of a list-valued field (RFC 9110 §5.6.1), trimmed, including empty members.
struct HTTP1List: Sequence {
    private let members: [[UInt8]]

    init(_ field: HTTPField) {
        members = field.withUnsafeBytesOfValue { bytes in
            bytes.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false).map { member in
                var member = member
                while let first = member.first, first.isBlank { member.removeFirst() }
                while let last = member.last, last.isBlank { member.removeLast() }
                return Array(member)
            }
        }
    }

    func makeIterator() -> IndexingIterator<[[UInt8]]> { members.makeIterator() }

    /// Returns a predicate that compares a member with `name`, which is in lower case, ignoring case.
    static func isEqual(_ name: StaticString) -> ([UInt8]) -> Bool {
        let count = name.utf8CodeUnitCount
        return { member in
            guard member.count == count else { return false }
            return name.withUTF8Buffer { name in
                zip(member, name).allSatisfy { byte, expected in
                    byte == expected || ((65...90).contains(byte) && byte | 32 == expected)
                }
            }
        }
    }
}
